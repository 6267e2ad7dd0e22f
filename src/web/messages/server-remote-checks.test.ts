/** Results of the checks of remote access are said in the language that is spoken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REMOTE_CHECK_TEXTS, type RemoteCheckText, type RemoteCheckTexts } from '../../contract/remote/check-texts.ts';
import { settled, speak } from './catalogue.ts';
import { remoteChecksGerman } from './de/server-remote-checks.ts';
import { remoteCheckText } from './server-remote-checks.ts';

test('a check without German words does not compile', () => {
  // @ts-expect-error a reason is missing
  const missing: RemoteCheckTexts & { 'a-new-reason': () => string } = remoteChecksGerman;
  assert.ok(missing);
  assert.deepEqual(Object.keys(remoteChecksGerman), Object.keys(REMOTE_CHECK_TEXTS));
});

test('checks are said in German with their values; one of another version as the server says it', async () => {
  const open: RemoteCheckText = { reason: 'listener-open', values: { port: 9443 } };
  const valid: RemoteCheckText = { reason: 'certificate-valid', values: { until: '2027-02-12T10:00:00.000Z' } };
  assert.equal(remoteCheckText({ sentence: 'as it is', text: open }), 'as it is');
  await speak(['de']);
  await settled();
  assert.equal(remoteCheckText({ sentence: '', text: open }), 'Der Server nimmt Fernzugriffe an Port 9443 an.');
  assert.equal(remoteCheckText({ sentence: '', text: valid }), 'Das Zertifikat gilt bis 12.02.2027.');
  const later = { reason: 'of-a-later-version', values: {} } as unknown as RemoteCheckText;
  assert.equal(remoteCheckText({ sentence: 'it is new', text: later }), 'it is new');
  await speak(['en']);
  await settled();
});
