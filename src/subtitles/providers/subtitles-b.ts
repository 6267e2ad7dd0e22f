/**
 * `subtitles_b`: the SubSource API, version 1.
 *
 * A film, and each season of a show, is one entry with a separate id; the subtitles of an entry are listed by language.
 * So a search takes two calls, the first of which is cached for a day and shared by all episodes of a season. The key
 * is sent in a header. Every download is a ZIP archive, from which exactly one file is extracted and kept unchanged:
 * the terms require unchanged files and personal use, which the Owner has to state.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { extractSubtitle } from './archive.ts';
import { matchEpisode, statedEpisode, statedSeason } from './episode.ts';
import { believable, fault, healthFrom, waitFacts } from './faults.ts';
import { languagesOfB } from './languages-b.ts';
import { type ProviderReply, createOutbound, isFile, isJson, type Json } from './outbound.ts';
import { createPace, type PaceNeeds } from './pace.ts';
import {
  type ProviderQuery,
  type Candidate,
  type FaultFacts,
  MAX_ARCHIVE_BYTES,
  type SubtitleProvider,
  type ProviderFault,
} from './provider.ts';
import {
  readFlag,
  readFrameRate,
  readImdbId,
  definedOnly,
  readReleaseNames,
  readRows,
  saysForced,
  saysMachine,
  idsOrNone,
  readLine,
  readTime,
  readTmdbId,
  readWhole,
  readYear,
} from './fields.ts';

export interface SubtitlesBSettings {
  /** Default: the provider's own address. */
  url?: string | undefined;
  apiKey?: string | undefined;
  /** Whether the Owner states that the use is personal. Without it the provider is not asked. */
  personalUse?: boolean | undefined;
}

export interface SubtitlesBNeeds {
  settings: SubtitlesBSettings;
  net: Pick<Net, 'request'>;
  clock: Clock;
  sleep?: PaceNeeds['sleep'];
  /** Time limit of one call in milliseconds; shortened by tests. */
  timeoutMs?: number | undefined;
}

const DEFAULT_ADDRESS = 'https://api.subsource.net/api/v1';
const name = 'subtitles_b' as const;
/** The provider's limits per key, as calls and seconds. Longer waits than a search allows are left to the back-off. */
const RATE_LIMITS = [
  [5, 1],
  [60, 60],
  [1_800, 3_600],
  [7_200, 86_400],
] as const;
const MAX_WAIT_MS = 5_000;
/** Rows per page, pages per language and list calls per search; fewer if there are enough candidates. */
const ROWS_PER_PAGE = 100;
const MAX_PAGES_PER_LANGUAGE = 3;
const MAX_LIST_CALLS = 6;
const ENOUGH_CANDIDATES = 12;
const DAY_MS = 86_400_000;
const MAX_CACHED_ENTRIES = 500;
/** Query for a film that certainly exists, to test the key, because no endpoint describes the account. */
const TEST_QUERY = { searchType: 'text', q: 'Metropolis', limit: '1' };
export const PERSONAL_USE = 'its terms ask for a statement of personal use (integrations.subtitles_b.personal_use)';

export function createSubtitlesB(needs: SubtitlesBNeeds): SubtitleProvider {
  const { clock, settings } = needs;
  const key = settings.apiKey ?? '';
  const isConfigured = key !== '' && settings.personalUse === true;
  const calls = callsOf(needs, key);
  const entries = new Map<string, { entry: Entry; until: number }>();

  const entryFor = async (wanted: ProviderQuery, signal: AbortSignal): Promise<Entry | undefined> => {
    const mark = JSON.stringify([wanted.kind, wanted.ids, wanted.showIds, wanted.title, wanted.year, wanted.season]);
    const before = entries.get(mark);
    if (before && before.until > clock.now() && before.until <= clock.now() + DAY_MS) return before.entry;
    const entry = await findEntry(wanted, calls, signal);
    // Removes the oldest entry. A removed entry only costs a call.
    if (entries.size >= MAX_CACHED_ENTRIES)
      for (const oldest of [...entries.keys()].slice(0, 1)) entries.delete(oldest);
    if (entry) entries.set(mark, { entry, until: clock.now() + DAY_MS });
    return entry;
  };

  return {
    name,
    asDelivered: true,
    configured: () => isConfigured,
    search: async (wanted, signal) => {
      const codes = languagesOfB.codesFor(wanted.language);
      if (!isConfigured || codes.length === 0) return [];
      const entry = await entryFor(wanted, signal);
      return entry ? list({ entry, wanted, codes, calls }, signal) : [];
    },
    download: async (candidate, wanted, signal) => {
      const id = readWhole(candidate.file, 1, Number.MAX_SAFE_INTEGER);
      if (!isConfigured || id === undefined) throw fault('not-found');
      const answer = await calls.get(`/subtitles/${id}/download`, {}, signal, {
        maxBytes: MAX_ARCHIVE_BYTES,
        redirects: 3,
      });
      if (!isFile(answer)) throw faultOf(answer, clock);
      return extractSubtitle(answer.bytes, `${id}.srt`, { candidate, ask: wanted });
    },
    health: async (signal) => {
      if (!isConfigured) return { state: 'not-configured', ...(key !== '' && { lastError: PERSONAL_USE }) };
      return healthFrom(async () => {
        calls.read(await calls.get('/movies/search', TEST_QUERY, signal));
        return {};
      }, signal);
    },
  };
}

interface Calls {
  get(
    path: string,
    params: Readonly<Record<string, string>>,
    signal: AbortSignal,
    more?: { maxBytes: number; redirects: number },
  ): Promise<ProviderReply>;
  /** Returns the JSON of a successful reply. Throws the fault that any other means. */
  read(answer: ProviderReply): Json;
}

/** Returns calls at the provider's pace. If the last reply said to wait, the next call is not made. */
function callsOf({ settings, net, clock, sleep, timeoutMs }: SubtitlesBNeeds, key: string): Calls {
  const base = baseOf(settings.url ?? '');
  const outbound = createOutbound({ net, base, ...definedOnly({ timeoutMs }) });
  const paces = RATE_LIMITS.map(([calls, seconds]) =>
    createPace(calls, seconds, { clock, maxWaitMs: MAX_WAIT_MS, ...definedOnly({ sleep }) }),
  );
  let silentUntil = 0;
  const get: Calls['get'] = async (path, params, signal, more) => {
    // Checked again, because the clock may have been set since.
    if (believable(silentUntil, clock.now()) !== undefined) throw fault('rate-limited', { resetAt: silentUntil });
    const url = new URL(`${base.pathname}${path}`, base);
    for (const [param, value] of Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      url.searchParams.set(param, value);
    const answer = await outbound.send({ url, headers: { 'x-api-key': key }, paces, ...more }, signal);
    silentUntil = spentUntil(answer, clock) ?? 0;
    return answer;
  };
  return {
    get,
    read: (answer) => {
      if (answer.status === 200 && answer.json && answer.json['success'] !== false) return answer.json;
      throw faultOf(answer, clock);
    },
  };
}

/** Returns when a limit is renewed, if the reply says that it is used up. */
function spentUntil(answer: ProviderReply, clock: Clock): number | undefined {
  const header = (ending: string) => answer.header(`x-ratelimit-${ending}`) ?? answer.header(`ratelimit-${ending}`);
  if (header('remaining') !== '0') return undefined;
  const said = header('reset');
  // The header has seconds or a time.
  const seconds = said !== undefined && /^\d{1,6}$/.test(said) ? Number(said) : undefined;
  return believable(seconds === undefined ? readTime(said) : clock.now() + seconds * 1000, clock.now());
}

function baseOf(address: string): URL {
  const url = new URL(address.trim() === '' ? DEFAULT_ADDRESS : address.trim());
  if (url.pathname === '/') url.pathname = '/api/v1';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** An entry of the provider: a film, or a season of a show. */
interface Entry {
  id: number;
  title: string | undefined;
  year: number | undefined;
  ids: { imdb?: string; tmdb?: number } | undefined;
  season: number | undefined;
}

async function findEntry(wanted: ProviderQuery, calls: Calls, signal: AbortSignal): Promise<Entry | undefined> {
  const shared = {
    type: wanted.kind === 'movie' ? 'movie' : 'series',
    limit: '50',
    ...(wanted.kind === 'episode' && wanted.season !== undefined && { season: String(wanted.season) }),
  };
  const ids = wanted.kind === 'movie' ? wanted.ids : wanted.showIds;
  if (ids?.imdb !== undefined) {
    const found = entriesIn(await find(calls, { ...shared, searchType: 'imdb', imdb: ids.imdb }, signal), wanted);
    const one = onlyOne(
      found.filter((entry) => entry.ids?.imdb === undefined || entry.ids.imdb === ids.imdb),
      wanted,
    );
    if (one) return one;
  }
  const year: Record<string, string> =
    wanted.kind === 'movie' && wanted.year !== undefined ? { year: String(wanted.year) } : {};
  const meant = entriesIn(
    await find(calls, { ...shared, ...year, searchType: 'text', q: wanted.title }, signal),
    wanted,
  ).filter((entry) => isMeant(entry, wanted));
  const known = ids?.tmdb === undefined ? [] : meant.filter((entry) => entry.ids?.tmdb === ids.tmdb);
  // Several entries with the name are ambiguous.
  return known[0] ?? (meant.length === 1 ? meant[0] : undefined);
}

/** Returns the first entry, unless the query names no season and several entries match. */
const onlyOne = (entries: readonly Entry[], wanted: ProviderQuery): Entry | undefined =>
  wanted.kind === 'episode' && wanted.season === undefined && entries.length > 1 ? undefined : entries[0];

async function find(calls: Calls, params: Record<string, string>, signal: AbortSignal): Promise<Json[]> {
  const answer = await calls.get('/movies/search', params, signal);
  return answer.status === 404 ? [] : readRows(calls.read(answer)['data']);
}

function entriesIn(found: readonly Json[], wanted: ProviderQuery): Entry[] {
  const all = found.flatMap((row): Entry[] => {
    const id = readWhole(row['movieId'], 1, Number.MAX_SAFE_INTEGER);
    const type = readLine(row['type'], 20)?.toLowerCase();
    if (id === undefined || (type !== undefined && (type === 'movie') !== (wanted.kind === 'movie'))) return [];
    const ids = idsOrNone({ imdb: readImdbId(row['imdbId']), tmdb: readTmdbId(row['tmdbId']) });
    return [
      {
        id,
        title: readLine(row['title']),
        year: readYear(row['releaseYear']),
        ids,
        season: readWhole(row['season'], 0, 10_000),
      },
    ];
  });
  if (wanted.kind === 'movie' || wanted.season === undefined) return all;
  const exact = all.filter(({ season }) => season === wanted.season);
  return exact.length > 0 ? exact : all.filter(({ season }) => season === undefined);
}

const fold = (title: string | undefined): string =>
  (title ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * Whether an entry is the wanted one: by name, and a film also by year. A season is of a later year than its show, and
 * may have its number in the title.
 */
function isMeant({ title, year: made, season }: Entry, wanted: ProviderQuery): boolean {
  const names = [wanted.title, ...(wanted.otherTitles ?? [])].map(fold);
  const own = fold(title);
  const isNamed = names.some((one) => own === one || (season !== undefined && own === `${one}season${season}`));
  if (!isNamed || wanted.year === undefined || made === undefined) return isNamed;
  return wanted.kind === 'movie' ? made === wanted.year : made >= wanted.year - 1;
}

interface Listing {
  entry: Entry;
  wanted: ProviderQuery;
  codes: readonly string[];
  calls: Calls;
}

/** Lists candidates, page by page for each language name, until there are enough. */
async function list({ entry, wanted, codes, calls }: Listing, signal: AbortSignal): Promise<Candidate[]> {
  const found = new Map<string, Candidate>();
  let asked = 0;
  for (const language of codes) {
    for (
      let page = 1, pages = 1;
      page <= Math.min(pages, MAX_PAGES_PER_LANGUAGE) && asked < MAX_LIST_CALLS && found.size < ENOUGH_CANDIDATES;
      page++
    ) {
      const query = { movieId: String(entry.id), language, sort: 'popular', limit: String(ROWS_PER_PAGE) };
      const kind: Record<string, string> = wanted.hearingImpaired === 'only' ? { hearingImpaired: 'true' } : {};
      const answer = await calls.get('/subtitles', { ...query, ...kind, page: String(page) }, signal);
      asked++;
      if (answer.status === 404) break;
      const json = calls.read(answer);
      for (const row of readRows(json['data'])) {
        const one = candidate(row, entry, wanted);
        if (one) found.set(one.id, one);
      }
      const paging = isJson(json['pagination']) ? json['pagination'] : {};
      pages = readWhole(paging['pages'], 0, 1e6) ?? 1;
    }
  }
  return [...found.values()];
}

/**
 * Returns a candidate; undefined for a broken row, and for another episode, because a season has too many to return
 * them all.
 */
function candidate(row: Json, entry: Entry, wanted: ProviderQuery): Candidate | undefined {
  const id = readWhole(row['subtitleId'], 1, Number.MAX_SAFE_INTEGER);
  const language = languagesOfB.tagOf(readLine(row['language'], 60) ?? '');
  const of = readWhole(row['movieId'], 1, Number.MAX_SAFE_INTEGER);
  if (id === undefined || language === undefined || (of !== undefined && of !== entry.id)) return undefined;
  const releases = readReleaseNames(row['releaseInfo']);
  const commentary = readLine(row['commentary']) ?? '';
  const place =
    wanted.kind === 'episode'
      ? placeIn(releases, entry, { wanted, files: readWhole(row['files'], 0, 10_000) })
      : { pack: false };
  if (!place) return undefined;
  return {
    provider: name,
    id: String(id),
    language,
    releases,
    file: String(id),
    forced: readFlag(row['foreignParts']) === true || saysForced(releases),
    machineTranslated: saysMachine([...releases, commentary]),
    ...place,
    ...definedOnly({
      title: entry.title,
      year: wanted.kind === 'movie' ? entry.year : undefined,
      ids: wanted.kind === 'movie' ? entry.ids : undefined,
      showIds: wanted.kind === 'episode' ? entry.ids : undefined,
      hearingImpaired: readFlag(row['hearingImpaired']),
      fps: readFrameRate(row['framerate']),
      uploader: readLine(readRows(row['contributors'])[0]?.['displayname'], 100),
      downloads: readWhole(row['downloads'], 0, 1e12),
    }),
  };
}

type Place = Pick<Candidate, 'pack'> & Partial<Pick<Candidate, 'season' | 'episode' | 'episodeEnd'>>;

/**
 * Returns the season and episode of a row. Rows have no episode field: the release names state it, or the row is for
 * the whole season.
 */
function placeIn(
  releases: readonly string[],
  entry: Entry,
  { wanted, files }: { wanted: ProviderQuery; files: number | undefined },
): Place | undefined {
  const season = entry.season ?? releases.map(statedSeason).find((one) => one !== undefined);
  const stated = releases.map(statedEpisode).filter((one) => one !== undefined);
  const [first] = stated;
  // Release names by date, or by a number without a season: at least one of several must match.
  const matches = releases.map((one) => matchEpisode(one, wanted)).filter((one) => one !== 'unknown');
  if (!first && (files ?? 0) <= 1 && matches.length > 0 && !matches.includes('same')) return undefined;
  if (!first)
    return {
      pack: (files ?? 0) > 1 || releases.some((one) => statedSeason(one) !== undefined),
      ...definedOnly({ season }),
    };
  const own = stated.find(
    (one) =>
      (wanted.season === undefined || one.season === wanted.season) &&
      (wanted.episode === undefined || (wanted.episode >= one.episode && wanted.episode <= one.episodeEnd)),
  );
  if (own)
    return {
      pack: (files ?? 0) > 1,
      season: own.season,
      ...((files ?? 0) > 1 ? {} : { episode: own.episode, episodeEnd: own.episodeEnd }),
    };
  // An archive may list only some of its episodes.
  return (files ?? 0) > 1 && first.season === (wanted.season ?? first.season)
    ? { pack: true, season: first.season }
    : undefined;
}

/**
 * Returns the fault that a reply means. 403 means a refused key only if it says so: a firewall before the API also
 * replies with 403.
 */
function faultOf(answer: ProviderReply, clock: Clock): ProviderFault {
  const json = answer.json ?? {};
  const said = `${readLine(json['error'], 200) ?? ''} ${readLine(json['message'], 500) ?? ''}`.toLowerCase();
  const spent = spentUntil(answer, clock);
  const facts: FaultFacts = { ...waitFacts(answer, clock), ...definedOnly({ resetAt: spent }) };
  if (answer.status === 429) return fault('rate-limited', facts);
  if (answer.status === 401 || (answer.status === 403 && /api.?key|credential|unauthori|token/.test(said)))
    return fault('bad-credentials');
  if (answer.status === 402) return fault('payment-required');
  if (answer.status === 404) return fault('not-found');
  if (answer.status === 410) return fault('gone');
  return fault('unavailable', facts);
}
