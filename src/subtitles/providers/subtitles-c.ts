/**
 * `subtitles_c`: the OpenSubtitles.com REST API, version 1.
 *
 * Queries are sent in the provider's canonical form (sorted, lower case, without defaults, plain ids), because any
 * other form is redirected, which costs a call. A search needs only the key; a download needs a login, which is made
 * once (see `login-c.ts`). A refused token is renewed once and the call repeated once. Files are fetched from a link
 * without any credential.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { extractSubtitle } from './archive.ts';
import { believable, fault, healthFrom, waitFacts } from './faults.ts';
import { languagesOfC } from './languages.ts';
import { createLogins, type Login, type Logins } from './login-c.ts';
import { type ProviderReply, createOutbound, isFile, isJson, type Json } from './outbound.ts';
import { createPace, type PaceNeeds } from './pace.ts';
import {
  type ProviderQuery,
  type Candidate,
  type FaultFacts,
  MAX_ARCHIVE_BYTES,
  type SubtitleProvider,
  ProviderFault,
  type ProviderMemory,
} from './provider.ts';
import {
  bareName,
  readFlag,
  readFrameRate,
  readImdbId,
  definedOnly,
  readReleaseNames,
  readRetryAfter,
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

export interface SubtitlesCSettings {
  /** Default: the provider's own address. */
  url?: string | undefined;
  apiKey?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
}

export interface SubtitlesCNeeds {
  settings: SubtitlesCSettings;
  net: Pick<Net, 'request'>;
  clock: Clock;
  memory: ProviderMemory;
  sleep?: PaceNeeds['sleep'];
  /** Time limit of one call in milliseconds; shortened by tests. */
  timeoutMs?: number | undefined;
}

const DEFAULT_ADDRESS = 'https://api.opensubtitles.com/api/v1';
const name = 'subtitles_c' as const;

export function createSubtitlesC(needs: SubtitlesCNeeds): SubtitleProvider {
  const credentials = {
    apiKey: needs.settings.apiKey ?? '',
    username: needs.settings.username ?? '',
    password: needs.settings.password ?? '',
  };
  const isConfigured = Object.values(credentials).every((value) => value !== '');
  const calls = callsOf(needs, credentials);

  return {
    name,
    asDelivered: false,
    configured: () => isConfigured,
    search: async (wanted, signal) => {
      const codes = languagesOfC.codesFor(wanted.language);
      if (!isConfigured || codes.length === 0) return [];
      for (const params of queries(wanted, codes)) {
        const found = (await calls.find(params, signal))
          .map((row) => candidate(row, wanted))
          .filter((c) => c !== undefined);
        if (found.length > 0) return found;
      }
      return [];
    },
    download: async (offer, wanted, signal) => {
      const fileId = readWhole(offer.file, 1, Number.MAX_SAFE_INTEGER);
      if (fileId === undefined) throw fault('not-found');
      const { link, fileName } = await calls.grant(fileId, signal);
      return extractSubtitle(await calls.file(link, signal), fileName, { candidate: offer, ask: wanted });
    },
    health: async (signal) =>
      isConfigured ? healthFrom(() => calls.account(signal), signal) : { state: 'not-configured' },
  };
}

/** Returns the calls of the protocol, each with its headers, pace and faults. */
function callsOf(needs: SubtitlesCNeeds, credentials: { apiKey: string; username: string; password: string }) {
  const { clock } = needs;
  const base = baseOf(needs.settings.url ?? '');
  const outbound = createOutbound({ net: needs.net, base, ...definedOnly({ timeoutMs: needs.timeoutMs }) });
  const pacing = { clock, ...definedOnly({ sleep: needs.sleep }) };
  const pace = createPace(5, 1, pacing);
  const loginPace = createPace(1, 1, pacing);
  const own = { 'api-key': credentials.apiKey, accept: 'application/json' };
  const bearer = (login: Login) => ({ ...own, authorization: `Bearer ${login.token}` });
  const judge = (answer: ProviderReply) => faultOf(answer, clock);

  const logins: Logins = createLogins({
    outbound,
    base,
    credentials,
    clock,
    memory: needs.memory,
    faultOf: judge,
    post: (json, signal) =>
      outbound.send({ method: 'POST', url: at(base, '/login'), headers: own, json, paces: [loginPace, pace] }, signal),
  });
  /** Makes a call with a login. 401 means an old token, after which it tries exactly once more. */
  const asUser = async (
    call: (login: Login) => Promise<ProviderReply>,
    signal: AbortSignal,
  ): Promise<ProviderReply> => {
    const login = await logins.get(signal);
    const answer = await call(login);
    return answer.status === 401 ? call(await logins.renew(login, signal)) : answer;
  };

  return {
    find: async (params: Params, signal: AbortSignal): Promise<Json[]> => {
      const home = (await logins.current())?.base ?? base;
      const answer = await outbound.send(
        { url: canonicalUrl(at(home, '/subtitles'), params), headers: own, redirects: 1, paces: [pace] },
        signal,
      );
      if (answer.status !== 200 || !Array.isArray(answer.json?.['data'])) throw judge(answer);
      return readRows(answer.json['data']);
    },
    grant: async (fileId: number, signal: AbortSignal): Promise<{ link: URL; fileName: string }> => {
      const post = { method: 'POST', json: { file_id: fileId }, paces: [pace] } as const;
      const answer = await asUser(
        (login) => outbound.send({ ...post, url: at(login.base, '/download'), headers: bearer(login) }, signal),
        signal,
      );
      const link = answer.status === 200 ? answer.json?.['link'] : undefined;
      if (typeof link !== 'string') throw judge(answer);
      const url = link.length <= 2048 ? outbound.own(link) : undefined;
      if (!url) throw fault('hostile', {}, 'the provider pointed to a host that is not its own');
      return { link: url, fileName: bareName(answer.json?.['file_name'], 'subtitle.srt') };
    },
    /** Fetches a file. The link itself grants access, so a refusal says nothing about the credentials. */
    file: async (link: URL, signal: AbortSignal): Promise<Uint8Array> => {
      const answer = await outbound.send(
        { url: link, headers: { accept: '*/*' }, maxBytes: MAX_ARCHIVE_BYTES, redirects: 3, paces: [pace] },
        signal,
      );
      if (answer.status === 401 || answer.status === 403) throw fault('unavailable');
      if (!isFile(answer)) throw judge(answer);
      return answer.bytes;
    },
    account: async (signal: AbortSignal): Promise<{ remaining?: number; resetAt?: number }> => {
      const answer = await asUser(
        (login) => outbound.send({ url: at(login.base, '/infos/user'), headers: bearer(login), paces: [pace] }, signal),
        signal,
      );
      const data = answer.json?.['data'];
      if (answer.status !== 200 || !isJson(data)) throw judge(answer);
      return definedOnly({
        remaining: readWhole(data['remaining_downloads'], 0, 1e9),
        resetAt: believable(readTime(data['reset_time_utc']), clock.now()),
      });
    },
  };
}

function baseOf(address: string): URL {
  const url = new URL(address.trim() === '' ? DEFAULT_ADDRESS : address.trim());
  if (url.pathname === '/') url.pathname = '/api/v1';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

const at = (base: URL, path: string): URL => new URL(`${base.pathname}${path}`, base);

type Params = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the address of a query in canonical form: sorted by name, lower case, without defaults and unknown values;
 * spaces are plus signs.
 */
export function canonicalUrl(url: URL, params: Params): URL {
  const out = new URL(url);
  const given = Object.entries(params).filter(
    ([key, value]) => value !== undefined && value !== '' && DEFAULTS[key] !== value,
  );
  for (const [key, value] of given.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    out.searchParams.append(key, String(value).toLowerCase());
  return out;
}

const DEFAULTS: Params = {
  ai_translated: 'include',
  foreign_parts_only: 'include',
  hearing_impaired: 'include',
  machine_translated: 'exclude',
  moviehash_match: 'include',
  page: 1,
  trusted_sources: 'include',
  type: 'all',
};

/** Returns the queries for a search, the best first. The next is sent only if the one before found nothing. */
function queries(wanted: ProviderQuery, codes: readonly string[]): Params[] {
  const shared: Params = {
    languages: [...codes].sort().join(','),
    moviehash: wanted.hash,
    foreign_parts_only: wanted.forced === true ? 'only' : 'exclude',
    hearing_impaired: wanted.hearingImpaired === 'only' ? 'only' : undefined,
    ai_translated: wanted.machineTranslated === true ? 'include' : 'exclude',
    machine_translated: wanted.machineTranslated === true ? 'include' : 'exclude',
  };
  const number = (id: string | undefined) => (id === undefined ? undefined : Number(id.slice(2)));
  const place: Params =
    wanted.kind === 'episode' ? { season_number: wanted.season, episode_number: wanted.episode } : {};
  const byTitle: Params = {
    ...shared,
    ...place,
    query: wanted.title,
    type: wanted.kind,
    year: wanted.kind === 'movie' ? wanted.year : undefined,
  };
  const show = wanted.showIds;
  if (wanted.kind === 'episode' && (show?.imdb !== undefined || show?.tmdb !== undefined)) {
    const parent: Params =
      show.imdb === undefined ? { parent_tmdb_id: show.tmdb } : { parent_imdb_id: number(show.imdb) };
    return [{ ...shared, ...place, ...parent }, byTitle];
  }
  const ids = wanted.ids;
  if (ids?.imdb !== undefined) return [{ ...shared, imdb_id: number(ids.imdb) }, byTitle];
  // A TMDB number can mean a film or an episode, so the query states which.
  return ids?.tmdb === undefined ? [byTitle] : [{ ...shared, tmdb_id: ids.tmdb, type: wanted.kind }, byTitle];
}

/**
 * Returns the file of a subtitle that is asked for. Several files are one film cut in parts: they fit no whole film,
 * and each fits the part of its number if the film is cut in as many.
 */
function fileFor(
  { part }: ProviderQuery,
  { files, discs }: { files: readonly Json[]; discs: number },
): Json | undefined {
  if (files.length === 1 && discs <= 1) return files[0];
  if (part === undefined || discs !== part.of || files.length !== part.of) return undefined;
  const own = files.filter((file) => readWhole(file['cd_number'], 1, 1_000) === part.number);
  return own.length === 1 ? own[0] : undefined;
}

function candidate(row: Json, wanted: ProviderQuery): Candidate | undefined {
  const a = isJson(row['attributes']) ? row['attributes'] : {};
  const film = isJson(a['feature_details']) ? a['feature_details'] : {};
  const files = readRows(a['files']);
  const file = fileFor(wanted, { files, discs: readWhole(a['nb_cd'], 0, 1_000) ?? 1 });
  const fileId = readWhole(file?.['file_id'], 1, Number.MAX_SAFE_INTEGER);
  const language = languagesOfC.tagOf(readLine(a['language'], 20) ?? '');
  if (fileId === undefined || language === undefined) return undefined;
  const releases = readReleaseNames(a['release'], file?.['file_name']);
  const said = [...releases, readLine(a['comments']) ?? ''];
  const isEpisode = wanted.kind === 'episode' || readLine(film['feature_type']) === 'Episode';
  const episode = readWhole(film['episode_number'], 1, 100_000);
  return {
    provider: name,
    id: readLine(a['subtitle_id'], 40) ?? readLine(row['id'], 40) ?? String(fileId),
    language,
    releases,
    pack: false,
    file: String(fileId),
    forced: readFlag(a['foreign_parts_only']) === true || saysForced(releases),
    machineTranslated:
      readFlag(a['machine_translated']) === true || readFlag(a['ai_translated']) === true || saysMachine(said),
    hashMatch: wanted.hash !== undefined && readFlag(a['moviehash_match']) === true,
    trusted: readFlag(a['from_trusted']) === true,
    ...definedOnly({
      title: readLine(isEpisode ? film['parent_title'] : film['title']) ?? readLine(film['title']),
      year: isEpisode ? undefined : readYear(film['year']),
      ids: idsOrNone({ imdb: readImdbId(film['imdb_id']), tmdb: readTmdbId(film['tmdb_id']) }),
      showIds: isEpisode
        ? idsOrNone({ imdb: readImdbId(film['parent_imdb_id']), tmdb: readTmdbId(film['parent_tmdb_id']) })
        : undefined,
      season: isEpisode ? readWhole(film['season_number'], 0, 100_000) : undefined,
      episode: isEpisode ? episode : undefined,
      hearingImpaired: readFlag(a['hearing_impaired']),
      fps: readFrameRate(a['fps']),
      uploader: isJson(a['uploader']) ? readLine(a['uploader']['name'], 100) : undefined,
      downloads: readWhole(a['download_count'], 0, 1e12),
    }),
  };
}

/**
 * Returns the fault that a reply means. 403 and 406 have two meanings each, which the body distinguishes. Some failures
 * arrive with status 200.
 */
function faultOf(answer: ProviderReply, clock: Clock): ProviderFault {
  const json = answer.json ?? {};
  const status = answer.status === 200 ? (readWhole(json['status'], 400, 599) ?? 200) : answer.status;
  const said = (readLine(json['message'], 500) ?? '').toLowerCase();
  const facts: FaultFacts = { ...waitFacts(answer, clock), ...definedOnly({ resetAt: resetOf(json, clock) }) };
  const remaining = json['remaining'];
  const isSpent =
    (typeof remaining === 'number' && remaining <= 0) || said.includes('quota') || said.includes('allowed');
  if (status === 406)
    return isSpent || facts.resetAt !== undefined || readLine(json['reset_time']) !== undefined
      ? fault('quota', facts)
      : fault('not-found');
  if (status === 200 && isSpent) return fault('quota', facts);
  if (status === 401) return fault('bad-credentials');
  if (status === 403 && /api.?key|consume|credential|unauthori/.test(said)) return fault('bad-credentials');
  if (status === 402) return fault('payment-required');
  if (status === 429)
    return fault('rate-limited', {
      ...facts,
      ...definedOnly({ retryAfter: facts.retryAfter ?? readRetryAfter(answer.header('ratelimit-reset'), clock.now()) }),
    });
  if (status === 404) return fault('not-found');
  if (status === 410) return fault('gone');
  return fault('unavailable', facts);
}

/** Returns the time of the reset, or the wait that the older form spells out: `0 hours and 28 minutes`. */
function resetOf(json: Json, clock: Clock): number | undefined {
  const exact = believable(readTime(json['reset_time_utc']), clock.now());
  if (exact !== undefined) return exact;
  const wait = /^(\d{1,2}) hours? and (\d{1,2}) minutes?/.exec(readLine(json['reset_time'], 60) ?? '');
  return wait ? clock.now() + Number(wait[1]) * 3_600_000 + Number(wait[2]) * 60_000 : undefined;
}
