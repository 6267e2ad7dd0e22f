/**
 * Stands in for TMDB: version 3 of its API, and its pictures under `/t/p`.
 *
 * It counts requests as they arrive: more than 20 in a second are a leak, as is a credential on a picture, a key next
 * to a token, or a request for a page without a language.
 */
import {
  EXAMPLE_FILMS,
  EXAMPLE_PEOPLE,
  EXAMPLE_SHOWS,
  type MetadataFixtures,
  type MetadataPage,
  PICTURE,
} from './metadata-fixtures.ts';
import type { Reply } from './faults.ts';
import type { Protocol, RecordedRequest } from './server.ts';

export const METADATA_TOKEN = 'stand-in.read-token.0123456789';
export const METADATA_KEY = '0123456789abcdef0123456789abcdef';
const MOST_PER_SECOND = 20;
const MOST_PARTS = 20;
const HITS_PER_PAGE = 20;
const CONFIGURATION = {
  images: {
    poster_sizes: ['w92', 'w154', 'w185', 'w342', 'w500', 'w780', 'original'],
    backdrop_sizes: ['w300', 'w780', 'w1280', 'original'],
    still_sizes: ['w92', 'w185', 'w300', 'original'],
    logo_sizes: ['w45', 'w92', 'w154', 'w185', 'w300', 'w500', 'original'],
    profile_sizes: ['w45', 'w185', 'h632', 'original'],
  },
};

const json = (status: number, body: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json;charset=utf-8' },
  body: JSON.stringify(body),
});
const error = (status: number, code: number, message: string): Reply =>
  json(status, { success: false, status_code: code, status_message: message });
const NOT_FOUND = error(404, 34, 'The resource you requested could not be found.');

/** Biographies are in English only, as most of the service's are. */
function personPage(id: number, language: string): Reply {
  const person = EXAMPLE_PEOPLE.find((one) => one['id'] === id);
  return person ? json(200, { ...person, ...(!language.startsWith('en') && { biography: '' }) }) : NOT_FOUND;
}

/** Works that changed. */
function setPage({ films, sets = [] }: MetadataFixtures, id: number): Reply {
  const named = films.map((film) => film['belongs_to_collection'] as MetadataPage | null | undefined);
  const found = [...sets, ...named].find((one) => one?.['id'] === id);
  return found ? json(200, { overview: '', poster_path: null, parts: [], ...found }) : NOT_FOUND;
}

function changesPage({ changed }: MetadataFixtures, path: string): Reply {
  const ids = changed?.[path.startsWith('/3/movie/') ? 'movie' : 'tv'] ?? [];
  const results = ids.map((id) => ({ id, adult: false }));
  return json(200, { results, page: 1, total_pages: 1, total_results: ids.length });
}

/** One order of episodes, or the list of those of a show. */
function ordersPage({
  shows,
  order,
  show,
}: {
  shows: MetadataFixtures['shows'];
  order: string | undefined;
  show: string | undefined;
}): Reply {
  const ordersOf = (one: MetadataPage) => (one['orders'] ?? []) as { id: string; groups: { episodes: unknown[] }[] }[];
  if (order !== undefined) {
    const page = shows.flatMap(ordersOf).find(({ id }) => id === order);
    return page ? json(200, page) : NOT_FOUND;
  }
  const work = shows.find((one) => String(one['id']) === show);
  if (!work) return NOT_FOUND;
  const results = ordersOf(work).map(({ groups, ...one }) => ({
    ...one,
    group_count: groups.length,
    episode_count: groups.reduce((sum, { episodes }) => sum + episodes.length, 0),
  }));
  return json(200, { id: work['id'], results });
}

const stepOf: Protocol['stepOf'] = (_method, path) =>
  path.startsWith('/t/p/')
    ? 'file'
    : path.startsWith('/3/search/')
      ? 'search'
      : ['/3/authentication', '/3/configuration'].includes(path) || path.endsWith('/changes')
        ? 'account'
        : 'other';

const isAllowed = ({ headers, query }: RecordedRequest): boolean =>
  headers['authorization'] === `Bearer ${METADATA_TOKEN}` || query.get('api_key') === METADATA_KEY;

/** Returns a page of a search, as the service does for a title, which may be another one of the work, and a year. */
function searchPage({ films, shows }: MetadataFixtures, asked: RecordedRequest): Reply {
  const isFilm = asked.path === '/3/search/movie';
  const fold = (text: string): string => text.toLowerCase();
  const query = fold(asked.query.get('query') ?? '');
  if (query === '') return error(422, 20, 'query must be provided');
  const year = asked.query.get(isFilm ? 'primary_release_year' : 'first_air_date_year') ?? '';
  const titlesOf = (one: MetadataPage): string[] => {
    const { titles = [], results = titles } = (one['alternative_titles'] ?? {}) as Record<string, { title: string }[]>;
    const names = isFilm ? [one['title'], one['original_title']] : [one['name'], one['original_name']];
    return [...names.filter((name) => name !== undefined).map(String), ...results.map(({ title }) => title)];
  };
  const found = (isFilm ? films : shows).filter(
    (one) =>
      titlesOf(one).some((title) => fold(title).includes(query)) &&
      String(one[isFilm ? 'release_date' : 'first_air_date']).startsWith(year),
  );
  const page = Number(asked.query.get('page') ?? 1);
  return json(200, {
    page,
    results: found.slice((page - 1) * HITS_PER_PAGE, page * HITS_PER_PAGE),
    total_pages: Math.ceil(found.length / HITS_PER_PAGE),
    total_results: found.length,
  });
}

export function fakeMetadata(
  monotonic: () => number,
  fixtures: MetadataFixtures = { films: EXAMPLE_FILMS, shows: EXAMPLE_SHOWS },
): Protocol {
  const { films, shows } = fixtures;
  let arrivals: number[] = [];

  const page = (asked: RecordedRequest): Reply => {
    const [, person] = /^\/3\/person\/(\d+)$/.exec(asked.path) ?? [];
    if (person !== undefined) return personPage(Number(person), asked.query.get('language') ?? '');
    const [, set] = /^\/3\/collection\/(\d+)$/.exec(asked.path) ?? [];
    if (set !== undefined) return setPage(fixtures, Number(set));
    const [, order] = /^\/3\/tv\/episode_group\/([0-9a-f]+)$/.exec(asked.path) ?? [];
    const [, orderedShow] = /^\/3\/tv\/(\d+)\/episode_groups$/.exec(asked.path) ?? [];
    if (order !== undefined || orderedShow !== undefined) return ordersPage({ shows, order, show: orderedShow });
    const [, kind, id, part] = /^\/3\/(movie|tv)\/(\d+)(\/images)?$/.exec(asked.path) ?? [];
    const work = (kind === 'movie' ? films : shows).find((one) => String(one['id']) === id);
    if (!work) return NOT_FOUND;
    if (part !== undefined) return json(200, { id: work['id'], ...(work['images'] as object | undefined) });
    const parts = (asked.query.get('append_to_response') ?? '').split(',');
    if (parts.length > MOST_PARTS) return error(400, 27, 'Too many append to response objects.');
    const added = Object.entries(work).filter(
      ([name]) => name !== 'orders' && (!name.startsWith('season/') || parts.includes(name)),
    );
    return json(200, { ...Object.fromEntries(added), unknown_member: true });
  };
  const find = (asked: RecordedRequest): Reply => {
    const [, id] = /^\/3\/find\/(\w+)$/.exec(asked.path) ?? [];
    const source = asked.query.get('external_source') ?? '';
    const have = (one: MetadataPage) =>
      (one['external_ids'] as Record<string, string | number> | undefined)?.[source]?.toString() === id;
    return json(200, { movie_results: films.filter(have), tv_results: shows.filter(have) });
  };
  const picture = (path: string): Uint8Array | undefined => {
    const name = path.slice(path.lastIndexOf('/'));
    if (fixtures.picture) return fixtures.picture(name);
    return JSON.stringify([films, shows, EXAMPLE_PEOPLE]).includes(JSON.stringify(name)) ? PICTURE : undefined;
  };

  return {
    name: 'metadata',
    apiPath: '/3',
    stepOf,
    leaksOf: (asked) => {
      const now = monotonic();
      arrivals = [...arrivals.filter((at) => at > now - 1000), now];
      const hasKey = asked.query.has('api_key');
      const hasToken = asked.headers['authorization'] !== undefined;
      return [
        ...(arrivals.length > MOST_PER_SECOND ? [`${arrivals.length} requests in a second`] : []),
        ...(asked.step === 'file' && (hasKey || hasToken) ? ['a credential for a picture'] : []),
        ...(hasKey && hasToken ? ['a key and a token'] : []),
        ...(hasToken && asked.url.href.includes(METADATA_TOKEN) ? ['the token in the address'] : []),
        ...(['other', 'search'].includes(asked.step) && !asked.query.has('language') ? ['no language'] : []),
      ];
    },
    headers: () => ({}),
    answer: (asked) => {
      if (asked.step === 'file') {
        const body = picture(asked.path);
        return body ? { status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.from(body) } : NOT_FOUND;
      }
      if (!isAllowed(asked)) return error(401, 7, 'Invalid API key: You must be granted a valid key.');
      if (asked.path === '/3/configuration') return json(200, CONFIGURATION);
      if (asked.path.endsWith('/changes')) return changesPage(fixtures, asked.path);
      if (asked.path.startsWith('/3/find/')) return find(asked);
      if (asked.step === 'account') return json(200, { success: true, status_code: 1, status_message: 'Success.' });
      return asked.step === 'search' ? searchPage(fixtures, asked) : page(asked);
    },
    inOwnWords: ({ fault, retryAfter }) =>
      fault === 'rate-limited'
        ? {
            ...error(429, 25, 'Your request count is over the allowed limit.'),
            headers: { 'content-type': 'application/json', 'retry-after': String(retryAfter) },
          }
        : fault === 'unauthorized'
          ? error(401, 7, 'Invalid API key: You must be granted a valid key.')
          : fault === 'expired-link'
            ? NOT_FOUND
            : undefined,
    defaultStep: () => undefined,
    reset: () => {
      arrivals = [];
    },
    hungUp: () => {
      arrivals = [];
    },
  };
}
