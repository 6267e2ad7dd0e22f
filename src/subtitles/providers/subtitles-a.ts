/**
 * `subtitles_a`: the SubDL API, version 2.
 *
 * The key is sent in a header. Only the download host ignores headers and needs the key in the query, so it is added to
 * that address for the call; addresses that arrive with a key lose it before anything stores them. A search costs one
 * request; a second is made only if the ids found nothing or a title matches several films.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { parseRelease } from '../../lib/release-name.ts';
import { extractSubtitle } from './archive.ts';
import { statedEpisode, statedSeason } from './episode.ts';
import { believable, fault, healthFrom, waitFacts } from './faults.ts';
import { languagesOfA } from './languages.ts';
import { type ProviderReply, createOutbound, isFile, isJson, type Json, type Outbound } from './outbound.ts';
import { createPace, type PaceNeeds } from './pace.ts';
import {
  type ProviderQuery,
  type Candidate,
  MAX_ARCHIVE_BYTES,
  type SubtitleProvider,
  ProviderFault,
} from './provider.ts';
import {
  bareName,
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

export interface SubtitlesASettings {
  /** Default: the provider's own address. */
  url?: string | undefined;
  apiKey?: string | undefined;
}

export interface SubtitlesANeeds {
  settings: SubtitlesASettings;
  net: Pick<Net, 'request'>;
  clock: Clock;
  sleep?: PaceNeeds['sleep'];
  /** Time limit of one call in milliseconds; shortened by tests. */
  timeoutMs?: number | undefined;
}

const DEFAULT_ADDRESS = 'https://api.subdl.com/api/v2';
const name = 'subtitles_a' as const;

export function createSubtitlesA(needs: SubtitlesANeeds): SubtitleProvider {
  const { clock } = needs;
  const key = needs.settings.apiKey ?? '';
  const base = baseOf(needs.settings.url ?? '');
  const outbound = createOutbound({ net: needs.net, base, ...definedOnly({ timeoutMs: needs.timeoutMs }) });
  const paces = [createPace(5, 1, { clock, ...definedOnly({ sleep: needs.sleep }) })];
  const exhaustedUntil = new Map<'search' | 'download', number>();

  /** Records headers that say "none left", so that the next call is not made. */
  const remember = (what: 'search' | 'download', answer: ProviderReply) => {
    const resetAt = believable(readTime(answer.header('x-ratelimit-reset')), clock.now());
    if (answer.header('x-ratelimit-remaining') === '0' && resetAt !== undefined) exhaustedUntil.set(what, resetAt);
  };
  const refuseSpent = (what: 'search' | 'download') => {
    // Checked again, because the clock may have been set since.
    const resetAt = believable(exhaustedUntil.get(what), clock.now());
    if (resetAt !== undefined) throw fault('quota', { resetAt });
  };
  const ask = async (path: string, params: Record<string, string>, signal: AbortSignal): Promise<ProviderReply> => {
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
      const answer = await outbound.send({ url, maxBytes: MAX_ARCHIVE_BYTES, redirects: 3, paces }, signal);
      remember('download', answer);
      if (!isFile(answer)) throw faultOf(answer, clock);
      return extractSubtitle(answer.bytes, bareName(candidate.file, 'subtitle.srt'), { candidate, ask: wanted });
    },
    health: async (signal) => {
      if (key === '') return { state: 'not-configured' };
      return healthFrom(async () => usage(body(await ask('/me', {}, signal), clock), clock), signal);
    },
  };
}

/**
 * Returns the base address. A bare host gets the path of the API; any other address is used as it is, without a slash
 * at its end.
 */
function baseOf(address: string): URL {
  const url = new URL(address.trim() === '' ? DEFAULT_ADDRESS : address.trim());
  if (url.pathname === '/') url.pathname = '/api/v2';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/**
 * Returns the address of a file. Files are on the host `dl.…` if the API is on `api.…`, else both are on the same host.
 */
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

async function search(wanted: ProviderQuery, { codes, find }: Searching, signal: AbortSignal): Promise<Candidate[]> {
  const type = wanted.kind === 'movie' ? 'movie' : 'tv';
  const shared = {
    type,
    languages: codes.join(',').toLowerCase(),
    subs_per_page: '30',
    unpack: '1',
    ...(wanted.season === undefined ? {} : { season: String(wanted.season) }),
    ...(wanted.episode === undefined ? {} : { episode: String(wanted.episode) }),
  };
  // SubDL finds episodes by the ids of their show, never by their own.
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
  const films = readRows(answer['results']);
  if (films.length <= 1) return candidates(answer, wanted);
  // Several films have the title and the rows do not state their film, so the right one is requested by its id.
  const meant = films.filter((film) => isMeant(film, wanted));
  const id = meant.length === 1 ? readWhole(meant[0]?.['sd_id'], 1, 1e12) : undefined;
  return id === undefined ? [] : candidates(await find({ ...shared, sd_id: String(id) }, signal), wanted);
}

const fold = (title: string | undefined): string =>
  (title ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

function isMeant(film: Json, wanted: ProviderQuery): boolean {
  const names = [wanted.title, ...(wanted.otherTitles ?? [])].map(fold);
  return (
    names.includes(fold(readLine(film['name']))) &&
    (wanted.year === undefined || readYear(film['year']) === wanted.year)
  );
}

function candidates(answer: Json, wanted: ProviderQuery): Candidate[] {
  const films = readRows(answer['results']);
  const film = films.length === 1 ? films[0] : undefined;
  return readRows(answer['subtitles']).flatMap((row) => {
    const pack = fromRow(row, film, wanted);
    if (!pack) return [];
    const unpacked = readRows(row['unpack_files'])
      .map((file) => fromFile(file, pack))
      .filter((c) => c !== undefined);
    const fitting = unpacked.filter((c) => wanted.episode === undefined || c.episode === wanted.episode);
    // A single file of the archive saves downloading the whole.
    return wanted.kind === 'episode' && pack.pack && fitting.length > 0 ? fitting : [pack];
  });
}

function fromRow(row: Json, film: Json | undefined, wanted: ProviderQuery): Candidate | undefined {
  const file = pathOf(row['url']);
  const language = languagesOfA.tagOf(readLine(row['language'], 20) ?? '');
  if (file === undefined || language === undefined) return undefined;
  const releases = readReleaseNames(row['release_name'], row['releases']);
  const said = [...releases, readLine(row['comment']) ?? ''];
  const from = readWhole(row['episode_from'], 1, 10_000) ?? readWhole(row['episode'], 1, 10_000);
  const to = readWhole(row['episode_end'], 1, 10_000);
  const stated = wanted.kind === 'episode' ? statedIn(releases) : {};
  const ids = film && idsOrNone({ imdb: readImdbId(film['imdb_id']), tmdb: readTmdbId(film['tmdb_id']) });
  const isWhole =
    readFlag(row['full_season']) === true ||
    (wanted.kind === 'episode' && from === undefined && stated.episode === undefined);
  // A range of episodes is an archive of a part of a season.
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
    ...definedOnly({
      title: readLine(film?.['name']),
      year: readYear(film?.['year']),
      ids: wanted.kind === 'movie' ? ids : undefined,
      showIds: wanted.kind === 'episode' ? ids : undefined,
      season: readWhole(row['season'], 1, 10_000) ?? stated.season,
      episode: isWhole ? undefined : (from ?? stated.episode),
      episodeEnd: isWhole ? undefined : (to ?? (from === undefined ? stated.episodeEnd : from)),
      hearingImpaired: readFlag(row['hi']),
      fps: readFrameRate(row['fps']) ?? readFrameRate(row['framerate']),
      uploader: readLine(row['author'], 100),
    }),
  };
}

function statedIn(releases: readonly string[]): { season?: number; episode?: number; episodeEnd?: number } {
  const episode = releases.map(statedEpisode).find((stated) => stated !== undefined);
  return episode ?? definedOnly({ season: releases.map(statedSeason).find((season) => season !== undefined) });
}

function fromFile(file: Json, pack: Candidate): Candidate | undefined {
  const path = pathOf(file['url']);
  const episode = readWhole(file['episode'], 1, 10_000);
  const language =
    file['language'] === undefined ? pack.language : languagesOfA.tagOf(readLine(file['language'], 20) ?? '');
  if (path === undefined || episode === undefined || language === undefined) return undefined;
  const own = readReleaseNames(file['release_name'], file['name']);
  const { episodeEnd: _end, ...rest } = pack;
  return {
    ...rest,
    id: path,
    file: path,
    language,
    // A name without a group belongs to the release of the pack.
    releases: own.some((one) => parseRelease(one).group !== undefined) ? own : readReleaseNames(own, pack.releases),
    pack: false,
    episode,
    forced: saysForced(own) || pack.forced === true,
    ...definedOnly({
      season: readWhole(file['season'], 1, 10_000) ?? pack.season,
      hearingImpaired: readFlag(file['hi']) ?? pack.hearingImpaired,
    }),
  };
}

/** Returns only the path, because the query contains the key. */
function pathOf(value: unknown): string | undefined {
  const path = (typeof value === 'string' ? value : '').split(/[?#]/, 1)[0] ?? '';
  return isFilePath(path) ? path : undefined;
}

/** Returns the error code, in any of the formats in use. */
function errorCode(json: Json | undefined): string | undefined {
  const error = json?.['error'];
  return isJson(error) ? readLine(error['code'], 100)?.toLowerCase() : readLine(error, 100)?.toLowerCase();
}

const isNothingFound = (answer: ProviderReply): boolean => {
  const code = errorCode(answer.json) ?? '';
  return (answer.status === 200 || answer.status === 404) && (code === 'not_found' || code.startsWith("can't find"));
};

function body(answer: ProviderReply, clock: Clock): Json {
  if (answer.status === 200 && answer.json && errorCode(answer.json) === undefined) return answer.json;
  throw faultOf(answer, clock);
}

/**
 * Returns the fault that a reply means. 402, 403 and 429 have their own meanings; only an explicit statement means a
 * wrong key.
 */
function faultOf(answer: ProviderReply, clock: Clock): ProviderFault {
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
  return definedOnly({
    remaining: readWhole(downloads['remaining'], 0, 1e9),
    resetAt: believable(readTime(downloads['reset_at']), clock.now()),
  });
}
