/** Stands in for SubDL: version 2 of its API, and the host that has the files. */
import { filmKey, foldTitle, type Offer, subtitleBytes } from './fixtures.ts';
import { type Reply, type SetFault, stepOfFileFault } from './faults.ts';
import type { RecordedRequest, Protocol } from './server.ts';
import { makeZip } from './zip.ts';

export const KEY_A = 'stand-in-key-a-0123456789abcdef';

export interface NeedsA {
  offers: readonly Offer[];
  now(): number;
  downloads?: number;
}

const SEARCHES = 2_000;
const LANGUAGES = new Map([
  ['pt-br', 'BR_PT'],
  ['zh-cn', 'ZH'],
  ['zh-tw', 'ZH_BG'],
]);
const codeOf = (tag: string): string => LANGUAGES.get(tag) ?? tag.toUpperCase();
const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

const stepOf: Protocol['stepOf'] = (_method, path) =>
  path.startsWith('/subtitle/')
    ? 'file'
    : path === '/api/v2/me'
      ? 'account'
      : path.endsWith('/search')
        ? 'search'
        : 'other';

export function fakeProviderA({ offers: all, now, downloads = 50 }: NeedsA): Protocol {
  const offers = all.filter(({ subtitle }) => subtitle.providers.includes('subtitles_a'));
  const films = [...new Set(offers.map(({ item }) => filmKey(item)))];
  const idOf = (offer: Offer): number => 200_001 + films.indexOf(filmKey(offer.item));
  const used = { search: 0, downloads: 0 };
  const resetAt = (): number => (Math.floor(now() / 86_400_000) + 1) * 86_400_000;
  const limitOf = (asked: RecordedRequest) =>
    asked.step === 'file' ? { limit: downloads, used: used.downloads } : { limit: SEARCHES, used: used.search };

  const search = (asked: RecordedRequest): Reply => {
    const { query } = asked;
    const by = ['sd_id', 'imdb_id', 'tmdb_id', 'film_name', 'file_name'].filter((name) => query.has(name));
    if (by.length !== 1)
      return error(400, 'invalid_request', 'exactly one of sd_id, imdb_id, tmdb_id, film_name, file_name');
    if (by[0] === 'tmdb_id' && !query.has('type'))
      return error(400, 'invalid_request', 'type is required with tmdb_id');
    if (Number(query.get('subs_per_page') ?? 10) > 30)
      return error(400, 'invalid_request', 'subs_per_page is at most 30');
    used.search++;
    const type = query.get('type');
    const found = offers.filter(
      (offer) =>
        isMeant(offer, by[0] ?? '', query.get(by[0] ?? '') ?? '', idOf) &&
        (type === null || (type === 'movie') === (offer.item.kind === 'movie')) &&
        (offer.item.kind === 'episode' || !query.has('year') || query.get('year') === String(offer.item.year)),
    );
    if (found.length === 0) return ok({ status: false, error: 'not_found' });
    const results = [...new Map(found.map((offer) => [idOf(offer), offer])).values()];
    const languages = query.get('languages')?.split(',');
    // A title with several films brings the subtitles of the first.
    const first = results[0];
    const rows = found
      .filter((offer) => first !== undefined && idOf(offer) === idOf(first))
      .filter(({ item, subtitle }) =>
        !languages || languages.includes(codeOf(subtitle.language).toLowerCase()) ? isPlace(item, query) : false,
      )
      .slice(0, Number(query.get('subs_per_page') ?? 10));
    return ok({
      status: true,
      results: results.map((offer) => film(offer, idOf(offer))),
      subtitles: rows.map((offer) => row(offer, all, idOf(offer), query.get('unpack') === '1')),
    });
  };

  const file = (asked: RecordedRequest): Reply => {
    if (asked.query.get('api_key') !== KEY_A) return error(401, 'unauthorized', 'missing or invalid api key');
    const number = Number(/-(\d+)(?:\.zip)?$|\/(\d+)$/.exec(asked.path)?.slice(1).find(Boolean) ?? 0);
    const offer = offers.find((one) => one.number === number);
    if (!offer) return error(404, 'not_found', 'no such file');
    if (used.downloads >= downloads) return quota(now, resetAt());
    used.downloads++;
    if (!asked.path.endsWith('.zip'))
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: subtitleBytes(offer) };
    const members = offer.subtitle.packaging === 'pack' ? siblings(offer, offers) : [offer];
    const names = new Set<string>();
    const body = makeZip(
      members
        .filter(({ fileName }) => !names.has(fileName) && names.add(fileName))
        .map((one) => ({ name: one.fileName, data: subtitleBytes(one) })),
    );
    return { status: 200, headers: { 'content-type': 'application/zip' }, body };
  };

  return {
    name: 'subtitles_a',
    apiPath: '/api/v2',
    stepOf,
    leaksOf: (asked) => {
      const hasHeader = asked.headers['authorization'] !== undefined || asked.headers['x-api-key'] !== undefined;
      if (asked.step === 'file') return hasHeader ? ['the key in a header that this host does not know'] : [];
      return asked.url.href.includes(KEY_A) || asked.query.has('api_key')
        ? ['the key in an address where a header exists']
        : [];
    },
    headers: (asked) => {
      const { limit, used: so } = limitOf(asked);
      return {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - so)),
        'x-ratelimit-reset': String(Math.floor(resetAt() / 1000)),
      };
    },
    defaultStep: stepOfFileFault,
    answer: (asked) => {
      if (asked.step === 'file') return file(asked);
      if (asked.headers['authorization'] !== `Bearer ${KEY_A}` && asked.headers['x-api-key'] !== KEY_A)
        return error(401, 'unauthorized', 'missing or invalid api key');
      if (asked.method !== 'GET') return error(400, 'invalid_request', 'only GET');
      if (asked.path === '/api/v2/subtitles/search') return search(asked);
      if (asked.path === '/api/v2/me') return account({ used, downloads, resetAt: new Date(resetAt()).toISOString() });
      return error(404, 'not_found', 'no such route');
    },
    inOwnWords: (fault) => inOwnWords(fault, now),
    reset: () => void Object.assign(used, { search: 0, downloads: 0 }),
  };
}

function isMeant({ item, ...offer }: Offer, by: string, value: string, idOf: (offer: Offer) => number): boolean {
  const isMovie = item.kind === 'movie';
  if (by === 'sd_id') return String(idOf({ item, ...offer })) === value;
  if (by === 'imdb_id') return value !== '' && (isMovie ? item.imdb : item.showImdb) === value;
  if (by === 'tmdb_id') return String((isMovie ? item.tmdb : item.showTmdb) ?? '-') === value;
  return foldTitle(item.title) === foldTitle(value);
}

function isPlace(item: Offer['item'], query: URLSearchParams): boolean {
  if (item.kind === 'movie') return true;
  const is = (name: string, value: number | undefined) => !query.has(name) || query.get(name) === String(value);
  return is('season', item.season) && is('episode', item.episode);
}

const film = ({ item }: Offer, id: number) => ({
  sd_id: id,
  type: item.kind === 'movie' ? 'movie' : 'tv',
  name: item.title,
  imdb_id: (item.kind === 'movie' ? item.imdb : item.showImdb) ?? null,
  tmdb_id: (item.kind === 'movie' ? item.tmdb : item.showTmdb) ?? null,
  year: item.year ?? null,
  slug: foldTitle(item.title).replaceAll(' ', '-'),
});

const siblings = (offer: Offer, all: readonly Offer[]): Offer[] =>
  all.filter(
    ({ item, subtitle }) =>
      filmKey(item) === filmKey(offer.item) &&
      item.season === offer.item.season &&
      subtitle.language === offer.subtitle.language,
  );

function row(offer: Offer, all: readonly Offer[], film: number, isUnpacked: boolean) {
  const { item, subtitle, number } = offer;
  const isPack = subtitle.packaging === 'pack';
  const unpacked = isPack ? siblings(offer, all) : [offer];
  return {
    release_name: subtitle.releases[0] ?? item.title,
    releases: subtitle.releases,
    name: `SUBDL::x-${number}.zip`,
    lang: (NAMES.of(subtitle.language) ?? subtitle.language).toLowerCase(),
    language: codeOf(subtitle.language),
    author: subtitle.uploader,
    url: `/subtitle/${film}-${number}.zip?api_key=${KEY_A}`,
    subtitlePage: `/s/info/x/${number}`,
    season: item.season ?? 0,
    episode: isPack ? null : (item.episode ?? null),
    framerate: subtitle.fps || null,
    fps: subtitle.fps || null,
    hi: subtitle.hearingImpaired,
    episode_from: isPack ? null : (item.episode ?? null),
    episode_end: isPack ? null : (item.episode ?? 0),
    full_season: isPack,
    comment: [subtitle.machineTranslated ? 'machine translated' : '', subtitle.forced ? 'forced' : ''].join(' ').trim(),
    unpack_files: isUnpacked
      ? unpacked.map((one) => ({
          file_n_id: String(one.number),
          name: one.fileName,
          release_name: one.subtitle.releases[0] ?? '',
          season: one.item.season ?? 0,
          episode: one.item.episode ?? 0,
          language: codeOf(one.subtitle.language),
          hi: one.subtitle.hearingImpaired,
          format: 'srt',
          size: 1000,
          md5: '',
          url: `/subtitle/${film}/${one.number}?api_key=${KEY_A}`,
        }))
      : [],
  };
}

function account({
  used,
  downloads,
  resetAt,
}: {
  used: { search: number; downloads: number };
  downloads: number;
  resetAt: string;
}): Reply {
  const of = (limit: number, count: number) => ({
    used: count,
    limit,
    remaining: Math.max(0, limit - count),
    period: 'day',
    reset_at: resetAt,
  });
  return ok({
    user: { id: 1, name: 'Stand In', username: 'standin' },
    plan: { is_pro: false, name: 'Free' },
    usage: { search: of(SEARCHES, used.search), downloads: of(downloads, used.downloads), ai: of(0, 0) },
  });
}

const ok = (body: object): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const error = (status: number, code: string, message: string): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { code, message, docs_url: 'https://example.org/docs' } }),
});
const quota = (now: () => number, resetAt: number): Reply => ({
  ...error(429, 'quota_exceeded', 'daily quota exceeded'),
  headers: {
    'content-type': 'application/json',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(Math.max(resetAt, now()) / 1000)),
  },
});

function inOwnWords(fault: SetFault, now: () => number): Reply | undefined {
  const resetAt = now() + fault.resetIn * 1000;
  switch (fault.fault) {
    case 'rate-limited':
      return {
        ...error(429, 'rate_limited', 'slow down'),
        headers: { 'retry-after': String(fault.retryAfter), 'content-type': 'application/json' },
      };
    case 'rate-limited-date':
      return {
        ...error(429, 'rate_limited', 'slow down'),
        headers: {
          'retry-after': new Date(now() + fault.retryAfter * 1000).toUTCString(),
          'content-type': 'application/json',
        },
      };
    case 'quota':
      return quota(now, resetAt);
    case 'quota-200':
      return { ...quota(now, resetAt), status: 200 };
    case 'quota-500':
      return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Download limit exceeded' };
    case 'payment':
      return {
        status: 402,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ error: 'paid_api_required', message: 'this needs a paid plan' }),
      };
    case 'unauthorized':
      return error(401, 'unauthorized', 'missing or invalid api key');
    case 'forbidden':
      return {
        status: 403,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status: false, statusCode: 403, error: 'not_authorized', message: 'key' }),
      };
    case 'forbidden-page':
      return {
        status: 403,
        headers: { 'content-type': 'text/html' },
        body: '<!DOCTYPE html><html><body>Attention required</body></html>',
      };
    case 'expired-link':
      return { status: 410, body: 'gone' };
    case 'invalid-file':
      return error(404, 'not_found', 'no such file');
    case 'error-200':
      return ok({ status: false, statusCode: 500, error: 'server_error', message: 'something broke' });
    case 'bad-request':
      return error(400, 'invalid_request', 'not understood');
    case 'redirect-loop':
      return { status: 302, headers: { location: '?again' } };
    default:
      return undefined;
  }
}
