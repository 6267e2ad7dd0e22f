/**
 * Stands in for SubSource: version 1 of its API. One entry a film and a season, lists by language, every file in a ZIP.
 */
import { filmKey, foldTitle, type Offer, subtitleBytes } from './fixtures.ts';
import { type Reply, type SetFault, stepOfFileFault } from './faults.ts';
import type { RecordedRequest, Protocol } from './server.ts';
import { makeZip } from './zip.ts';

export const KEY_B = 'stand-in-key-b-0123456789abcdef';

export interface NeedsB {
  offers: readonly Offer[];
  now(): number;
  /** Calls a minute. */
  calls?: number;
}

const API = '/api/v1';
const MINUTE = 60_000;
/** As the site spells them; any other is its plain English name. */
const NAMES = new Map([
  ['pt-br', 'brazillian_portuguese'],
  ['pt-pt', 'portuguese'],
  ['pt', 'portuguese'],
  ['fa', 'farsi_persian'],
  ['zh-cn', 'chinese_bg_code'],
  ['zh-tw', 'big_5_code'],
  ['es-419', 'spanish_latin_america'],
  ['eo', 'espranto'],
  ['se', 'northen_sami'],
]);
const ENGLISH = new Intl.DisplayNames(['en'], { type: 'language' });
const nameOf = (tag: string): string =>
  NAMES.get(tag) ?? (ENGLISH.of(tag) ?? tag).toLowerCase().replaceAll(/[^a-z]+/g, '_');

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  [`${API}/movies/search`]: ['searchType', 'imdb', 'q', 'type', 'year', 'season', 'limit'],
  [`${API}/subtitles`]: [
    'movieId',
    'language',
    'seasonNumber',
    'episodeNumber',
    'hearingImpaired',
    'sort',
    'limit',
    'page',
  ],
};

const isOfLanguageAndKind = ({ subtitle: one }: Offer, query: URLSearchParams): boolean =>
  (!query.has('language') || nameOf(one.language) === query.get('language')) &&
  (query.get('hearingImpaired') !== 'true' || one.hearingImpaired);

const stepOf: Protocol['stepOf'] = (_method, path) =>
  path === `${API}/movies/search`
    ? 'search'
    : path === `${API}/subtitles`
      ? 'list'
      : /^\/api\/v1\/subtitles\/\d+\/download$/.test(path)
        ? 'file'
        : 'other';

export function fakeProviderB({ offers: all, now, calls = 60 }: NeedsB): Protocol {
  const offers = all.filter(({ subtitle }) => subtitle.providers.includes('subtitles_b'));
  const keyOf = ({ item }: Offer): string => `${filmKey(item)} ${item.kind === 'movie' ? '' : (item.season ?? 0)}`;
  const entries = [...new Set(offers.map(keyOf))];
  const idOf = (offer: Offer): number => 40_001 + entries.indexOf(keyOf(offer));
  let taken: number[] = [];
  const left = (): number => {
    taken = taken.filter((at) => at > now() - MINUTE);
    return Math.max(0, calls - taken.length);
  };
  const resetAt = (): number => Math.ceil(((taken[0] ?? now()) + MINUTE) / 1000);

  const films = ({ query }: RecordedRequest): Reply => {
    const by = query.get('searchType');
    const [imdb, q] = [query.get('imdb'), query.get('q')];
    if (
      (by === 'imdb' && !/^tt\d{7,10}$/.test(imdb ?? '')) ||
      (by === 'text' && (q ?? '') === '') ||
      (by !== 'imdb' && by !== 'text')
    )
      return error(400, 'Bad Request', 'searchType needs its value');
    if (PROBED.has(foldTitle(q ?? '')))
      return ok({
        data: [
          row(1, { kind: 'movie', title: 'Metropolis', year: 1927, imdb: 'tt0017136', duration: 1, subtitles: [] }, 99),
        ],
      });
    const isSeason = (offer: Offer) =>
      !query.has('season') || offer.item.season === undefined || String(offer.item.season) === query.get('season');
    const isKind = ({ item }: Offer) =>
      !query.has('type') || (query.get('type') === 'movie') === (item.kind === 'movie');
    const isYear = ({ item }: Offer) => !query.has('year') || String(item.year ?? '') === query.get('year');
    const found = offers.filter(
      (offer) =>
        (by === 'imdb' ? imdbOf(offer) === imdb : foldTitle(offer.item.title).includes(foldTitle(q ?? ''))) &&
        isSeason(offer) &&
        isKind(offer) &&
        isYear(offer),
    );
    if (found.length === 0) return error(404, 'Not Found', 'no movies found');
    const unique = [...new Map(found.map((offer) => [idOf(offer), offer])).values()];
    return ok({
      data: unique
        .slice(0, Number(query.get('limit') ?? 10))
        .map((offer) => row(idOf(offer), offer.item, offers.filter((one) => idOf(one) === idOf(offer)).length)),
    });
  };

  const list = ({ query }: RecordedRequest): Reply => {
    const limit = Number(query.get('limit') ?? 20);
    const page = Number(query.get('page') ?? 1);
    if (!query.has('movieId') || !(limit >= 1 && limit <= 100) || !(page >= 1))
      return error(400, 'Bad Request', 'movieId is required, and limit is at most 100');
    const found = offers.filter(
      (offer) => String(idOf(offer)) === query.get('movieId') && isOfLanguageAndKind(offer, query),
    );
    if (found.length === 0) return error(404, 'Not Found', 'no subtitles found');
    return ok({
      data: found
        .slice((page - 1) * limit, page * limit)
        .map((offer) => subtitle(offer, idOf(offer), siblings(offer, offers).length)),
      pagination: { page, limit, total: found.length, pages: Math.ceil(found.length / limit) },
    });
  };

  const file = (asked: RecordedRequest): Reply => {
    const offer = byNumber(asked);
    if (!offer) return error(404, 'Not Found', 'no such subtitle');
    const members = offer.subtitle.packaging === 'pack' ? siblings(offer, offers) : [offer];
    const names = new Set<string>();
    const body = makeZip(
      members
        .filter(({ fileName }) => !names.has(fileName) && names.add(fileName))
        .map((one) => ({ name: one.fileName, data: subtitleBytes(one) })),
    );
    return {
      status: 200,
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${offer.number}.zip"`,
      },
      body,
    };
  };
  const byNumber = (asked: RecordedRequest): Offer | undefined =>
    offers.find(({ number }) => String(number + 70_000) === asked.path.split('/')[4]);

  return {
    name: 'subtitles_b',
    apiPath: API,
    stepOf,
    leaksOf: (asked) => {
      const unknown = [...asked.query.keys()].filter(
        (name) => KNOWN[asked.path] !== undefined && !KNOWN[asked.path]?.includes(name) && name !== 'api_key',
      );
      return [
        ...(asked.url.href.includes(KEY_B) || asked.query.has('api_key')
          ? ['the key in an address where a header exists']
          : []),
        ...(asked.headers['authorization'] === undefined ? [] : ['a credential that this provider does not know']),
        ...(unknown.length > 0 ? [`a parameter that it does not know: ${unknown.join(', ')}`] : []),
      ];
    },
    headers: () => ({
      'x-ratelimit-limit': String(calls),
      'x-ratelimit-remaining': String(left()),
      'x-ratelimit-reset': String(resetAt()),
    }),
    defaultStep: stepOfFileFault,
    answer: (asked) => {
      if (asked.headers['x-api-key'] !== KEY_B) return error(401, 'Unauthorized', 'invalid API key');
      if (left() === 0)
        return {
          ...error(429, 'Too Many Requests', 'rate limit exceeded'),
          headers: { ...json, 'retry-after': String(Math.max(1, resetAt() - Math.floor(now() / 1000))) },
        };
      taken.push(now());
      if (asked.method !== 'GET') return error(405, 'Method Not Allowed', 'only GET');
      if (asked.step === 'search') return films(asked);
      if (asked.step === 'list') return list(asked);
      if (asked.step === 'file') return file(asked);
      const offer = /^\/api\/v1\/(?:movies|subtitles)\/\d+$/.test(asked.path)
        ? offers.find(
            (one) =>
              String(asked.path.includes('/movies/') ? idOf(one) : one.number + 70_000) === asked.path.split('/')[4],
          )
        : undefined;
      if (!offer) return error(404, 'Not Found', 'no such route');
      return ok({
        data: asked.path.includes('/movies/')
          ? row(idOf(offer), offer.item, 1)
          : subtitle(offer, idOf(offer), siblings(offer, offers).length),
      });
    },
    inOwnWords: (fault) => inOwnWords(fault, now),
    reset: () => void (taken = []),
  };
}

/** Offers that every real server has, so that a fixed title finds something here too. */
const PROBED = new Set(['metropolis']);
const imdbOf = ({ item }: Offer): string | undefined => (item.kind === 'movie' ? item.imdb : item.showImdb);

const siblings = (offer: Offer, all: readonly Offer[]): Offer[] =>
  offer.subtitle.packaging === 'pack'
    ? all.filter(
        ({ item, subtitle: one }) =>
          filmKey(item) === filmKey(offer.item) &&
          item.season === offer.item.season &&
          one.language === offer.subtitle.language,
      )
    : [offer];

function row(movieId: number, item: Offer['item'], subtitleCount: number) {
  const tmdb = item.kind === 'movie' ? item.tmdb : item.showTmdb;
  return {
    movieId,
    subsourceLink: `https://subsource.net/subtitles/${foldTitle(item.title).replaceAll(' ', '-')}`,
    title: item.title,
    alternateTitle: null,
    type: item.kind === 'movie' ? 'movie' : 'tvseries',
    releaseYear: item.year ?? null,
    imdbId: (item.kind === 'movie' ? item.imdb : item.showImdb) ?? null,
    tmdbId: tmdb === undefined ? null : String(tmdb),
    season: item.kind === 'movie' ? null : (item.season ?? null),
    subtitleCount,
    posters: {},
  };
}

function subtitle({ item, subtitle: one, number }: Offer, movieId: number, files: number) {
  return {
    subtitleId: number + 70_000,
    movieId,
    language: nameOf(one.language),
    // A pack is for the season, and is named so.
    releaseInfo:
      one.packaging === 'pack' ? one.releases.map((name) => name.replace(/(S\d\d)E\d\d/i, '$1')) : one.releases,
    commentary: one.machineTranslated ? 'machine translated' : '',
    files,
    size: 30_000,
    hearingImpaired: one.hearingImpaired,
    foreignParts: one.forced,
    framerate: one.fps === 0 ? null : String(one.fps),
    productionType: null,
    releaseType: 'web',
    downloads: 1000 - number,
    comments: 0,
    rating: { good: 1, bad: 0, total: 1 },
    preview: '',
    uploaderId: 5,
    contributors: [{ id: 5, displayname: one.uploader }],
    link:
      `https://subsource.net/subtitle/${foldTitle(item.title).replaceAll(' ', '-')}/${nameOf(one.language)}` +
      `/${number}`,
    createdAt: '2024-05-06T07:08:09.000Z',
  };
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const ok = (body: object): Reply => ({ status: 200, headers: json, body: JSON.stringify({ success: true, ...body }) });
const error = (status: number, name: string, message: string): Reply => ({
  status,
  headers: json,
  body: JSON.stringify({ success: false, error: name, message }),
});

function inOwnWords(fault: SetFault, now: () => number): Reply | undefined {
  const limited = error(429, 'Too Many Requests', 'rate limit exceeded');
  switch (fault.fault) {
    case 'rate-limited':
      return { ...limited, headers: { ...json, 'retry-after': String(fault.retryAfter) } };
    case 'rate-limited-date':
      return {
        ...limited,
        headers: { ...json, 'retry-after': new Date(now() + fault.retryAfter * 1000).toUTCString() },
      };
    case 'quota':
      return {
        ...limited,
        headers: {
          ...json,
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Math.ceil((now() + fault.resetIn * 1000) / 1000)),
        },
      };
    case 'payment':
      return error(402, 'Payment Required', 'this needs a paid plan');
    case 'unauthorized':
      return error(401, 'Unauthorized', 'invalid API key');
    case 'forbidden':
      return error(403, 'Forbidden', 'this API key is not allowed');
    case 'forbidden-page':
      return {
        status: 403,
        headers: { 'content-type': 'text/html' },
        body: '<!DOCTYPE html><html><body>Attention required</body></html>',
      };
    case 'not-acceptable':
      return error(406, 'Not Acceptable', 'not in that form');
    case 'expired-link':
      return { status: 410, body: 'gone' };
    case 'invalid-file':
      return error(404, 'Not Found', 'no such subtitle');
    case 'error-200':
      return {
        status: 200,
        headers: json,
        body: JSON.stringify({ success: false, error: 'Internal', message: 'something broke' }),
      };
    case 'bad-request':
      return error(400, 'Bad Request', 'not understood');
    case 'redirect-loop':
      return { status: 302, headers: { location: '?again' } };
    default:
      return undefined;
  }
}
