/** Exchanges with two independent identity providers: pysaml2, which signs by xmlsec, and samlify. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { beginAt, comeBack, flowIn, openSamlWorld, profileOf } from '../testing-flows.ts';
import { ACS, ENTITY, IDP, makeTestKey, type TestKey } from './testing-idp.ts';

const PROVIDER = fileURLToPath(new URL('../../../../test/stand-ins/saml-idp.py', import.meta.url));
/** The Python of Debian, whose packages the provider is one of. */
const PYTHON = '/usr/bin/python3';

/** An independent provider: its metadata, and its answer at an address where a browser was sent. */
interface Peer {
  metadata: string;
  /** Names of the forms in which it signs. */
  forms: readonly string[];
  answer(address: URL, form: string): Promise<{ SAMLResponse: string }>;
}

/** Links a Viewer and signs in by a peer, whose answer is good once. */
async function signsIn(t: TestContext, open: (own: string) => Promise<Peer>): Promise<void> {
  const { w, issuer, owner, viewer } = await openSamlWorld(t);
  const own = await w.http.server.inject({ method: 'GET', url: '/saml/metadata', headers: { host: 'localhost' } });
  assert.equal(own.headers['content-type'], 'application/samlmetadata+xml');
  const peer = await open(own.body);
  issuer.metadata = () => ({ text: peer.metadata });
  const tested = await w.call('POST', '/api/v1/identity-provider/test?protocol=saml', { token: owner });
  assert.deepEqual(tested.body, { configured: true, connected: true });

  const [form = ''] = peer.forms;
  const begun = await w.call('GET', '/api/v1/me/saml/link', { token: viewer.token });
  const link = `/api/v1/me/saml/link/${String(begun.body['flow'])}`;
  await comeBack(w, await peer.answer(new URL(String(begun.body['url'])), form), flowIn(w, begun));
  const shown = await w.call('GET', link, { token: viewer.token });
  assert.deepEqual([shown.body['issuer'], shown.body['subject']], [IDP, 'vic-1']);
  assert.equal((await w.call('PUT', link, { token: viewer.token })).status, 204);

  for (const signed of peer.forms) {
    const first = await beginAt(w, '/api/v1/session/saml?to=%2Faccount');
    const answer = await peer.answer(first.address, signed);
    const { session, location } = await comeBack(w, answer, first.flow);
    assert.equal(location, '/account', signed);
    assert.equal(await profileOf(w, session), 'Vic', signed);
    const replayed = await beginAt(w, '/api/v1/session/saml');
    assert.equal((await comeBack(w, answer, replayed.flow)).location, '/sign-in?reason=outside-refused', signed);
    const changed = await beginAt(w, '/api/v1/session/saml');
    const xml = Buffer.from((await peer.answer(changed.address, signed)).SAMLResponse, 'base64').toString();
    const forged = { SAMLResponse: Buffer.from(xml.replace('vic-1', 'ada-1')).toString('base64') };
    assert.equal((await comeBack(w, forged, changed.flow)).location, '/sign-in?reason=outside-refused', signed);
  }
}

/** Opens pysaml2 with a key and our metadata in a folder. */
async function openPysaml(t: TestContext, key: TestKey, own: string): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-saml-'));
  await writeFile(join(folder, 'idp.key'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(join(folder, 'idp.pem'), `${key.certificate}\n`);
  await writeFile(join(folder, 'sp.xml'), own);
  const python = spawn(PYTHON, [PROVIDER, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  t.after(async () => {
    python.stdin.end();
    if (python.exitCode === null) await once(python, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  const call = async (command: string): Promise<string> => {
    python.stdin.write(`${command}\n`);
    const line: IteratorResult<string, undefined> = await lines.next();
    return line.value ?? assert.fail('pysaml2 has ended');
  };
  return {
    metadata: Buffer.from(await call('metadata'), 'base64').toString(),
    forms: ['assertion', 'response', 'both'],
    answer: async (address, form) => ({
      SAMLResponse: await call(`answer ${form} ${address.searchParams.get('SAMLRequest') ?? ''}`),
    }),
  };
}

test('pysaml2 links and signs in, and its answer is good once, whatever it signs', async (t) => {
  const key = await makeTestKey();
  await signsIn(t, (own) => openPysaml(t, key, own));
});

interface Samlify {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  IdentityProvider(settings: object): {
    getMetadata(): string;
    parseLoginRequest(
      client: object,
      binding: 'redirect',
      request: { query: Record<string, string> },
    ): Promise<{ extract: { request: { id: string } } }>;
    createLoginResponse(
      client: object,
      asked: object,
      binding: 'post',
      user: object,
      replaceTags: (template: string) => { id: string; context: string },
    ): Promise<{ context: string }>;
  };
  ServiceProvider(settings: object): object;
}

async function openSamlify(key: TestKey, own: string): Promise<Peer> {
  const samlify = (await import('samlify' as string)) as Samlify;
  samlify.setSchemaValidator({ validate: () => Promise.resolve('not checked') });
  const provider = samlify.IdentityProvider({
    entityID: IDP,
    privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    signingCert: key.certificate,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    singleLogoutService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: 'https://id.example.org/slo' },
    ],
    singleSignOnService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: 'https://id.example.org/sso' },
    ],
  });
  const client = samlify.ServiceProvider({ metadata: own });
  return {
    metadata: provider.getMetadata(),
    forms: ['assertion'],
    answer: async (address) => {
      const query = Object.fromEntries(address.searchParams);
      const asked = await provider.parseLoginRequest(client, 'redirect', { query });
      const values = samlifyValues(asked.extract.request.id);
      const replaceTags = (template: string) => ({
        id: values['ID'] ?? '',
        context: template.replaceAll(/\{(\w+)\}/g, (_, tag: string) => values[tag] ?? ''),
      });
      const made = await provider.createLoginResponse(client, asked, 'post', {}, replaceTags);
      return { SAMLResponse: made.context };
    },
  };
}

/** Values for the template of samlify, which has a place for a statement of the authentication and makes none. */
function samlifyValues(request: string): Readonly<Record<string, string>> {
  const [now, end] = [new Date(), new Date(Date.now() + 300_000)].map((one) => one.toISOString());
  return {
    ID: `_${request}-response`,
    AssertionID: `_${request}-assertion`,
    Destination: ACS,
    Audience: ENTITY,
    SubjectRecipient: ACS,
    Issuer: IDP,
    IssueInstant: now ?? '',
    StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    ConditionsNotBefore: now ?? '',
    ConditionsNotOnOrAfter: end ?? '',
    SubjectConfirmationDataNotOnOrAfter: end ?? '',
    NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    NameID: 'vic-1',
    InResponseTo: request,
    AuthnStatement:
      `<saml:AuthnStatement AuthnInstant="${now ?? ''}"><saml:AuthnContext><saml:AuthnContextClassRef>` +
      'urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>' +
      '</saml:AuthnStatement>',
    AttributeStatement: '',
  };
}

test('samlify links and signs in, and its answer is good once', async (t) => {
  const key = await makeTestKey();
  await signsIn(t, (own) => openSamlify(key, own));
});
