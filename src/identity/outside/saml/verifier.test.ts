/** The helper process that verifies answers of SAML. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createProcesses, HelperFailure } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { signXml } from '../../../lib/xml/testing-signature.ts';
import { RefusedAnswer } from '../proof.ts';
import { readResponse } from './gate.ts';
import { ACS, draftFor, ENTITY, IDP, makeTestKey, responseOf } from './testing-idp.ts';
import { createSamlVerifier } from './verifier.ts';
import { verifyResponse } from './verify.ts';
import { builtHelper } from '../../../../test/built-helpers.ts';

async function openVerifier(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-saml-'));
  const processes = await createProcesses({ log: quietLog, temporary: folder, helperModule: builtHelper });
  t.after(async () => {
    await processes.close();
    await rm(folder, { recursive: true, force: true });
  });
  return createSamlVerifier({ processes });
}
const key = await makeTestKey();
const stranger = await makeTestKey();
const now = Date.now();

const REQUEST = { id: '_1', consumer: ACS, issuer: ENTITY, destination: IDP, isForced: false, format: undefined };

/** Returns an answer in Base64, with as many values of one attribute. */
const answerWith = (values: number, signer = key): string => {
  const draft = draftFor(REQUEST, now);
  const attributes = { groups: Array.from({ length: values }, (_, n) => `group-${n}`) };
  return Buffer.from(signXml(responseOf({ ...draft, attributes }), { key: signer.privateKey })).toString('base64');
};

test('an answer is read in the helper as it is here, and refused for the same reason', async (t) => {
  const verifier = await openVerifier(t);
  const keys = [stranger.publicKey, key.publicKey];
  const right = answerWith(3);
  assert.deepEqual(
    await verifier.verify(right, keys),
    structuredClone(verifyResponse(readResponse(right), keys)),
    'what is signed',
  );
  for (const [answer, detail] of [
    [answerWith(1_900, await makeTestKey()), 'signature'],
    [answerWith(2_100), 'too many elements'],
    ['not Base64', 'not Base64'],
  ] as const)
    await assert.rejects(verifier.verify(answer, keys), (error) => {
      assert.ok(error instanceof RefusedAnswer);
      assert.equal(error.detail, detail);
      return true;
    });
  assert.ok(await verifier.verify(answerWith(1_800), keys), 'the largest answer is read in time');
  await verifier.close();
});

test('an answer that ends its helper is refused, and one that could not be looked at is not', async () => {
  const failing = (fault: 'hung' | 'closed') =>
    createSamlVerifier({
      processes: {
        startHelper: () => ({
          ask: () => Promise.reject(new HelperFailure('saml', fault)),
          warm: () => {},
          stats: () => ({ children: 0, waiting: 0, answered: 0, replaced: 0 }),
          close: async () => {},
        }),
      },
    });
  await assert.rejects(failing('hung').verify('', []), RefusedAnswer);
  await assert.rejects(failing('closed').verify('', []), HelperFailure);
});
