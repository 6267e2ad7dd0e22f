/** Rogue SAML documents: none of them opens a session. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginAt, comeBack, linkAt, openSamlWorld, profileOf, type SignInEnd, signInAt } from '../testing-flows.ts';
import { RIGHT_DOCUMENTS, ROGUE_DOCUMENTS } from './testing-documents.ts';

/** Opens a world in which the Owner and the Viewer are linked, and the Viewer's person signs in next. */
async function openLinkedWorld(t: Parameters<typeof openSamlWorld>[0], more?: Record<string, unknown>) {
  const world = await openSamlWorld(t, more && { more });
  const { w, issuer, owner, viewer } = world;
  issuer.signs({ as: 'ada-1' });
  assert.equal(await linkAt(w, issuer, owner), 204);
  issuer.signs({ as: 'vic-1' });
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  return world;
}
const isIn = ({ session }: SignInEnd): boolean => session !== undefined && session !== '';

test('of the rogue documents none opens a session', async (t) => {
  const { w, issuer } = await openLinkedWorld(t);
  const accepted: string[] = [];
  assert.ok(isIn(await signInAt(w, issuer)), 'the right answer was refused');
  for (const [name, twist] of Object.entries(ROGUE_DOCUMENTS)) {
    issuer.twist = twist;
    const ended = await signInAt(w, issuer);
    if (isIn(ended)) accepted.push(`${name} (as ${String(await profileOf(w, ended.session))})`);
    else assert.match(ended.location, /^\/sign-in\?reason=outside-(refused|unknown)$|^413$/, name);
  }
  assert.deepEqual(accepted, []);
  const names = Object.keys(ROGUE_DOCUMENTS);
  const count = names.length;
  for (let form = 1; form <= 8; form++)
    assert.ok(
      names.some((name) => name.startsWith(`wrapping ${form}: `)),
      `signature wrapping ${form} is not tried`,
    );
  assert.ok(count >= 60, `${count} documents are fewer than 60`);
  t.diagnostic(`${count} rogue documents, ${accepted.length} accepted`);
  issuer.twist = {};
  assert.ok(isIn(await signInAt(w, issuer)), 'the right answer is refused afterwards');
});

test('right documents in other forms are accepted', async (t) => {
  const { w, issuer } = await openLinkedWorld(t);
  for (const [name, twist] of Object.entries(RIGHT_DOCUMENTS)) {
    issuer.twist = twist;
    const ended = await signInAt(w, issuer);
    assert.equal(await profileOf(w, ended.session), 'Vic', name);
  }
  t.diagnostic(`${Object.keys(RIGHT_DOCUMENTS).length} right documents, all accepted`);
});

const EXPIRED = '/sign-in?reason=outside-expired';
const REFUSED = '/sign-in?reason=outside-refused';

test('a flow is judged once, in the browser that began it, and for ten minutes', async (t) => {
  const { w, issuer } = await openLinkedWorld(t);
  const first = await beginAt(w, '/api/v1/session/saml');
  const answer = issuer.authorize(first.address);
  assert.equal((await comeBack(w, answer, undefined)).location, EXPIRED, 'without the cookie, as an unasked answer');
  assert.equal((await comeBack(w, answer, 'x'.repeat(43))).location, EXPIRED, 'with a made-up cookie');
  const second = await beginAt(w, '/api/v1/session/saml');
  assert.equal((await comeBack(w, answer, second.flow)).location, REFUSED, 'in the flow of another browser');
  assert.ok(isIn(await comeBack(w, answer, first.flow)));
  assert.equal((await comeBack(w, answer, first.flow)).location, EXPIRED, 'a second time');
  const late = await beginAt(w, '/api/v1/session/saml');
  w.clock.pass(10 * 60_000);
  assert.equal((await comeBack(w, issuer.authorize(late.address), late.flow)).location, EXPIRED, 'too late');
});

test('an assertion is used once, also after a restart, until it counts no longer', async (t) => {
  const { w, issuer } = await openLinkedWorld(t);
  // All assertions have the same id, as if one of them answered to two flows.
  issuer.twist = { draft: () => ({ assertionId: '_same' }) };
  assert.ok(isIn(await signInAt(w, issuer)));
  assert.equal((await signInAt(w, issuer)).location, REFUSED);
  const again = await w.again();
  assert.equal((await signInAt(again, issuer)).location, REFUSED, 'after a restart');
  w.clock.pass(7 * 60_000);
  // A start, like each minute, forgets the assertions that no longer count.
  assert.ok(isIn(await signInAt(await w.again(), issuer)), 'when it counts no longer');
});

test('an attribute names the person by exactly one value', async (t) => {
  const uid = 'urn:oid:0.9.2342.19200300.100.1.1';
  const { w, issuer, viewer } = await openSamlWorld(t, { more: { 'integrations.saml.identity_attribute': uid } });
  issuer.person = { nameId: 'anything', attributes: { [uid]: ['vic'], displayName: ['Vic Vega'] } };
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const rogue: Record<string, Record<string, string[]>> = {
    'no such attribute': { uid: ['vic'] },
    'no value': { [uid]: [] },
    'two values': { [uid]: ['vic', 'ada'] },
    'the same value twice': { [uid]: ['vic', 'vic'] },
    'a value with an element': { [uid]: ['<e/>vic'] },
    'an empty value': { [uid]: [''] },
    'another value': { [uid]: ['eve'] },
  };
  for (const [name, attributes] of Object.entries(rogue)) {
    issuer.person = { nameId: 'vic', attributes };
    assert.ok(!isIn(await signInAt(w, issuer)), name);
  }
  // A name that changes each time, or none, does no harm where an attribute names the person.
  for (const nameId of ['another', undefined]) {
    issuer.person = { nameId, attributes: { [uid]: ['vic'] } };
    assert.ok(isIn(await signInAt(w, issuer)), String(nameId));
  }
  issuer.twist = {
    before: (xml) => xml.replace(/<saml:AttributeStatement>.*<\/saml:AttributeStatement>/, (one) => one + one),
  };
  assert.ok(!isIn(await signInAt(w, issuer)), 'in two statements');
});
