/**
 * `subtitles_c`: the OpenSubtitles.com REST API, version 1.
 *
 * Queries are sent in the provider's canonical form (sorted, lower case, defaults left out, plain ids), because any
 * other is answered by a redirect that costs a call. Searching needs only the key; downloading needs the login, which
 * is made once (see `login-c.ts`). A refused token is renewed once and the call repeated once. Files are fetched from
 * the link without any credential.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Net } from '../../lib/net.ts';
import { oneSubtitle } from './archive.ts';
import { believable, fault, healthFrom, waitFacts } from './faults.ts';
import { languagesOfC } from './languages.ts';
import { createLogins, type Login, type Logins } from './login-c.ts';
import { type Answer, createOutbound, isFile, isJson, type Json } from './outbound.ts';
import { createPace, type PaceNeeds } from './pace.ts';
import {
  type Ask,
  type Candidate,
  type FaultFacts,
  MOST_ARCHIVE,
  type Provider,
  ProviderFault,
  type ProviderMemory,
} from './provider.ts';
import {
  bareName,
  flag,
  frameRate,
  imdb,
  known,
  releaseNames,
  retryAfter,
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

export interface SubtitlesCSettings {
  /** Blank: the provider's own address. */
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
  /** Milliseconds for one call; tests shorten it. */
  timeoutMs?: number | undefined;
}

const DEFAULT = 'https://api.opensubtitles.com/api/v1';
const name = 'subtitles_c' as const;

export function createSubtitlesC(needs: SubtitlesCNeeds): Provider {
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
      const fileId = whole(offer.file, 1, Number.MAX_SAFE_INTEGER);
      if (fileId === undefined) throw fault('not-found');
      const { link, fileName } = await calls.grant(fileId, signal);
      return oneSubtitle(await calls.file(link, signal), fileName, { candidate: offer, ask: wanted });
    },
    health: async (signal) =>
      isConfigured ? healthFrom(() => calls.account(signal), signal) : { state: 'not-configured' },
  };
}

/** The calls of the protocol, each with its headers, its pace and its meaning of failure. */
function callsOf(needs: SubtitlesCNeeds, credentials: { apiKey: string; username: string; password: string }) {
  const { clock } = needs;
  const base = baseOf(needs.settings.url ?? '');
  const outbound = createOutbound({ net: needs.net, base, ...known({ timeoutMs: needs.timeoutMs }) });
  const pacing = { clock, ...known({ sleep: needs.sleep }) };
  const pace = createPace(5, 1, pacing);
  const loginPace = createPace(1, 1, pacing);
  const own = { 'api-key': credentials.apiKey, accept: 'application/json' };
  const bearer = (login: Login) => ({ ...own, authorization: `Bearer ${login.token}` });
  const judge = (answer: Answer) => faultOf(answer, clock);

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
  /** A call in the name of the user: 401 means an old token, and is worth exactly one more try. */
  const asUser = async (call: (login: Login) => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    const login = await logins.get(signal);
    const answer = await call(login);
    return answer.status === 401 ? call(await logins.renew(login, signal)) : answer;
  };

  return {
    find: async (params: Params, signal: AbortSignal): Promise<Json[]> => {
      const home = (await logins.current())?.base ?? base;
      const answer = await outbound.send(
        { url: canonical(at(home, '/subtitles'), params), headers: own, redirects: 1, paces: [pace] },
        signal,
      );
      if (answer.status !== 200 || !Array.isArray(answer.json?.['data'])) throw judge(answer);
      return rows(answer.json['data']);
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
    /** Without a credential: the link is one. So a refusal here says nothing about them. */
    file: async (link: URL, signal: AbortSignal): Promise<Uint8Array> => {
      const answer = await outbound.send(
        { url: link, headers: { accept: '*/*' }, maxBytes: MOST_ARCHIVE, redirects: 3, paces: [pace] },
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
      return known({
        remaining: whole(data['remaining_downloads'], 0, 1e9),
        resetAt: believable(time(data['reset_time_utc']), clock.now()),
      });
    },
  };
}

function baseOf(address: string): URL {
  const url = new URL(address.trim() === '' ? DEFAULT : address.trim());
  if (url.pathname === '/') url.pathname = '/api/v1';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

const at = (base: URL, path: string): URL => new URL(`${base.pathname}${path}`, base);

type Params = Readonly<Record<string, string | number | undefined>>;

/** Sorted by name, lower case, without what is a default or not known; spaces are plus signs. */
export function canonical(url: URL, params: Params): URL {
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

/** What is asked, best first; the next is asked only when the one before brought nothing. */
function queries(wanted: Ask, codes: readonly string[]): Params[] {
  const shared: Params = {
    languages: [...codes].sort().join(','),
    moviehash: wanted.hash,
    foreign_parts_only: wanted.forced === true ? 'only' : 'exclude',
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
  // A TMDB number stands for a film and for an episode alike, so the type has to say which.
  return ids?.tmdb === undefined ? [byTitle] : [{ ...shared, tmdb_id: ids.tmdb, type: wanted.kind }, byTitle];
}

function candidate(row: Json, wanted: Ask): Candidate | undefined {
  const a = isJson(row['attributes']) ? row['attributes'] : {};
  const film = isJson(a['feature_details']) ? a['feature_details'] : {};
  const files = rows(a['files']);
  const fileId = whole(files[0]?.['file_id'], 1, Number.MAX_SAFE_INTEGER);
  const language = languagesOfC.tagOf(text(a['language'], 20) ?? '');
  // Several files are one film cut in parts, which fits no file that is whole.
  if (files.length !== 1 || (whole(a['nb_cd'], 0, 1_000) ?? 1) > 1 || fileId === undefined || language === undefined)
    return undefined;
  const releases = releaseNames(a['release'], files[0]?.['file_name']);
  const said = [...releases, text(a['comments']) ?? ''];
  const isEpisode = wanted.kind === 'episode' || text(film['feature_type']) === 'Episode';
  const episode = whole(film['episode_number'], 1, 100_000);
  return {
    provider: name,
    id: text(a['subtitle_id'], 40) ?? text(row['id'], 40) ?? String(fileId),
    language,
    releases,
    pack: false,
    file: String(fileId),
    forced: flag(a['foreign_parts_only']) === true || saysForced(releases),
    machineTranslated: flag(a['machine_translated']) === true || flag(a['ai_translated']) === true || saysMachine(said),
    hashMatch: wanted.hash !== undefined && flag(a['moviehash_match']) === true,
    trusted: flag(a['from_trusted']) === true,
    ...known({
      title: text(isEpisode ? film['parent_title'] : film['title']) ?? text(film['title']),
      year: isEpisode ? undefined : year(film['year']),
      ids: someIds({ imdb: imdb(film['imdb_id']), tmdb: tmdb(film['tmdb_id']) }),
      showIds: isEpisode
        ? someIds({ imdb: imdb(film['parent_imdb_id']), tmdb: tmdb(film['parent_tmdb_id']) })
        : undefined,
      season: isEpisode ? whole(film['season_number'], 0, 100_000) : undefined,
      episode: isEpisode ? episode : undefined,
      hearingImpaired: flag(a['hearing_impaired']),
      fps: frameRate(a['fps']),
      uploader: isJson(a['uploader']) ? text(a['uploader']['name'], 100) : undefined,
      downloads: whole(a['download_count'], 0, 1e12),
    }),
  };
}

/** 403 and 406 each have two meanings; the body tells them apart. Some failures arrive with status 200. */
function faultOf(answer: Answer, clock: Clock): ProviderFault {
  const json = answer.json ?? {};
  const status = answer.status === 200 ? (whole(json['status'], 400, 599) ?? 200) : answer.status;
  const said = (text(json['message'], 500) ?? '').toLowerCase();
  const facts: FaultFacts = { ...waitFacts(answer, clock), ...known({ resetAt: resetOf(json, clock) }) };
  const remaining = json['remaining'];
  const isSpent =
    (typeof remaining === 'number' && remaining <= 0) || said.includes('quota') || said.includes('allowed');
  if (status === 406)
    return isSpent || facts.resetAt !== undefined || text(json['reset_time']) !== undefined
      ? fault('quota', facts)
      : fault('not-found');
  if (status === 200 && isSpent) return fault('quota', facts);
  if (status === 401) return fault('bad-credentials');
  if (status === 403 && /api.?key|consume|credential|unauthori/.test(said)) return fault('bad-credentials');
  if (status === 402) return fault('payment-required');
  if (status === 429)
    return fault('rate-limited', {
      ...facts,
      ...known({ retryAfter: facts.retryAfter ?? retryAfter(answer.header('ratelimit-reset'), clock.now()) }),
    });
  if (status === 404) return fault('not-found');
  if (status === 410) return fault('gone');
  return fault('unavailable', facts);
}

/** The time of the reset, or the wait that the older form spells out: `0 hours and 28 minutes`. */
function resetOf(json: Json, clock: Clock): number | undefined {
  const exact = believable(time(json['reset_time_utc']), clock.now());
  if (exact !== undefined) return exact;
  const wait = /^(\d{1,2}) hours? and (\d{1,2}) minutes?/.exec(text(json['reset_time'], 60) ?? '');
  return wait ? clock.now() + Number(wait[1]) * 3_600_000 + Number(wait[2]) * 60_000 : undefined;
}
