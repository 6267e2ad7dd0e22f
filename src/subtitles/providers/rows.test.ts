/** How each field of a reply is read, and replies that no stand-in sends: a table of replies and their results. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Net } from '../../lib/net.ts';
import { type ProviderQuery, type Candidate, type SubtitleProvider, ProviderFault, type ProviderMemory } from './provider.ts';
import { createSubtitlesA } from './subtitles-a.ts';
import { createSubtitlesB } from './subtitles-b.ts';
import { createSubtitlesC } from './subtitles-c.ts';

interface Wire {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}
interface House {
  provider: SubtitleProvider;
  /** The request that was sent, as `path?query`. */
  asked: { url: URL; line: string; body: string }[];
  clock: { at: number };
}
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const never = new AbortController().signal;
const film: ProviderQuery = { kind: 'movie', title: 'Film', year: 2001, ids: { imdb: 'tt0000001' }, language: 'en', fileName: 'Film.2001.1080p.BluRay.x264-GRP.mkv' };
const part: ProviderQuery = { kind: 'episode', title: 'Show', showIds: { imdb: 'tt0000002' }, season: 1, episode: 2, language: 'en', fileName: 'Show.S01E02.mkv' };

function house(name: SubtitleProvider['name'], answer: (line: string, count: number) => Wire | Promise<Wire>, memory: Map<string, string> = new Map(), password = 'p'): House {
  const clock = { at: NOW };
  const asked: House['asked'] = [];
  const net = {
    request: async ({ url, method = 'GET', body }: { url: string | URL; method?: string; body?: string }) => {
      const address = new URL(url);
      const line = `${method} ${address.pathname}${address.search}`;
      asked.push({ url: address, line, body: body ?? '' });
      const { status = 200, headers = { 'content-type': 'application/json' }, body: out = {} } = await answer(line, asked.length);
      return { status, headers, bytes: Buffer.from(typeof out === 'string' ? out : JSON.stringify(out)) };
    },
  } as unknown as Pick<Net, 'request'>;
  const shared = { net, clock: { now: () => clock.at, monotonic: () => clock.at }, sleep: async (ms: number) => void (clock.at += ms) };
  const kept: ProviderMemory = { read: async (key) => memory.get(key), write: async (key, value) => void memory.set(key, value), forget: async (key) => void memory.delete(key) };
  const provider = name === 'subtitles_a' ? createSubtitlesA({ ...shared, settings: { apiKey: 'k' } }) : name === 'subtitles_b' ? createSubtitlesB({ ...shared, settings: { apiKey: 'k', personalUse: true } }) : createSubtitlesC({ ...shared, memory: kept, settings: { apiKey: 'k', username: 'u', password } });
  return { provider, asked, clock };
}
const faultOf = (work: Promise<unknown>): Promise<ProviderFault> => work.then(() => assert.fail('it should have failed'), (error: unknown) => (error instanceof ProviderFault ? error : assert.fail(String(error))));
type Rows = readonly [what: string, row: Record<string, unknown>, wanted: { [K in keyof Candidate]?: Candidate[K] | undefined } | 'left out', ask?: ProviderQuery][];
const has = (found: readonly Candidate[], wanted: Rows[number][2], what: string): void => {
  if (wanted === 'left out') return assert.deepEqual(found, [], what);
  assert.equal(found.length, 1, what);
  for (const [key, value] of Object.entries(wanted)) assert.deepEqual(found[0]?.[key as keyof Candidate], value, `${what}: ${key}`);
};

const DISCS = [1, 2].map((n) => ({ file_id: 5 + n, cd_number: n, file_name: `Film.CD${n}.srt` }));
const C: Rows = [
  ['as it is', {}, { id: '9', file: '5', language: 'en', pack: false, forced: false, machineTranslated: false, trusted: false, hashMatch: false, ids: { imdb: 'tt0000001' }, title: 'Film', year: 2001, releases: ['Film.2001', 'Film.srt'] }],
  ['only foreign parts', { foreign_parts_only: true }, { forced: true }],
  ['foreign parts by its name', { release: 'Film.2001.Forced' }, { forced: true }],
  ['translated by a machine', { machine_translated: true }, { machineTranslated: true }],
  ['translated by another machine', { ai_translated: true }, { machineTranslated: true }],
  ['translated by its comment', { comments: 'Auto-translated by Google' }, { machineTranslated: true }],
  ['a frame rate', { fps: 25 }, { fps: 25 }],
  ['no frame rate', { fps: 0 }, { fps: undefined }],
  ['for the hard of hearing', { hearing_impaired: true }, { hearingImpaired: true }],
  ['trusted', { from_trusted: true }, { trusted: true }],
  ['a hash that nobody sent', { moviehash_match: true }, { hashMatch: false }],
  ['our hash', { moviehash_match: true }, { hashMatch: true }, { ...film, hash: '8e245d9679d31e12' }],
  ['a film in two files', { files: [{ file_id: 5 }, { file_id: 6 }] }, 'left out'],
  ['half of a film in two files', { nb_cd: 2 }, 'left out'],
  ['the second file of a film in two', { nb_cd: 2, files: DISCS }, { file: '7', releases: ['Film.2001', 'Film.CD2.srt'] }, { ...film, part: { number: 2, of: 2 } }],
  ['a film in two files for one in three', { nb_cd: 2, files: DISCS }, 'left out', { ...film, part: { number: 2, of: 3 } }],
  ['files of one number', { nb_cd: 2, files: [DISCS[0], DISCS[0]] }, 'left out', { ...film, part: { number: 1, of: 2 } }],
  ['no file', { files: [] }, 'left out'],
  ['a file without a number', { files: [{ file_id: 'x' }] }, 'left out'],
  ['a language that nobody knows', { language: 'xx-klingon' }, 'left out'],
  ['an episode', { feature_details: { feature_type: 'Episode', title: 'One', parent_title: 'Show', year: 2010, season_number: 1, episode_number: 2, imdb_id: 77, parent_imdb_id: 2 } }, { title: 'Show', season: 1, episode: 2, ids: { imdb: 'tt0000077' }, showIds: { imdb: 'tt0000002' }, year: undefined }, part],
  ['a special', { feature_details: { feature_type: 'Episode', season_number: 0, episode_number: 3 } }, { season: 0, episode: 3 }, part],
  ['a name in two lines and too long', { release: `a\nb${'x'.repeat(5_000)}`, files: [{ file_id: 5 }] }, { releases: [`a b${'x'.repeat(253)}`] }],
  ['fields of every wrong type', { release: 7, files: [{ file_id: 5 }], comments: [], fps: 'fast', download_count: 'many', hearing_impaired: 'maybe', uploader: 3, feature_details: { imdb_id: {}, year: 'x' } }, { releases: [], fps: undefined, downloads: undefined, hearingImpaired: undefined, ids: undefined, year: undefined }],
];
test('subtitles_c: every field of a row', async () => {
  for (const [what, row, wanted, ask = film] of C) {
    const attributes = { subtitle_id: '9', language: 'en', release: 'Film.2001', nb_cd: 1, files: [{ file_id: 5, file_name: 'Film.srt' }], feature_details: { feature_type: 'Movie', title: 'Film', year: 2001, imdb_id: 1 }, ...row };
    const { provider } = house('subtitles_c', () => ({ body: { data: [{ id: '9', attributes }] } }));
    has(await provider.search({ ...ask, ...(what.startsWith('a name') && { title: 'x' }) }, never), wanted, what);
  }
});

test('subtitles_c: the queries of a search, in order', async () => {
  const lines = async (ask: ProviderQuery) => {
    const { provider, asked } = house('subtitles_c', () => ({ body: { data: [] } }));
    await provider.search(ask, never);
    return asked.map(({ line }) => line.replace('GET /api/v1/subtitles?', ''));
  };
  const shared = 'foreign_parts_only=exclude';
  assert.deepEqual(await lines(film), [`ai_translated=exclude&${shared}&imdb_id=1&languages=en`, `ai_translated=exclude&${shared}&languages=en&query=film&type=movie&year=2001`]);
  assert.deepEqual((await lines({ ...film, ids: { tmdb: 7 } }))[0], `ai_translated=exclude&${shared}&languages=en&tmdb_id=7&type=movie`, 'a number alone stands for a film and an episode alike');
  assert.deepEqual(await lines(part), [`ai_translated=exclude&episode_number=2&${shared}&languages=en&parent_imdb_id=2&season_number=1`, `ai_translated=exclude&episode_number=2&${shared}&languages=en&query=show&season_number=1&type=episode`], 'by its title when the ids bring nothing');
  assert.match((await lines({ ...film, forced: true, machineTranslated: true }))[0] ?? '', /^foreign_parts_only=only&imdb_id=1&languages=en&machine_translated=include$/);
});

const C_FAULTS: readonly [what: string, wire: Wire, kind: string, more?: { resetAt?: number; retryAfter?: number }][] = [
  ['406 with nothing left', { status: 406, body: { remaining: -1 } }, 'quota'],
  ['406 in words', { status: 406, body: { message: 'You have downloaded your allowed 20 subtitles for 24h.' } }, 'quota'],
  ['406 with a time alone', { status: 406, body: { reset_time_utc: '2026-11-21T13:00:00.000Z' } }, 'quota', { resetAt: NOW + HOUR }],
  ['406 with a wait in words alone', { status: 406, body: { reset_time: '2 hours and 30 minutes' } }, 'quota', { resetAt: NOW + 2.5 * HOUR }],
  ['406 for a file that does not exist', { status: 406, body: { message: 'Invalid file_id' } }, 'not-found'],
  ['a reset in the past', { status: 406, body: { remaining: 0, reset_time_utc: '2020-01-01T00:00:00Z' } }, 'quota', {}],
  ['a reset in a hundred years', { status: 406, body: { remaining: 0, reset_time_utc: '2126-01-01T00:00:00Z' } }, 'quota', {}],
  ['429 that says when in a header of the rate', { status: 429, headers: { 'ratelimit-reset': '3' }, body: {} }, 'rate-limited', { retryAfter: 3 }],
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '9', 'ratelimit-reset': '1' }, body: {} }, 'rate-limited', { retryAfter: 9 }],
  ['429 with an absurd Retry-After', { status: 429, headers: { 'retry-after': '999999999' }, body: {} }, 'rate-limited', { retryAfter: 86_400 }],
  ['429 with a date in the past', { status: 429, headers: { 'retry-after': 'Sat, 01 Jan 2000 00:00:00 GMT' }, body: {} }, 'rate-limited', { retryAfter: 0 }],
  ['200 that says 401', { body: { status: 401, message: 'invalid token' } }, 'bad-credentials'],
  ['200 that says 503', { body: { status: 503 } }, 'unavailable'],
  ['403 of a wall', { status: 403, headers: { 'content-type': 'text/html' }, body: '<html></html>' }, 'unavailable'],
  ['403 of the key', { status: 403, body: { message: 'You cannot consume this service' } }, 'bad-credentials'],
  ['400 without a word', { status: 400, headers: { 'x-reason': 'bad hash' }, body: '' }, 'unavailable'],
];
for (const [what, wire, kind, more = {}] of C_FAULTS) {
  test(`subtitles_c: ${what} is ${kind}`, async () => {
    const failed = await faultOf(house('subtitles_c', () => wire).provider.search(film, never));
    assert.deepEqual([failed.kind, failed.resetAt, failed.retryAfter], [kind, more.resetAt, more.retryAfter]);
  });
}

const LOGIN = { token: 'a-token-1', status: 200, base_url: 'api.opensubtitles.com' };
const candidate: Candidate = { provider: 'subtitles_c', id: '9', language: 'en', releases: [], pack: false, file: '5' };
test('subtitles_c: a link is followed to its own hosts alone, without credentials in it', async () => {
  for (const link of ['http://www.opensubtitles.com/download/A/subfile/x.srt', 'https://u:p@www.opensubtitles.com/download/A/subfile/x.srt', 'https://www.opensubtitles.com.evil.example/x.srt', `https://www.opensubtitles.com/${'x'.repeat(3_000)}`, 'file:///etc/passwd', 'x']) {
    const { provider, asked } = house('subtitles_c', (line) => ({ body: line.includes('/login') ? LOGIN : { link } }));
    const failed = await faultOf(provider.download(candidate, film, never));
    // A bare word is a path below the API: it is its own host, and what is there is no file.
    assert.deepEqual([failed.kind, asked.length], link === 'x' ? ['unavailable', 3] : ['hostile', 2], link);
  }
});
test('subtitles_c: a stored login counts only for its credentials and a plausible time', async () => {
  const keep = async (change: (kept: Record<string, unknown>) => void, password = 'p') => {
    const memory = new Map<string, string>();
    const answer = (line: string): Wire => (line.includes('/login') ? { body: LOGIN } : { body: { data: { remaining_downloads: 3, reset_time_utc: '2126-01-01T00:00:00Z' } } });
    assert.equal((await house('subtitles_c', answer, memory).provider.health(never)).resetAt, undefined, 'a reset in a hundred years is not shown');
    const kept = JSON.parse(memory.get('subtitles_c') ?? '{}') as Record<string, unknown>;
    change(kept);
    memory.set('subtitles_c', JSON.stringify(kept));
    const { provider, asked } = house('subtitles_c', answer, memory, password);
    await provider.health(never);
    return asked.filter(({ line }) => line.includes('/login')).length;
  };
  assert.equal(await keep(() => undefined), 0);
  assert.equal(await keep(() => undefined, 'other'), 1, 'of another password');
  assert.equal(await keep((kept) => (kept['until'] = NOW + 25 * HOUR)), 1, 'longer than any login lives: the clock had run ahead');
  assert.equal(await keep((kept) => (kept['until'] = NOW - 1)), 1);
  assert.equal(await keep((kept) => (kept['extra'] = 1)), 1, 'damaged');
});
test('subtitles_c: calls with an old token use one renewed token, and a refused renewal is final', async () => {
  let logins = 0;
  const good = new Set<string>();
  const answer = (line: string): Wire => {
    if (line.includes('/login')) {
      good.clear();
      good.add(`a-token-${++logins}`);
      return { body: { ...LOGIN, token: `a-token-${logins}` } };
    }
    return { status: 401, body: { message: 'invalid token', status: 401 } };
  };
  const { provider, asked } = house('subtitles_c', answer);
  await Promise.all([1, 2, 3].map(() => faultOf(provider.download(candidate, film, never))));
  // One login, one renewal that all share, without a third login.
  assert.equal(asked.filter(({ line }) => line.includes('/login')).length, 2);
  const refused = house('subtitles_c', (line, count) => (line.includes('/login') && count > 1 ? { body: { status: 401, message: 'Error, invalid username/password' } } : line.includes('/login') ? { body: LOGIN } : { status: 401, body: {} }));
  assert.equal((await faultOf(refused.provider.download(candidate, film, never))).kind, 'bad-credentials');
  const before = refused.asked.length;
  assert.equal((await faultOf(refused.provider.download(candidate, film, never))).kind, 'bad-credentials');
  assert.equal(refused.asked.length, before, 'a refusal with status 200 counts as one, and is not tried again');
});

test('subtitles_c: a token that was refused late is not renewed when another call has renewed it', async () => {
  let [logins, grants] = [0, 0];
  const late = Promise.withResolvers<void>();
  const { provider } = house('subtitles_c', async (line): Promise<Wire> => {
    if (line.includes('/login')) return { body: { ...LOGIN, token: `a-token-${++logins}` } };
    if (!line.startsWith('POST')) return { headers: { 'content-type': 'text/plain' }, body: '1\n00:00:01,000 --> 00:00:02,000\nHello.\n' };
    const mine = ++grants;
    if (mine > 2) late.resolve();
    if (mine === 2) await late.promise;
    return mine <= 2 ? { status: 401, body: { message: 'invalid token' } } : { body: { link: 'https://www.opensubtitles.com/download/A/subfile/x.srt', file_name: 'x.srt' } };
  });
  await Promise.all([provider.download(candidate, film, never), provider.download(candidate, film, never)]);
  assert.deepEqual([logins, grants], [2, 4]);
});

const A: Rows = [
  ['as it is', {}, { id: '/subtitle/1-2.zip', file: '/subtitle/1-2.zip', language: 'en', pack: false, forced: false, machineTranslated: false, ids: { imdb: 'tt0000001' }, title: 'Film', year: 2001, releases: ['Film.2001'], uploader: 'somebody' }],
  ['a key in its address', { url: '/subtitle/1-2.zip?api_key=SECRET#x' }, { file: '/subtitle/1-2.zip' }],
  ['an address elsewhere', { url: 'https://evil.example/subtitle/1-2.zip' }, 'left out'],
  ['an address that climbs', { url: '/subtitle/../../etc/passwd' }, 'left out'],
  ['an address that climbs in another writing', { url: '/subtitle/%2e%2e/x.zip' }, 'left out'],
  ['an address that is too long', { url: `/subtitle/${'a'.repeat(400)}.zip` }, 'left out'],
  ['no address', { url: null }, 'left out'],
  ['a language that nobody knows', { language: 'QQQ' }, 'left out'],
  ['forced by its comment', { comment: 'forced' }, { forced: true }],
  ['a machine by its comment', { comment: 'machine translated' }, { machineTranslated: true }],
  ['for the hard of hearing', { hi: 1 }, { hearingImpaired: true }],
  ['a frame rate', { framerate: '23.976' }, { fps: 23.976 }],
  ['a season that does not apply', { season: 0, episode: 0 }, { season: undefined, episode: undefined }],
  ['an episode', { season: 1, episode: 2 }, { season: 1, episode: 2, pack: false, showIds: { imdb: 'tt0000001' }, ids: undefined }, part],
  ['an episode by its name alone', { season: null, episode: null, release_name: 'Show.S01E02.WEB' }, { season: 1, episode: 2, pack: false }, part],
  ['a whole season', { season: 1, full_season: true, episode: 2 }, { season: 1, episode: undefined, pack: true }, part],
  ['part of a season', { season: 1, episode_from: 1, episode_end: 6 }, { season: 1, episode: 1, episodeEnd: 6, pack: true }, part],
  ['one episode, said twice', { season: 1, episode_from: 2, episode_end: 2 }, { season: 1, episode: 2, pack: false }, part],
  ['a member that can be had alone, unsigned', { season: 1, full_season: true, release_name: 'Show.S01.1080p.WEB-GRP', unpack_files: [{ url: '/subtitle/1/3?api_key=S', episode: 2, season: 1, name: 'Show.S01E02.srt' }, { url: '/subtitle/1/4', episode: 3, season: 1 }] }, { id: '/subtitle/1/3', pack: false, episode: 2, releases: ['Show.S01E02.srt', 'Show.S01.1080p.WEB-GRP'] }, part],
  ['a member that can be had alone, signed', { season: 1, full_season: true, release_name: 'Show.S01.1080p.WEB-GRP', unpack_files: [{ url: '/subtitle/1/3', episode: 2, season: 1, name: 'Show.S01E02.HDTV.x264-OTHER.srt' }] }, { releases: ['Show.S01E02.HDTV.x264-OTHER.srt'] }, part],
  ['no member is the one', { season: 1, full_season: true, unpack_files: [{ url: '/subtitle/1/4', episode: 3, season: 1 }] }, { id: '/subtitle/1-2.zip', pack: true }, part],
];
test('subtitles_a: every field of a row', async () => {
  for (const [what, row, wanted, ask = film] of A) {
    const { provider } = house('subtitles_a', () => ({ body: { status: true, results: [{ sd_id: 5, name: 'Film', imdb_id: 'tt0000001', year: 2001 }], subtitles: [{ release_name: 'Film.2001', language: 'EN', author: 'somebody', url: '/subtitle/1-2.zip', ...row }] } }));
    has(await provider.search(ask, never), wanted, what);
  }
});
test('subtitles_a: the queries of a search, in order', async () => {
  const nothing: Wire = { body: { status: false, error: 'not_found' } };
  const lines = async (ask: ProviderQuery, answer: (line: string) => Wire = () => nothing) => {
    const { provider, asked } = house('subtitles_a', answer);
    const found = await provider.search(ask, never);
    return [...asked.map(({ line }) => line.replace('GET /api/v2/subtitles/search?', '')), found.length];
  };
  const shared = 'languages=en&subs_per_page=30&type=movie&unpack=1';
  assert.deepEqual(await lines(film), [`imdb_id=tt0000001&${shared}`, `film_name=Film&${shared}&year=2001`, 0], 'by its title when the ids bring nothing');
  assert.deepEqual(await lines(film, () => ({ body: { status: false, error: "can't find movie or tv" } })), [`imdb_id=tt0000001&${shared}`, `film_name=Film&${shared}&year=2001`, 0]);
  const row = { release_name: 'x', language: 'EN', url: '/subtitle/1-2.zip' };
  const two = { body: { status: true, results: [{ sd_id: 5, name: 'Film', year: 2001 }, { sd_id: 6, name: 'Film', year: 1950 }], subtitles: [row] } };
  assert.deepEqual(await lines({ ...film, ids: {} }, (line) => (line.includes('sd_id') ? { body: { status: true, results: [{ sd_id: 5, name: 'Film', year: 2001 }], subtitles: [row] } } : two)), [`film_name=Film&${shared}&year=2001`, `languages=en&sd_id=5&${shared.slice('languages=en&'.length)}`, 1], 'of several films the one that is meant');
  assert.deepEqual((await lines({ ...film, ids: {}, title: 'Another' }, () => two)).at(-1), 0, 'none of them is meant');
});
const A_FAULTS: readonly [what: string, wire: Wire, kind: string, more?: { resetAt?: number; retryAfter?: number }][] = [
  ['401 in its words', { status: 200, body: { error: { code: 'unauthorized' } } }, 'bad-credentials'],
  ['403 of a key, in the older form', { status: 403, body: { status: false, statusCode: 403, error: 'not_authorized' } }, 'bad-credentials'],
  ['402 in its words alone', { status: 200, body: { error: 'paid_api_required' } }, 'payment-required'],
  ['402 without words', { status: 402, body: '' }, 'payment-required'],
  ['500 that is a used-up limit', { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Download limit exceeded' }, 'quota'],
  ['500 that is none', { status: 500, headers: { 'content-type': 'text/plain' }, body: 'oops' }, 'unavailable'],
  ['429 with nothing left until tomorrow', { status: 429, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((NOW + HOUR) / 1000) }, body: { error: { code: 'quota_exceeded' } } }, 'quota', { resetAt: NOW + HOUR }],
  ['429 with much left: its reset is that of the day', { status: 429, headers: { 'retry-after': '7', 'x-ratelimit-remaining': '900', 'x-ratelimit-reset': String((NOW + HOUR) / 1000) }, body: { error: { code: 'rate_limited' } } }, 'rate-limited', { retryAfter: 7 }],
  ['a reset in the past', { status: 429, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000000001' }, body: { error: { code: 'quota_exceeded' } } }, 'quota', {}],
  ['a reset in a hundred years', { status: 429, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4923000000' }, body: { error: { code: 'quota_exceeded' } } }, 'quota', {}],
  ['404 that is no answer of its own', { status: 404, headers: { 'content-type': 'text/html' }, body: '<html></html>' }, 'not-found'],
];
for (const [what, wire, kind, more = {}] of A_FAULTS) {
  test(`subtitles_a: ${what} is ${kind}`, async () => {
    const failed = await faultOf(house('subtitles_a', () => wire).provider.search(film, never));
    assert.deepEqual([failed.kind, failed.resetAt, failed.retryAfter], [kind, more.resetAt, more.retryAfter]);
  });
}
test('subtitles_a: headers about the next download are believed if they are plausible', async () => {
  const download = async (reset: string, later: (clock: House['clock']) => void = () => undefined) => {
    const { provider, asked, clock } = house('subtitles_a', () => ({ headers: { 'content-type': 'text/plain', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, body: '1\n00:00:01,000 --> 00:00:02,000\nHello.\n' }));
    const offer: Candidate = { ...candidate, provider: 'subtitles_a', file: '/subtitle/1/2' };
    await provider.download(offer, film, never);
    later(clock);
    const again = await provider.download(offer, film, never).then(() => 'taken', (error: unknown) => (error as ProviderFault).kind);
    return [again, asked.length];
  };
  const soon = String((NOW + HOUR) / 1000);
  assert.deepEqual(await download(soon), ['quota', 1]);
  assert.deepEqual(await download(soon, (clock) => (clock.at += HOUR)), ['taken', 2]);
  assert.deepEqual(await download('4923000000'), ['taken', 2], 'a hundred years');
  assert.deepEqual(await download(soon, (clock) => (clock.at -= HOUR)), ['quota', 1], 'a clock that was set back by an hour');
  assert.deepEqual(await download(soon, (clock) => (clock.at -= 400 * 24 * HOUR)), ['taken', 2], 'a clock that had run a year ahead');
});

const B: Rows = [
  ['as it is', {}, { id: '70', file: '70', language: 'en', pack: false, forced: false, machineTranslated: false, ids: { imdb: 'tt0000001', tmdb: 7 }, title: 'Film', year: 2001, releases: ['Film.2001'], uploader: 'somebody', downloads: 12 }],
  ['only foreign parts', { foreignParts: true }, { forced: true }],
  ['translated by a machine', { commentary: 'AI translated' }, { machineTranslated: true }],
  ['a frame rate', { framerate: '25' }, { fps: 25 }],
  ['for the hard of hearing', { hearingImpaired: true }, { hearingImpaired: true }],
  ['of another entry', { movieId: 99 }, 'left out'],
  ['no number', { subtitleId: 'x' }, 'left out'],
  ['a language that nobody knows', { language: 'klingon_warrior' }, 'left out'],
  ['our episode', { releaseInfo: ['Show.S01E02.WEB'] }, { season: 1, episode: 2, pack: false }, part],
  ['another episode', { releaseInfo: ['Show.S01E03.WEB'] }, 'left out', part],
  ['a season', { releaseInfo: ['Show.S01.WEB'], files: 10 }, { season: 1, pack: true, episode: undefined }, part],
  ['an archive that lists only some of its episodes', { releaseInfo: ['Show.S01E03.WEB'], files: 10 }, { season: 1, pack: true }, part],
  ['our number alone', { releaseInfo: ['Show - 02 [720p]'] }, { pack: false }, part],
  ['another number alone', { releaseInfo: ['Show - 03 [720p]'] }, 'left out', part],
];
test('subtitles_b: every field of a row', async () => {
  for (const [what, row, wanted, ask = film] of B) {
    const { provider } = house('subtitles_b', (line) => ({
      body: line.includes('/movies/search')
        ? { success: true, data: [{ movieId: 4, title: ask.title, type: ask.kind === 'movie' ? 'movie' : 'tvseries', releaseYear: 2001, imdbId: (ask.ids ?? ask.showIds)?.imdb, tmdbId: '7', season: ask.season ?? null }] }
        : { success: true, data: [{ subtitleId: 70, movieId: 4, language: 'english', releaseInfo: ['Film.2001'], commentary: '', files: 1, contributors: [{ displayname: 'somebody' }], downloads: 12, ...row }], pagination: { pages: 1 } },
    }));
    has(await provider.search(ask, never), wanted, what);
  }
});
test('subtitles_b: the entry of a film or season', async () => {
  const entry = (more: object) => ({ movieId: 4, title: 'Show', type: 'tvseries', releaseYear: 2010, imdbId: 'tt0000002', tmdbId: null, season: 1, ...more });
  const listed = async (ask: ProviderQuery, byId: readonly object[], byTitle: readonly object[] = []) => {
    const { provider, asked } = house('subtitles_b', (line) => (line.includes('searchType=imdb') ? { body: { success: true, data: byId } } : line.includes('/movies/search') ? (byTitle.length === 0 ? { status: 404, body: { success: false } } : { body: { success: true, data: byTitle } }) : { status: 404, body: { success: false } }));
    assert.deepEqual(await provider.search(ask, never), []);
    return asked.flatMap(({ url }) => url.searchParams.get('movieId') ?? []);
  };
  assert.deepEqual(await listed(part, [entry({ movieId: 5, season: 2 }), entry({ movieId: 6 })]), ['6'], 'the entry of our season');
  assert.deepEqual(await listed(part, [entry({ type: 'movie' })]), [], 'a film is no show');
  assert.deepEqual(await listed(part, [entry({ imdbId: 'tt0000009' })]), [], 'another id');
  assert.deepEqual(await listed(film, [], [entry({ movieId: 7, type: 'movie', title: 'Film', releaseYear: 2001, season: null, imdbId: null }), entry({ movieId: 8, type: 'movie', title: 'Film', releaseYear: 2001, season: null, imdbId: null })]), [], 'several of one name');
  assert.deepEqual(await listed({ ...film, ids: { tmdb: 7 } }, [], [entry({ movieId: 7, type: 'movie', title: 'Film', releaseYear: 2001, tmdbId: '6' }), entry({ movieId: 8, type: 'movie', title: 'Film', releaseYear: 2001, tmdbId: '7' })]), ['8'], 'of several the one with the id');
  assert.deepEqual(await listed(film, [], [entry({ movieId: 7, type: 'movie', title: 'Film', releaseYear: 1950 })]), [], 'another year');
});
test('subtitles_b: its limits in both forms of time, and a clock that was set', async () => {
  const wire = (reset: string): Wire => ({ status: 429, headers: { 'content-type': 'application/json', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, body: { success: false } });
  for (const reset of ['600', String((NOW + 600_000) / 1000)]) assert.equal((await faultOf(house('subtitles_b', () => wire(reset)).provider.search(film, never))).resetAt, NOW + 600_000, reset);
  assert.equal((await faultOf(house('subtitles_b', () => wire('4923000000')).provider.search(film, never))).resetAt, undefined, 'a hundred years');
  const one = house('subtitles_b', () => wire('600'));
  await faultOf(one.provider.search(film, never));
  one.clock.at -= 400 * 24 * HOUR;
  await faultOf(one.provider.search(film, never));
  assert.equal(one.asked.length, 2, 'it had run a year ahead');
});
test('subtitles_b: its limits of an hour and of a day are kept to', async () => {
  const { provider, asked, clock } = house('subtitles_b', (line) => ({ body: line.includes('/movies/search') ? { success: true, data: [] } : {} }));
  const times: number[] = [];
  const keepAsking = async (ms: number, step: number): Promise<void> => {
    for (const until = clock.at + ms; clock.at < until; clock.at += step) {
      const before = asked.length;
      await provider.search({ ...film, ids: {} }, never).catch(() => undefined);
      if (asked.length > before) times.push(clock.at);
    }
  };
  await keepAsking(1.2 * HOUR, 1_000);
  await keepAsking(26 * HOUR, 8_000);
  const isKept = (calls: number, within: number) => times.every((at, n) => (times[n + calls] ?? Number.POSITIVE_INFINITY) - at >= within);
  assert.deepEqual([isKept(60, 60_000), isKept(1_800, HOUR), isKept(7_200, 24 * HOUR)], [true, true, true]);
  assert.ok(times.length > 7_200, 'and it goes on afterwards');
});
