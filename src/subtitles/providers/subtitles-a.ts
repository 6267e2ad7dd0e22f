/**
 * `subtitles_a`: the SubDL API, version 2.
 *
 * The key travels in a header. The download host alone knows no header and wants it in the query, so it is added to
 * that one address while it is called; addresses that arrive with a key in them lose it before anything keeps them.
 * A search costs one request; a second is made only when the ids brought nothing or a title names several films.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { parseRelease } from '../../lib/release-name.ts';
import { oneSubtitle } from './archive.ts';
import { statedEpisode, statedSeason } from './episode.ts';
import { believable, fault, healthFrom, waitFacts } from './faults.ts';
import { languagesOfA } from './languages.ts';
import { type Answer, createOutbound, isFile, isJson, type Json, type Outbound } from './outbound.ts';
import { createPace, type PaceNeeds } from './pace.ts';
import { type Ask, type Candidate, MOST_ARCHIVE, type Provider, ProviderFault } from './provider.ts';
import {
  bareName,
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

export interface SubtitlesASettings {
  /** Blank: the provider's own address. */
  url?: string | undefined;
  apiKey?: string | undefined;
}

export interface SubtitlesANeeds {
  settings: SubtitlesASettings;
  net: Pick<Net, 'request'>;
  clock: Clock;
  sleep?: PaceNeeds['sleep'];
  /** Milliseconds for one call; tests shorten it. */
  timeoutMs?: number | undefined;
}

const DEFAULT = 'https://api.subdl.com/api/v2';
const name = 'subtitles_a' as const;

export function createSubtitlesA(needs: SubtitlesANeeds): Provider {
  const { clock } = needs;
  const key = needs.settings.apiKey ?? '';
  const base = baseOf(needs.settings.url ?? '');
  const outbound = createOutbound({ net: needs.net, base, ...known({ timeoutMs: needs.timeoutMs }) });
  const paces = [createPace(5, 1, { clock, ...known({ sleep: needs.sleep }) })];
  const spent = new Map<'search' | 'download', number>();

  /** Headers that say "none left" are believed, so that the next call is not made at all. */
  const remember = (what: 'search' | 'download', answer: Answer) => {
    const resetAt = believable(time(answer.header('x-ratelimit-reset')), clock.now());
    if (answer.header('x-ratelimit-remaining') === '0' && resetAt !== undefined) spent.set(what, resetAt);
  };
  const refuseSpent = (what: 'search' | 'download') => {
    // Still believable by the clock as it is now, which may have been set.
    const resetAt = believable(spent.get(what), clock.now());
    if (resetAt !== undefined) throw fault('quota', { resetAt });
  };
  const ask = async (path: string, params: Record<string, string>, signal: AbortSignal): Promise<Answer> => {
    const url = new URL(`${base.pathname}${path}`, base);
    for (const [param, value] of Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      url.searchParams.set(param, value);
    return outbound.send({ url, headers: { authorization: `Bearer ${key}` }, paces }, signal);
  };
  const find = async (params: Record<string, string>, signal: AbortSignal): Promise<Json> => {
    refuseSpent('search');
    const answer = await ask('/subtitles/search', params, signal);
    remember('search', answer);
    if (isNothingFound(answer)) return {};
    return body(answer, clock);
  };

  return {
    name,
    asDelivered: false,
    configured: () => key !== '',
    search: async (wanted, signal) => {
      const codes = languagesOfA.codesFor(wanted.language);
      return key === '' || codes.length === 0 ? [] : search(wanted, { codes, find }, signal);
    },
    download: async (candidate, wanted, signal) => {
      refuseSpent('download');
      const url = fileAddress(candidate.file, base, outbound);
      url.searchParams.set('api_key', key);
      const answer = await outbound.send({ url, maxBytes: MOST_ARCHIVE, redirects: 3, paces }, signal);
      remember('download', answer);
      if (!isFile(answer)) throw faultOf(answer, clock);
      return oneSubtitle(answer.bytes, bareName(candidate.file, 'subtitle.srt'), { candidate, ask: wanted });
    },
    health: async (signal) => {
      if (key === '') return { state: 'not-configured' };
      return healthFrom(async () => usage(body(await ask('/me', {}, signal), clock), clock), signal);
    },
  };
}

/** A bare host gets the path of the API; anything else is taken as it stands, without a slash at its end. */
function baseOf(address: string): URL {
  const url = new URL(address.trim() === '' ? DEFAULT : address.trim());
  if (url.pathname === '/') url.pathname = '/api/v2';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** Files are on `dl.` beside `api.`; an installation without such a pair has both at one address. */
function fileAddress(path: string, base: URL, outbound: Outbound): URL {
  const host = base.hostname.startsWith('api.') ? `dl.${base.hostname.slice(4)}` : base.hostname;
  const url = outbound.own(`${base.protocol}//${host}${base.port === '' ? '' : `:${base.port}`}${path}`);
  if (!url || !isFilePath(path)) throw fault('hostile');
  return url;
}

const isFilePath = (path: string): boolean =>
  path.length <= 300 && /^\/subtitle\/[A-Za-z0-9._~%/-]+$/.test(path) && !/\.\.|\/\/|%2e|%2f|%5c/i.test(path);

interface Searching {
  codes: readonly string[];
  find(params: Record<string, string>, signal: AbortSignal): Promise<Json>;
}

async function search(wanted: Ask, { codes, find }: Searching, signal: AbortSignal): Promise<Candidate[]> {
  const type = wanted.kind === 'movie' ? 'movie' : 'tv';
  const shared = {
    type,
    languages: codes.join(',').toLowerCase(),
    subs_per_page: '30',
    unpack: '1',
    ...(wanted.season === undefined ? {} : { season: String(wanted.season) }),
    ...(wanted.episode === undefined ? {} : { episode: String(wanted.episode) }),
  };
  // Shows are known by the show's ids there, never by an episode's.
  const ids = wanted.kind === 'movie' ? wanted.ids : wanted.showIds;
  const byId =
    ids?.imdb !== undefined
      ? { imdb_id: ids.imdb }
      : ids?.tmdb !== undefined
        ? { tmdb_id: String(ids.tmdb) }
        : undefined;
  if (byId) {
    const found = candidates(await find({ ...shared, ...byId }, signal), wanted);
    if (found.length > 0) return found;
  }
  const year = wanted.kind === 'movie' && wanted.year !== undefined ? { year: String(wanted.year) } : {};
  const answer = await find({ ...shared, ...year, film_name: wanted.title }, signal);
  const films = rows(answer['results']);
  if (films.length <= 1) return candidates(answer, wanted);
  // A title with several films behind it: rows do not say whose they are, so the one that is meant is asked for.
  const meant = films.filter((film) => isMeant(film, wanted));
  const id = meant.length === 1 ? whole(meant[0]?.['sd_id'], 1, 1e12) : undefined;
  return id === undefined ? [] : candidates(await find({ ...shared, sd_id: String(id) }, signal), wanted);
}

const fold = (title: string | undefined): string =>
  (title ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

function isMeant(film: Json, wanted: Ask): boolean {
  const names = [wanted.title, ...(wanted.otherTitles ?? [])].map(fold);
  return names.includes(fold(text(film['name']))) && (wanted.year === undefined || year(film['year']) === wanted.year);
}

function candidates(answer: Json, wanted: Ask): Candidate[] {
  const films = rows(answer['results']);
  const film = films.length === 1 ? films[0] : undefined;
  return rows(answer['subtitles']).flatMap((row) => {
    const pack = fromRow(row, film, wanted);
    if (!pack) return [];
    const unpacked = rows(row['unpack_files'])
      .map((file) => fromFile(file, pack))
      .filter((c) => c !== undefined);
    const fitting = unpacked.filter((c) => wanted.episode === undefined || c.episode === wanted.episode);
    // A member that can be had alone spares the archive.
    return wanted.kind === 'episode' && pack.pack && fitting.length > 0 ? fitting : [pack];
  });
}

function fromRow(row: Json, film: Json | undefined, wanted: Ask): Candidate | undefined {
  const file = pathOf(row['url']);
  const language = languagesOfA.tagOf(text(row['language'], 20) ?? '');
  if (file === undefined || language === undefined) return undefined;
  const releases = releaseNames(row['release_name'], row['releases']);
  const said = [...releases, text(row['comment']) ?? ''];
  const from = whole(row['episode_from'], 1, 10_000) ?? whole(row['episode'], 1, 10_000);
  const to = whole(row['episode_end'], 1, 10_000);
  const stated = wanted.kind === 'episode' ? statedIn(releases) : {};
  const ids = film && someIds({ imdb: imdb(film['imdb_id']), tmdb: tmdb(film['tmdb_id']) });
  const isWhole =
    flag(row['full_season']) === true ||
    (wanted.kind === 'episode' && from === undefined && stated.episode === undefined);
  // From one episode to another: an archive of part of a season.
  const isPack = isWhole || (from !== undefined && to !== undefined && to > from);
  return {
    provider: name,
    id: file,
    language,
    releases,
    pack: isPack,
    file,
    forced: saysForced(said),
    machineTranslated: saysMachine(said),
    ...known({
      title: text(film?.['name']),
      year: year(film?.['year']),
      ids: wanted.kind === 'movie' ? ids : undefined,
      showIds: wanted.kind === 'episode' ? ids : undefined,
      season: whole(row['season'], 1, 10_000) ?? stated.season,
      episode: isWhole ? undefined : (from ?? stated.episode),
      episodeEnd: isWhole ? undefined : (to ?? (from === undefined ? stated.episodeEnd : from)),
      hearingImpaired: flag(row['hi']),
      fps: frameRate(row['fps']) ?? frameRate(row['framerate']),
      uploader: text(row['author'], 100),
    }),
  };
}

function statedIn(releases: readonly string[]): { season?: number; episode?: number; episodeEnd?: number } {
  const episode = releases.map(statedEpisode).find((stated) => stated !== undefined);
  return episode ?? known({ season: releases.map(statedSeason).find((season) => season !== undefined) });
}

function fromFile(file: Json, pack: Candidate): Candidate | undefined {
  const path = pathOf(file['url']);
  const episode = whole(file['episode'], 1, 10_000);
  const language =
    file['language'] === undefined ? pack.language : languagesOfA.tagOf(text(file['language'], 20) ?? '');
  if (path === undefined || episode === undefined || language === undefined) return undefined;
  const own = releaseNames(file['release_name'], file['name']);
  const { episodeEnd: _end, ...rest } = pack;
  return {
    ...rest,
    id: path,
    file: path,
    language,
    // A name that no group has signed is of the release that the pack is of.
    releases: own.some((one) => parseRelease(one).group !== undefined) ? own : releaseNames(own, pack.releases),
    pack: false,
    episode,
    forced: saysForced(own) || pack.forced === true,
    ...known({
      season: whole(file['season'], 1, 10_000) ?? pack.season,
      hearingImpaired: flag(file['hi']) ?? pack.hearingImpaired,
    }),
  };
}

/** The path alone: the query holds the key. */
function pathOf(value: unknown): string | undefined {
  const path = (typeof value === 'string' ? value : '').split(/[?#]/, 1)[0] ?? '';
  return isFilePath(path) ? path : undefined;
}

/** The code of an error, from each of the shapes that are in use. */
function errorCode(json: Json | undefined): string | undefined {
  const error = json?.['error'];
  return isJson(error) ? text(error['code'], 100)?.toLowerCase() : text(error, 100)?.toLowerCase();
}

const isNothingFound = (answer: Answer): boolean => {
  const code = errorCode(answer.json) ?? '';
  return (answer.status === 200 || answer.status === 404) && (code === 'not_found' || code.startsWith("can't find"));
};

function body(answer: Answer, clock: Clock): Json {
  if (answer.status === 200 && answer.json && errorCode(answer.json) === undefined) return answer.json;
  throw faultOf(answer, clock);
}

/** 402, 403 and 429 each mean their own thing; only what says that the key is wrong is a wrong key. */
function faultOf(answer: Answer, clock: Clock): ProviderFault {
  const code = errorCode(answer.json) ?? '';
  const facts = waitFacts(answer, clock);
  const isShort = answer.bytes.byteLength <= 4096;
  const said = isShort ? new TextDecoder().decode(answer.bytes).toLowerCase() : '';
  if (code === 'quota_exceeded' || (answer.status >= 429 && said.includes('limit exceeded')))
    return fault('quota', facts);
  if (answer.status === 429 || code === 'rate_limited' || code === 'too_many_requests')
    return fault('rate-limited', facts);
  if (answer.status === 402 || code === 'paid_api_required') return fault('payment-required');
  if (answer.status === 401 || code === 'unauthorized' || code === 'not_authorized') return fault('bad-credentials');
  if (answer.status === 404 || code === 'not_found') return fault('not-found');
  if (answer.status === 410) return fault('gone');
  return fault('unavailable', facts);
}

function usage(me: Json, clock: Clock): { remaining?: number; resetAt?: number } {
  const all = me['usage'];
  const downloads = isJson(all) && isJson(all['downloads']) ? all['downloads'] : {};
  return known({
    remaining: whole(downloads['remaining'], 0, 1e9),
    resetAt: believable(time(downloads['reset_at']), clock.now()),
  });
}
