/** All providers pass the one suite; what only one of them has is tested below it. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { createNet } from '../../src/lib/net.ts';
import { createSubtitlesA } from '../../src/subtitles/providers/subtitles-a.ts';
import { createSubtitlesB } from '../../src/subtitles/providers/subtitles-b.ts';
import { createSubtitlesC } from '../../src/subtitles/providers/subtitles-c.ts';
import { KEY_A, KEY_B, KEY_C, PASSWORD_C, USER_C } from '../stand-ins/index.ts';
import {
  type Case,
  EPISODE,
  faultOf,
  FILM,
  fakeHeldClock,
  inWorld,
  fakeMemory,
  never,
  providerConformance,
} from './provider.ts';

const net = createNet({ version: '0.1.0' });

const anyServer = [
  ['500', 'unavailable'],
  ['502', 'unavailable'],
  ['503', 'unavailable'],
  ['reset', 'unavailable'],
  ['redirect-off-host', 'hostile'],
  ['forbidden-page', 'unavailable'],
  ['too-large', 'hostile'],
  ['gzip-bomb', 'hostile'],
] as const;
const anyArchive = [
  ['zip-nested', 'not-found'],
  ['zip-slip', 'hostile'],
  ['zip-absolute', 'hostile'],
  ['zip-backslash', 'hostile'],
  ['zip-link', 'hostile'],
  ['zip-bomb', 'hostile'],
  ['zip-lies', 'hostile'],
  ['zip-many', 'hostile'],
  ['zip-repeats', 'hostile'],
  ['zip-encrypted', 'hostile'],
  ['zip-truncated', 'hostile'],
  ['zip-empty', 'hostile'],
  ['zip-none', 'not-found'],
  ['zip-wrong-episode', 'not-found'],
  ['zip-parts', 'not-found'],
  ['rar', 'hostile'],
  ['seven-zip', 'hostile'],
  ['program', 'hostile'],
  ['empty-file', 'hostile'],
  ['html', 'hostile'],
] as const;
const onFile = [...anyServer, ...anyArchive].map(([fault, kind]) => [fault, 'file', kind] as const);
const onSearch = anyServer.map(([fault, kind]) => [fault, 'search', kind] as const);
const badJson = (['html', 'truncated', 'empty-body', 'error-200', 'bad-request'] as const).map(
  (fault) => [fault, 'search', 'unavailable'] as const,
);

const a: Case = {
  name: 'subtitles_a',
  secrets: [KEY_A],
  make: ({ url, net: through, clock, withoutSettings, timeoutMs }) =>
    createSubtitlesA({
      settings: withoutSettings ? {} : { url, apiKey: KEY_A },
      net: through,
      clock,
      sleep: clock.sleep,
      timeoutMs,
    }),
  calls: { search: ['search'], download: ['file'] },
  hasAccount: true,
  faults: [
    ...onSearch,
    ...onFile,
    ...badJson,
    ['rate-limited', 'search', 'rate-limited'],
    ['rate-limited-date', 'search', 'rate-limited'],
    ['quota', 'search', 'quota'],
    ['quota-200', 'search', 'quota'],
    ['quota', 'file', 'quota'],
    ['quota-200', 'file', 'quota'],
    ['quota-500', 'file', 'quota'],
    ['unauthorized', 'search', 'bad-credentials'],
    ['unauthorized', 'file', 'bad-credentials'],
    ['forbidden', 'search', 'bad-credentials'],
    ['rate-limited', 'file', 'rate-limited'],
    ['rate-limited-date', 'file', 'rate-limited'],
    ['payment', 'search', 'payment-required'],
    ['not-acceptable', 'search', 'unavailable'],
    ['not-acceptable', 'file', 'unavailable'],
    ['forbidden', 'file', 'bad-credentials'],
    ['payment', 'file', 'payment-required'],
    ['expired-link', 'file', 'gone'],
    ['invalid-file', 'file', 'not-found'],
    ['error-200', 'file', 'unavailable'],
    ['redirect-loop', 'search', 'unavailable'],
    ['truncated', 'file', 'unavailable'],
  ],
};

const b: Case = {
  name: 'subtitles_b',
  secrets: [KEY_B],
  make: ({ url, net: through, clock, withoutSettings, timeoutMs }) =>
    createSubtitlesB({
      settings: withoutSettings ? {} : { url, apiKey: KEY_B, personalUse: true },
      net: through,
      clock,
      sleep: clock.sleep,
      timeoutMs,
    }),
  calls: { search: ['search', 'list'], download: ['file'] },
  hasAccount: false,
  faults: [
    ...onSearch,
    ...onFile,
    ...badJson,
    ...[...anyServer, ...badJson.map(([fault]) => [fault, 'unavailable'] as const)].map(
      ([fault, kind]) => [fault, 'list', kind] as const,
    ),
    ...(['search', 'list', 'file'] as const).flatMap((on) => [
      ['rate-limited', on, 'rate-limited'] as const,
      ['rate-limited-date', on, 'rate-limited'] as const,
      ['quota', on, 'rate-limited'] as const,
      ['unauthorized', on, 'bad-credentials'] as const,
      ['forbidden', on, 'bad-credentials'] as const,
      ['payment', on, 'payment-required'] as const,
      ['not-acceptable', on, 'unavailable'] as const,
      ['expired-link', on, 'gone'] as const,
    ]),
    ['invalid-file', 'file', 'not-found'],
    ['error-200', 'file', 'unavailable'],
    ['truncated', 'file', 'unavailable'],
    ['redirect-loop', 'search', 'unavailable'],
    ['redirect-loop', 'list', 'unavailable'],
  ],
};

const c: Case = {
  name: 'subtitles_c',
  secrets: [KEY_C, PASSWORD_C, USER_C],
  make: ({ url, net: through, clock, memory, withoutSettings, timeoutMs }) =>
    createSubtitlesC({
      settings: withoutSettings ? {} : { url, apiKey: KEY_C, username: USER_C, password: PASSWORD_C },
      net: through,
      clock,
      memory,
      sleep: clock.sleep,
      timeoutMs,
    }),
  calls: { search: ['search'], download: ['login', 'grant', 'file'] },
  hasAccount: true,
  faults: [
    ...onSearch,
    ...onFile,
    ...badJson,
    ...(['html', 'truncated', 'empty-body', 'error-200', '503'] as const).map(
      (fault) => [fault, 'grant', 'unavailable'] as const,
    ),
    ...(['html', 'truncated', '503'] as const).map((fault) => [fault, 'login', 'unavailable'] as const),
    ['rate-limited', 'search', 'rate-limited'],
    ['rate-limited-date', 'search', 'rate-limited'],
    ['rate-limited', 'login', 'rate-limited'],
    ['rate-limited', 'grant', 'rate-limited'],
    ['quota', 'grant', 'quota'],
    ['quota-200', 'grant', 'quota'],
    ['invalid-file', 'grant', 'not-found'],
    ['payment', 'grant', 'payment-required'],
    ['unauthorized', 'search', 'bad-credentials'],
    ['forbidden', 'search', 'bad-credentials'],
    ['forbidden', 'login', 'bad-credentials'],
    ['unauthorized', 'login', 'bad-credentials'],
    ['rate-limited-date', 'grant', 'rate-limited'],
    ['unauthorized', 'file', 'unavailable'],
    ['forbidden', 'file', 'unavailable'],
    ['payment', 'file', 'payment-required'],
    ['not-acceptable', 'grant', 'not-found'],
    ['gzip-bomb', 'grant', 'hostile'],
    ['too-large', 'login', 'hostile'],
    ['expired-link', 'file', 'gone'],
    ['foreign-link', 'grant', 'hostile'],
    ['redirect-off-host', 'grant', 'hostile'],
    ['redirect-loop', 'search', 'unavailable', 2],
  ],
};

providerConformance(a, net);
providerConformance(b, net);
providerConformance(c, net);

const inA = (title: string, work: Parameters<typeof inWorld>[2], more?: Parameters<typeof inWorld>[3]): void =>
  void test(`subtitles_a: ${title}`, () => inWorld(a, net, work, more));
const inB = (title: string, work: Parameters<typeof inWorld>[2], more?: Parameters<typeof inWorld>[3]): void =>
  void test(`subtitles_b: ${title}`, () => inWorld(b, net, work, more));
const inC = (title: string, work: Parameters<typeof inWorld>[2], more?: Parameters<typeof inWorld>[3]): void =>
  void test(`subtitles_c: ${title}`, () => inWorld(c, net, work, more));

inA('the key is in a header, and in no offer', async ({ provider, server }) => {
  const found = await provider.search(FILM, never());
  assert.equal(server.requests[0]?.headers['authorization'], `Bearer ${KEY_A}`);
  assert.ok(found.every(({ file }) => file.startsWith('/subtitle/') && !file.includes('?')));
});
inA('of a season pack the one episode is fetched alone', async ({ provider, server }) => {
  const ask = {
    kind: 'episode',
    title: 'The Lighthouse Keepers',
    showIds: { imdb: 'tt9000010' },
    season: 1,
    episode: 2,
    language: 'de',
    fileName: 'x.mkv',
  } as const;
  const found = await provider.search(ask, never());
  assert.ok(found.length > 0 && found.every(({ pack, episode }) => !pack && episode === 2));
  const got = await provider.download(found[0] ?? assert.fail(), ask, never());
  assert.equal(got.archive, undefined);
  assert.match(new TextDecoder().decode(got.bytes), /Schlüssel|Station|Bahnhof/);
  assert.equal(server.requests.length, 2);
});
inA('a used-up quota is remembered until its reset, without asking', async ({ provider, server, clock }) => {
  server.fault({ fault: 'quota', on: 'search', resetIn: 600 });
  await faultOf(provider.search(FILM, never()));
  assert.equal((await faultOf(provider.search(FILM, never()))).kind, 'quota');
  assert.equal(server.requests.length, 1);
  clock.advance(601_000);
  assert.ok((await provider.search(FILM, never())).length > 0);
});
inA('a rate limit says how long, and the reset of the day is not mistaken for it', async ({ provider, server }) => {
  server.fault({ fault: 'rate-limited', on: 'search', retryAfter: 9 });
  const failed = await faultOf(provider.search(FILM, never()));
  assert.deepEqual([failed.retryAfter, failed.resetAt], [9, undefined]);
});

inB('the key is in a header, and in no address', async ({ provider, server }) => {
  await provider.download((await provider.search(FILM, never()))[0] ?? assert.fail(), FILM, never());
  assert.ok(
    server.requests.length === 3 &&
      server.requests.every(({ headers, url }) => headers['x-api-key'] === KEY_B && !url.href.includes(KEY_B)),
  );
});
inB('without the statement of personal use nothing is asked, and it says why', async ({ server, clock }) => {
  for (const personalUse of [false, undefined]) {
    const provider = createSubtitlesB({
      settings: { url: server.url, apiKey: KEY_B, personalUse },
      net: { request: () => assert.fail('asked') },
      clock,
      sleep: clock.sleep,
    });
    assert.equal(provider.configured(), false);
    assert.deepEqual(await provider.search(FILM, never()), []);
    await faultOf(
      provider.download(
        { provider: 'subtitles_b', id: '1', language: 'en', releases: [], pack: false, file: '1' },
        FILM,
        never(),
      ),
    );
    const health = await provider.health(never());
    assert.equal(health.state, 'not-configured');
    assert.match(health.lastError ?? '', /personal use/);
  }
  assert.equal(server.requests.length, 0);
});
inB('files are handed on byte for byte', async ({ provider }) => {
  assert.equal(provider.asDelivered, true);
});
inB('all episodes of a season cost one look for it', async ({ provider, server }) => {
  for (const episode of [1, 2])
    assert.deepEqual(
      (await provider.search({ ...EPISODE, episode }, never())).map((one) => one.episode),
      [episode],
    );
  assert.deepEqual(
    server.requests.map(({ step }) => step),
    ['search', 'list', 'list'],
  );
});
inB('of a season pack the right episode is taken', async ({ provider }) => {
  const ask = { ...EPISODE, language: 'de' };
  const found = await provider.search(ask, never());
  assert.ok(
    found.length > 0 && found.every(({ pack, season, episode }) => pack && season === 1 && episode === undefined),
  );
  const got = await provider.download(found[0] ?? assert.fail(), ask, never());
  assert.match(got.name, /S01E02/);
  assert.deepEqual(got.archive, { subtitles: 2 });
});
inB(
  'a language under several names is asked for by each, and a spelling of the site is understood',
  async ({ provider, server }) => {
    assert.deepEqual(
      (await provider.search({ ...FILM, language: 'pt-br' }, never())).map(({ language }) => language),
      ['pt-br'],
    );
    await provider.search({ ...FILM, language: 'es' }, never());
    assert.deepEqual(
      server.requests.filter(({ step }) => step === 'list').map(({ query }) => query.get('language')),
      ['brazillian_portuguese', 'spanish', 'spanish_spain', 'spanish_latin_america'],
    );
  },
);
inB(
  'pages are bounded',
  async ({ provider, server }) => {
    const found = await provider.search({ ...EPISODE, episode: 9 }, never());
    assert.deepEqual(found, []);
    assert.deepEqual(
      server.requests.map(({ step }) => step),
      ['search', 'list', 'list', 'list'],
    );
  },
  {
    fixtures: {
      items: [
        {
          kind: 'episode',
          title: 'The Lighthouse Keepers',
          showImdb: 'tt9000010',
          showTmdb: 900010,
          season: 1,
          episode: 2,
          duration: 60,
          subtitles: Array.from({ length: 900 }, (_, n) => ({
            language: 'en',
            releases: [`The.Lighthouse.Keepers.S01E02.720p.WEB-G${n}`],
          })),
        },
      ],
    },
  },
);
inB('what its headers say about a used-up limit is believed, without asking', async ({ provider, server, clock }) => {
  server.fault({ fault: 'quota', on: 'search', resetIn: 600 });
  const failed = await faultOf(provider.search(FILM, never()));
  assert.ok(Math.abs((failed.resetAt ?? 0) - clock.now() - 600_000) <= 1_000);
  assert.equal((await faultOf(provider.search(FILM, never()))).kind, 'rate-limited');
  assert.equal(server.requests.length, 1);
  clock.advance(601_000);
  assert.ok((await provider.search(FILM, never())).length > 0);
});
inB('its sixty calls a minute are kept to, and nobody waits for the next', async ({ provider, server, clock }) => {
  for (let n = 0; n < 59; n++) await provider.search(FILM, never());
  const failed = await faultOf(provider.search(FILM, never()));
  assert.equal(failed.kind, 'rate-limited');
  assert.ok((failed.resetAt ?? 0) > clock.now());
  assert.ok(server.requests.every(({ status }) => status === 200));
  clock.advance(60_000);
  assert.ok((await provider.search(FILM, never())).length > 0);
});

inC('queries are canonical: no redirect is ever caused', async ({ provider, server }) => {
  for (const language of ['en', 'pt', 'zh', 'es']) await provider.search({ ...FILM, language }, never());
  await provider.search(
    {
      ...FILM,
      ids: {},
      title: 'Amélie & the “Lighthouse” Keepers: Part 2',
      hearingImpaired: 'prefer',
      machineTranslated: true,
    },
    never(),
  );
  await provider.search({ ...FILM, ids: { tmdb: 10331 }, forced: true }, never());
  assert.ok(server.requests.every(({ status }) => status === 200));
});
inC('one login serves many, also at once and after a restart', async ({ provider, server, again }) => {
  const found = await provider.search(FILM, never());
  const candidate = found[0] ?? assert.fail();
  await Promise.all([
    provider.download(candidate, FILM, never()),
    provider.download(candidate, FILM, never()),
    provider.health(never()),
  ]);
  await again().download(candidate, FILM, never());
  assert.equal(server.requests.filter(({ step }) => step === 'login').length, 1);
});
inC('the kept login is renewed after twelve hours', async ({ provider, server, clock }) => {
  await provider.health(never());
  clock.advance(12 * 3_600_000 + 1);
  await provider.health(never());
  assert.deepEqual(
    server.requests.map(({ step }) => step),
    ['login', 'account', 'login', 'account'],
  );
});
inC('an expired token costs one login and one repeat', async ({ provider, server }) => {
  const candidate = (await provider.search(FILM, never()))[0] ?? assert.fail();
  await provider.download(candidate, FILM, never());
  server.requests.length = 0;
  server.fault({ fault: 'token-expires', on: 'grant' });
  await provider.download(candidate, FILM, never());
  assert.deepEqual(
    server.requests.map(({ step, status }) => `${step} ${status}`),
    ['grant 401', 'login 200', 'grant 200', 'file 200'],
  );
});
inC('a token that is refused twice is a refusal', async ({ provider, server }) => {
  const candidate = (await provider.search(FILM, never()))[0] ?? assert.fail();
  server.fault({ fault: 'unauthorized', on: 'grant', times: 2 });
  assert.equal((await faultOf(provider.download(candidate, FILM, never()))).kind, 'bad-credentials');
  assert.equal(server.requests.filter(({ step }) => step === 'login').length, 2);
});
inC(
  'a refused password is sent once a day, over restarts; a changed one at once',
  async ({ provider, server, clock, again }) => {
    server.fault({ fault: 'unauthorized', on: 'login' });
    assert.equal((await provider.health(never())).fault, 'bad-credentials');
    assert.equal((await provider.health(never())).state, 'unavailable');
    assert.equal((await again().health(never())).lastError, 'the provider refuses the credentials');
    assert.equal(server.requests.length, 1);
    const changed = createSubtitlesC({
      settings: { url: server.url, apiKey: KEY_C, username: USER_C, password: PASSWORD_C.toUpperCase() },
      net,
      clock,
      memory: fakeMemory(),
      sleep: clock.sleep,
    });
    assert.equal((await changed.health(never())).fault, 'bad-credentials');
    assert.equal(server.requests.length, 2);
    clock.advance(24 * 3_600_000 + 1);
    assert.equal((await again().health(never())).state, 'connected');
  },
);
inC(
  'an account with its own host is served there, its password never goes there',
  async ({ provider, server }) => {
    const candidate = (await provider.search(FILM, never()))[0] ?? assert.fail();
    await provider.download(candidate, FILM, never());
    await provider.search(FILM, never());
    assert.deepEqual(
      server.requests.map(({ step, host }) => `${step} ${host}`),
      ['search main', 'login main', 'grant vip', 'file vip', 'search vip'],
    );
  },
  { isVip: true },
);
inC("a host that is not the provider's own gets no token", async ({ provider, server }) => {
  server.fault({ fault: 'other-host' });
  assert.equal((await provider.health(never())).state, 'connected');
  assert.deepEqual(
    server.requests.map(({ step, host }) => `${step} ${host}`),
    ['login main', 'account main'],
  );
});
inC("the reset time of a quota is the provider's own", async ({ provider, server, clock }) => {
  const candidate = (await provider.search(FILM, never()))[0] ?? assert.fail();
  server.fault({ fault: 'quota', resetIn: 1680 });
  const failed = await faultOf(provider.download(candidate, FILM, never()));
  assert.ok(Math.abs((failed.resetAt ?? 0) - clock.now() - 1_680_000) < 60_000);
});
inC('a bad hash is refused by the stand-in, so a good one was sent', async ({ provider, server }) => {
  const found = await provider.search(FILM, never());
  assert.equal(server.requests[0]?.query.get('moviehash'), FILM.hash);
  assert.equal(found.find(({ trusted }) => trusted)?.hashMatch, true);
});

const leaks: readonly [
  what: string,
  subject: Case,
  request: (world: { url: string; vipUrl: string; elsewhere: string }) => Parameters<typeof net.request>[0],
  red: RegExp,
][] = [
  [
    'a key to the host of the files',
    a,
    ({ url }) => ({ url: `${new URL(url).origin}/subtitle/1-1.zip`, headers: { authorization: `Bearer ${KEY_A}` } }),
    /in a header that this host does not know/,
  ],
  [
    'the key of subtitles_b in an address',
    b,
    ({ url }) => ({ url: `${url}/subtitles?api_key=${KEY_B}` }),
    /key in an address/,
  ],
  [
    'a password to another host',
    c,
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
    c,
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
    c,
    ({ url }) => ({ url: `${new URL(url).origin}/download/AB/subfile/x.srt`, headers: { 'api-key': KEY_C } }),
    /to the host of the files/,
  ],
  ['a foreign host', c, ({ elsewhere }) => ({ url: `${elsewhere}/stolen` }), /asked a foreign host/],
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
    inWorld(a, net, async ({ server }) => {
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
    inWorld(a, net, async ({ server }) => void (await fetchLike(server.url)));
  await assert.rejects(
    leaky((url) => net.request({ url: `${url}/subtitles/search?api_key=${KEY_A}`, allowLoopback: true })),
    /key in an address/,
  );
  await assert.rejects(
    inWorld(
      c,
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

test('addresses of the default providers', async () => {
  const asked: string[] = [];
  const through = {
    request: async ({ url, headers }: { url: string | URL; headers?: Readonly<Record<string, string>> }) => {
      asked.push(`${new URL(url).origin}${new URL(url).pathname} ${Object.keys(headers ?? {}).join(' ')}`);
      return { status: 503, headers: {}, bytes: Buffer.alloc(0) };
    },
  };
  const clock = fakeHeldClock();
  const one = createSubtitlesA({ settings: { url: '', apiKey: 'k' }, net: through, clock, sleep: clock.sleep });
  const other = createSubtitlesC({
    settings: { apiKey: 'k', username: 'u', password: 'p' },
    net: through,
    clock,
    sleep: clock.sleep,
    memory: fakeMemory(),
  });
  const second = createSubtitlesB({
    settings: { apiKey: 'k', personalUse: true },
    net: through,
    clock,
    sleep: clock.sleep,
  });
  const offer = {
    provider: 'subtitles_a',
    id: '1',
    language: 'en',
    releases: [],
    pack: false,
    file: '/subtitle/1-2.zip',
  } as const;
  for (const work of [
    () => one.search(FILM, never()),
    () => one.download(offer, FILM, never()),
    () => second.search(FILM, never()),
    () => second.download({ ...offer, provider: 'subtitles_b', file: '7' }, FILM, never()),
    () => other.search(FILM, never()),
  ])
    await faultOf(work());
  assert.deepEqual(asked, [
    'https://api.subdl.com/api/v2/subtitles/search accept authorization',
    'https://dl.subdl.com/subtitle/1-2.zip accept',
    'https://api.subsource.net/api/v1/movies/search accept x-api-key',
    'https://api.subsource.net/api/v1/subtitles/7/download accept x-api-key',
    'https://api.opensubtitles.com/api/v1/subtitles accept api-key',
  ]);
});
