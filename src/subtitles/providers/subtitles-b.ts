/**
 * `subtitles_b`: the SubSource API, version 1.
 *
 * A film, and each season of a show, is one entry there with an id of its own; the subtitles of an entry are listed by
 * language. So a search is two calls, the first of which is remembered for a day: all episodes of a season share it.
 * The key travels in a header. Every download is a ZIP, of which exactly one fitting member is taken, and that stays
 * byte for byte as it is: the terms want files unchanged, and their use to be personal, which the Owner has to state.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { oneSubtitle } from './archive.ts';
import { standsTo, statedEpisode, statedSeason } from './episode.ts';
import { believable, fault, healthFrom, waitFacts } from './faults.ts';
import { languagesOfB } from './languages-b.ts';
import { type Answer, createOutbound, isFile, isJson, type Json } from './outbound.ts';
import { createPace, type PaceNeeds } from './pace.ts';
import {
  type Ask,
  type Candidate,
  type FaultFacts,
  MOST_ARCHIVE,
  type Provider,
  type ProviderFault,
} from './provider.ts';
import {
  flag,
  frameRate,
  imdb,
  known,
  releaseNames,
  rows,
  saysForced,
  saysMachine,
  someIds,
  text,
  time,
  tmdb,
  whole,
  year,
} from './wire.ts';

export interface SubtitlesBSettings {
  /** Blank: the provider's own address. */
  url?: string | undefined;
  apiKey?: string | undefined;
  /** The Owner states that the use is personal; without it nothing is asked. */
  personalUse?: boolean | undefined;
}

export interface SubtitlesBNeeds {
  settings: SubtitlesBSettings;
  net: Pick<Net, 'request'>;
  clock: Clock;
  sleep?: PaceNeeds['sleep'];
  /** Milliseconds for one call; tests shorten it. */
  timeoutMs?: number | undefined;
}

const DEFAULT = 'https://api.subsource.net/api/v1';
const name = 'subtitles_b' as const;
/** Its own limits for one key. A longer wait than a search may take is left to the back-off. */
const LIMITS = [
  [5, 1],
  [60, 60],
  [1_800, 3_600],
  [7_200, 86_400],
] as const;
const LONGEST_WAIT = 5_000;
/** Rows of one page, pages of one language, and calls of one search; fewer when there are offers enough. */
const PER_PAGE = 100;
const MOST_PAGES = 3;
const MOST_LISTS = 6;
const ENOUGH = 12;
const DAY = 86_400_000;
const MOST_REMEMBERED = 500;
/** A title that surely exists, for testing the key: there is nothing that tells about the account. */
const PROBE = { searchType: 'text', q: 'Metropolis', limit: '1' };
export const PERSONAL_USE = 'its terms ask for a statement of personal use (integrations.subtitles_b.personal_use)';

export function createSubtitlesB(needs: SubtitlesBNeeds): Provider {
  const { clock, settings } = needs;
  const key = settings.apiKey ?? '';
  const isConfigured = key !== '' && settings.personalUse === true;
  const calls = callsOf(needs, key);
  const entries = new Map<string, { entry: Entry; until: number }>();

  const entryFor = async (wanted: Ask, signal: AbortSignal): Promise<Entry | undefined> => {
    const mark = JSON.stringify([wanted.kind, wanted.ids, wanted.showIds, wanted.title, wanted.year, wanted.season]);
    const before = entries.get(mark);
    if (before && before.until > clock.now() && before.until <= clock.now() + DAY) return before.entry;
    const entry = await findEntry(wanted, calls, signal);
    // The oldest makes room, whichever it is: it only costs a call.
    if (entries.size >= MOST_REMEMBERED) for (const oldest of [...entries.keys()].slice(0, 1)) entries.delete(oldest);
    if (entry) entries.set(mark, { entry, until: clock.now() + DAY });
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
      const id = whole(candidate.file, 1, Number.MAX_SAFE_INTEGER);
      if (!isConfigured || id === undefined) throw fault('not-found');
      const answer = await calls.get(`/subtitles/${id}/download`, {}, signal, { maxBytes: MOST_ARCHIVE, redirects: 3 });
      if (!isFile(answer)) throw faultOf(answer, clock);
      return oneSubtitle(answer.bytes, `${id}.srt`, { candidate, ask: wanted });
    },
    health: async (signal) => {
      if (!isConfigured) return { state: 'not-configured', ...(key !== '' && { lastError: PERSONAL_USE }) };
      return healthFrom(async () => {
        calls.read(await calls.get('/movies/search', PROBE, signal));
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
  ): Promise<Answer>;
  /** The JSON of a good answer. Throws what any other means. */
  read(answer: Answer): Json;
}

/** At the provider's pace. What the last answer said about waiting is believed, so the next call is not made at all. */
function callsOf({ settings, net, clock, sleep, timeoutMs }: SubtitlesBNeeds, key: string): Calls {
  const base = baseOf(settings.url ?? '');
  const outbound = createOutbound({ net, base, ...known({ timeoutMs }) });
  const paces = LIMITS.map(([calls, seconds]) =>
    createPace(calls, seconds, { clock, longestMs: LONGEST_WAIT, ...known({ sleep }) }),
  );
  let silentUntil = 0;
  const get: Calls['get'] = async (path, params, signal, more) => {
    // Still believable by the clock as it is now, which may have been set.
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

/** When a limit is whole again, if the answer says that nothing is left of it. */
function spentUntil(answer: Answer, clock: Clock): number | undefined {
  const header = (ending: string) => answer.header(`x-ratelimit-${ending}`) ?? answer.header(`ratelimit-${ending}`);
  if (header('remaining') !== '0') return undefined;
  const said = header('reset');
  // Seconds to go, or a time.
  const seconds = said !== undefined && /^\d{1,6}$/.test(said) ? Number(said) : undefined;
  return believable(seconds === undefined ? time(said) : clock.now() + seconds * 1000, clock.now());
}

function baseOf(address: string): URL {
  const url = new URL(address.trim() === '' ? DEFAULT : address.trim());
  if (url.pathname === '/') url.pathname = '/api/v1';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** A film, or one season of a show. */
interface Entry {
  id: number;
  title: string | undefined;
  year: number | undefined;
  ids: { imdb?: string; tmdb?: number } | undefined;
  season: number | undefined;
}

async function findEntry(wanted: Ask, calls: Calls, signal: AbortSignal): Promise<Entry | undefined> {
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
  // Several of one name: nobody knows which is meant.
  return known[0] ?? (meant.length === 1 ? meant[0] : undefined);
}

/** Of a show without a number of its season there may be many. */
const onlyOne = (entries: readonly Entry[], wanted: Ask): Entry | undefined =>
  wanted.kind === 'episode' && wanted.season === undefined && entries.length > 1 ? undefined : entries[0];

async function find(calls: Calls, params: Record<string, string>, signal: AbortSignal): Promise<Json[]> {
  const answer = await calls.get('/movies/search', params, signal);
  return answer.status === 404 ? [] : rows(calls.read(answer)['data']);
}

function entriesIn(found: readonly Json[], wanted: Ask): Entry[] {
  const all = found.flatMap((row): Entry[] => {
    const id = whole(row['movieId'], 1, Number.MAX_SAFE_INTEGER);
    const type = text(row['type'], 20)?.toLowerCase();
    if (id === undefined || (type !== undefined && (type === 'movie') !== (wanted.kind === 'movie'))) return [];
    const ids = someIds({ imdb: imdb(row['imdbId']), tmdb: tmdb(row['tmdbId']) });
    return [
      { id, title: text(row['title']), year: year(row['releaseYear']), ids, season: whole(row['season'], 0, 10_000) },
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
 * By its name, and a film by its year, too. A season is of a later year than its show, and may carry its number in the
 * title.
 */
function isMeant({ title, year: made, season }: Entry, wanted: Ask): boolean {
  const names = [wanted.title, ...(wanted.otherTitles ?? [])].map(fold);
  const own = fold(title);
  const isNamed = names.some((one) => own === one || (season !== undefined && own === `${one}season${season}`));
  if (!isNamed || wanted.year === undefined || made === undefined) return isNamed;
  return wanted.kind === 'movie' ? made === wanted.year : made >= wanted.year - 1;
}

interface Listing {
  entry: Entry;
  wanted: Ask;
  codes: readonly string[];
  calls: Calls;
}

/** Page by page and name by name, until there is enough to choose from. */
async function list({ entry, wanted, codes, calls }: Listing, signal: AbortSignal): Promise<Candidate[]> {
  const found = new Map<string, Candidate>();
  let asked = 0;
  for (const language of codes) {
    for (
      let page = 1, pages = 1;
      page <= Math.min(pages, MOST_PAGES) && asked < MOST_LISTS && found.size < ENOUGH;
      page++
    ) {
      const answer = await calls.get(
        '/subtitles',
        { movieId: String(entry.id), language, sort: 'popular', limit: String(PER_PAGE), page: String(page) },
        signal,
      );
      asked++;
      if (answer.status === 404) break;
      const json = calls.read(answer);
      for (const row of rows(json['data'])) {
        const one = candidate(row, entry, wanted);
        if (one) found.set(one.id, one);
      }
      const paging = isJson(json['pagination']) ? json['pagination'] : {};
      pages = whole(paging['pages'], 0, 1e6) ?? 1;
    }
  }
  return [...found.values()];
}

/** Undefined for what is broken, and for another episode: of a season there are too many to hand them all on. */
function candidate(row: Json, entry: Entry, wanted: Ask): Candidate | undefined {
  const id = whole(row['subtitleId'], 1, Number.MAX_SAFE_INTEGER);
  const language = languagesOfB.tagOf(text(row['language'], 60) ?? '');
  const of = whole(row['movieId'], 1, Number.MAX_SAFE_INTEGER);
  if (id === undefined || language === undefined || (of !== undefined && of !== entry.id)) return undefined;
  const releases = releaseNames(row['releaseInfo']);
  const commentary = text(row['commentary']) ?? '';
  const place =
    wanted.kind === 'episode'
      ? placeIn(releases, entry, { wanted, files: whole(row['files'], 0, 10_000) })
      : { pack: false };
  if (!place) return undefined;
  return {
    provider: name,
    id: String(id),
    language,
    releases,
    file: String(id),
    forced: flag(row['foreignParts']) === true || saysForced(releases),
    machineTranslated: saysMachine([...releases, commentary]),
    ...place,
    ...known({
      title: entry.title,
      year: wanted.kind === 'movie' ? entry.year : undefined,
      ids: wanted.kind === 'movie' ? entry.ids : undefined,
      showIds: wanted.kind === 'episode' ? entry.ids : undefined,
      hearingImpaired: flag(row['hearingImpaired']),
      fps: frameRate(row['framerate']),
      uploader: text(rows(row['contributors'])[0]?.['displayname'], 100),
      downloads: whole(row['downloads'], 0, 1e12),
    }),
  };
}

type Place = Pick<Candidate, 'pack'> & Partial<Pick<Candidate, 'season' | 'episode' | 'episodeEnd'>>;

/** Rows name no episode of their own: the releases do, or the row is for the whole season. */
function placeIn(
  releases: readonly string[],
  entry: Entry,
  { wanted, files }: { wanted: Ask; files: number | undefined },
): Place | undefined {
  const season = entry.season ?? releases.map(statedSeason).find((one) => one !== undefined);
  const stated = releases.map(statedEpisode).filter((one) => one !== undefined);
  const [first] = stated;
  // By its day, or counted without seasons: of several at least one is ours.
  const standings = releases.map((one) => standsTo(one, wanted)).filter((one) => one !== 'unknown');
  if (!first && (files ?? 0) <= 1 && standings.length > 0 && !standings.includes('same')) return undefined;
  if (!first)
    return { pack: (files ?? 0) > 1 || releases.some((one) => statedSeason(one) !== undefined), ...known({ season }) };
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
  // An archive of several may list only some of its episodes.
  return (files ?? 0) > 1 && first.season === (wanted.season ?? first.season)
    ? { pack: true, season: first.season }
    : undefined;
}

/** 403 is a refused key only where it says so: a wall before the API answers 403, too. */
function faultOf(answer: Answer, clock: Clock): ProviderFault {
  const json = answer.json ?? {};
  const said = `${text(json['error'], 200) ?? ''} ${text(json['message'], 500) ?? ''}`.toLowerCase();
  const spent = spentUntil(answer, clock);
  const facts: FaultFacts = { ...waitFacts(answer, clock), ...known({ resetAt: spent }) };
  if (answer.status === 429) return fault('rate-limited', facts);
  if (answer.status === 401 || (answer.status === 403 && /api.?key|credential|unauthori|token/.test(said)))
    return fault('bad-credentials');
  if (answer.status === 402) return fault('payment-required');
  if (answer.status === 404) return fault('not-found');
  if (answer.status === 410) return fault('gone');
  return fault('unavailable', facts);
}
