/** The stand-ins of providers turn red when a credential leaks or a foreign host is asked. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { KEY_A, KEY_B, KEY_C, PASSWORD_C, USER_C } from '../stand-ins/index.ts';
import { type Case, inWorld } from './provider.ts';

import { CASE_A, CASE_B, CASE_C, net } from './provider-cases.ts';

const leaks: readonly [
  what: string,
  subject: Case,
  request: (world: { url: string; vipUrl: string; elsewhere: string }) => Parameters<typeof net.request>[0],
  red: RegExp,
][] = [
  [
    'a key to the host of the files',
    CASE_A,
    ({ url }) => ({ url: `${new URL(url).origin}/subtitle/1-1.zip`, headers: { authorization: `Bearer ${KEY_A}` } }),
    /in a header that this host does not know/,
  ],
  [
    'the key of subtitles_b in an address',
    CASE_B,
    ({ url }) => ({ url: `${url}/subtitles?api_key=${KEY_B}` }),
    /key in an address/,
  ],
  [
    'a password to another host',
    CASE_C,
    ({ vipUrl }) => ({
      url: `${vipUrl}/login`,
      method: 'POST',
      headers: { 'api-key': KEY_C, 'content-type': 'application/json' },
      body: JSON.stringify({ username: USER_C, password: PASSWORD_C }),
    }),
    /sent to another host/,
  ],
  [
    'a password outside the login',
    CASE_C,
    ({ url }) => ({
      url: `${url}/download`,
      method: 'POST',
      headers: { 'api-key': KEY_C, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD_C }),
    }),
    /outside the login/,
  ],
  [
    'a credential with a link',
    CASE_C,
    ({ url }) => ({ url: `${new URL(url).origin}/download/AB/subfile/x.srt`, headers: { 'api-key': KEY_C } }),
    /to the host of the files/,
  ],
  ['a foreign host', CASE_C, ({ elsewhere }) => ({ url: `${elsewhere}/stolen` }), /asked a foreign host/],
];
for (const [what, subject, request, red] of leaks) {
  test(`the stand-ins turn red for ${what}`, async () => {
    const leak = inWorld(
      subject,
      net,
      async ({ server, standIns }) =>
        void (await net.request({
          ...request({ url: server.url, vipUrl: server.vipUrl, elsewhere: standIns.elsewhere.url }),
          allowLoopback: true,
        })),
    );
    await assert.rejects(leak, red);
  });
}
test('the stand-ins turn red without a User-Agent', async () => {
  await assert.rejects(
    inWorld(CASE_A, net, async ({ server }) => {
      await new Promise(
        (resolve, reject) =>
          void get(server.url, (response) => response.resume().on('end', resolve)).on('error', reject),
      );
    }),
    /no User-Agent/,
  );
});
test('a leak turns the stand-ins red', async () => {
  const leaky = (fetchLike: (url: string) => Promise<unknown>) =>
    inWorld(CASE_A, net, async ({ server }) => void (await fetchLike(server.url)));
  await assert.rejects(
    leaky((url) => net.request({ url: `${url}/subtitles/search?api_key=${KEY_A}`, allowLoopback: true })),
    /key in an address/,
  );
  await assert.rejects(
    inWorld(
      CASE_C,
      net,
      async ({ server }) =>
        void (await net.request({
          url: `${server.url}/subtitles?query=${encodeURIComponent(PASSWORD_C)}`,
          allowLoopback: true,
        })),
    ),
    /credential in an address/,
  );
});
