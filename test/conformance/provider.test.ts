/** All providers pass the one suite; what only one of them has is tested below it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSubtitlesA } from '../../src/subtitles/providers/subtitles-a.ts';
import { createSubtitlesB } from '../../src/subtitles/providers/subtitles-b.ts';
import { createSubtitlesC } from '../../src/subtitles/providers/subtitles-c.ts';
import { KEY_A, KEY_B, KEY_C, PASSWORD_C, USER_C } from '../stand-ins/index.ts';
import { EPISODE, faultOf, FILM, fakeHeldClock, inWorld, fakeMemory, never, providerConformance } from './provider.ts';

import { CASE_A, CASE_B, CASE_C, net } from './provider-cases.ts';

providerConformance(CASE_A, net);
providerConformance(CASE_B, net);
providerConformance(CASE_C, net);

const inA = (title: string, work: Parameters<typeof inWorld>[2], more?: Parameters<typeof inWorld>[3]): void =>
  void test(`subtitles_a: ${title}`, () => inWorld(CASE_A, net, work, more));
const inB = (title: string, work: Parameters<typeof inWorld>[2], more?: Parameters<typeof inWorld>[3]): void =>
  void test(`subtitles_b: ${title}`, () => inWorld(CASE_B, net, work, more));
const inC = (title: string, work: Parameters<typeof inWorld>[2], more?: Parameters<typeof inWorld>[3]): void =>
  void test(`subtitles_c: ${title}`, () => inWorld(CASE_C, net, work, more));

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
