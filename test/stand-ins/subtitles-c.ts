/** Stands in for the OpenSubtitles.com REST API: logins, searches in canonical form, granted links, quota. */
import { randomBytes } from 'node:crypto';
import type { Reply, SetFault } from './faults.ts';
import { type Offer, subtitleBytes } from './fixtures.ts';
import type { RecordedRequest, Protocol } from './server.ts';
import { canonicalQuery, decodedQuery, isKnown, isMeant, rowOf } from './subtitles-c-search.ts';

export const KEY_C = 'stand-in-key-c-0123456789abcdef';
export const USER_C = 'standin';
export const PASSWORD_C = 'stand-in password 42';

export interface NeedsC {
  offers: readonly Offer[];
  now(): number;
  /** Monotonic milliseconds, for counting calls per second. */
  monotonic(): number;
  downloads?: number;
  /** The account is sent to another host after the login. */
  vipHost?: string;
}

const API = '/api/v1';
const HOUR = 3_600_000;
/** A change of one reply, by a fault that was set. */
type ForeignHost = 'link' | 'host';

/** Returns the account: its tokens, its quota and the links that it was granted. */
function createAccount({
  offers,
  now,
  downloads,
  vipHost,
}: Required<Pick<NeedsC, 'offers' | 'now' | 'downloads'>> & Pick<NeedsC, 'vipHost'>) {
  const tokens = new Map<string, number>();
  const links = new Map<string, { offer: Offer; until: number }>();
  let used = 0;
  let foreign: ForeignHost | undefined;
  const resetAt = () => (Math.floor(now() / 86_400_000) + 1) * 86_400_000;
  const user = {
    allowed_translations: 1,
    allowed_downloads: downloads,
    user_id: 66,
    ext_installed: false,
    vip: vipHost !== undefined,
  };
  return {
    tokens,
    /** The next link, or the next login, names another host. */
    mislead: (what: ForeignHost) => void (foreign = what),
    login: (asked: RecordedRequest): Reply => {
      const body = jsonOf(asked.body);
      if (body['username'] !== USER_C || body['password'] !== PASSWORD_C)
        return message(401, 'Error, invalid username/password failed:1 remaining:9  ');
      const token = [12, 12, 16].map((bytes) => randomBytes(bytes).toString('hex')).join('.');
      tokens.set(token, now() + 24 * HOUR);
      const base_url = foreign === 'host' ? 'localhost:9' : (vipHost ?? asked.headers['host']);
      foreign = undefined;
      const level = vipHost === undefined ? 'Sub leecher' : 'VIP member';
      return ok({ user: { ...user, level }, token, status: 200, base_url });
    },
    grant: (asked: RecordedRequest): Reply => {
      const id = jsonOf(asked.body)['file_id'];
      const offer = offers.find(({ number }) => 500_000 + number === id);
      if (!offer) return message(406, 'Invalid file_id');
      const wait = waiting(resetAt(), now());
      if (used >= downloads) return quota(downloads, wait);
      used++;
      const hex = randomBytes(20).toString('hex').toUpperCase();
      links.set(hex, { offer, until: now() + 3 * HOUR });
      const host = foreign === 'link' ? 'http://localhost:9' : `http://${asked.headers['host'] ?? ''}`;
      foreign = undefined;
      return ok({
        link: `${host}/download/${hex}/subfile/${encodeURIComponent(offer.fileName)}`,
        file_name: offer.fileName,
        requests: used,
        remaining: downloads - used,
        message: `Your quota will be renewed in ${wait.words}`,
        reset_time: wait.words,
        reset_time_utc: wait.utc,
        uk: 'app',
        uid: 66,
        ts: Math.floor(now() / 1000),
      });
    },
    file: (asked: RecordedRequest): Reply => {
      const link = links.get(asked.path.split('/')[2] ?? '');
      if (!link || link.until <= now()) return { status: 410, body: 'link expired' };
      return {
        status: 200,
        headers: { 'content-type': 'text/plain; charset=UTF-8' },
        body: new TextDecoder('utf-8').decode(
          subtitleBytes({ item: link.offer.item, subtitle: { ...link.offer.subtitle, encoding: 'utf-8' } }),
        ),
      };
    },
    facts: (): Reply =>
      ok({
        data: {
          ...user,
          level: 'Sub leecher',
          downloads_count: used,
          remaining_downloads: Math.max(0, downloads - used),
          username: USER_C,
          reset_time_utc: new Date(resetAt()).toISOString(),
        },
      }),
    reset: () => {
      tokens.clear();
      links.clear();
      used = 0;
      foreign = undefined;
    },
  };
}

/** Returns counts of calls and logins within a second. */
function createRates(monotonic: () => number) {
  const calls: number[] = [];
  const logins: number[] = [];
  const isTooFast = (times: number[], most: number): boolean => {
    const since = monotonic() - 1000;
    while (times[0] !== undefined && times[0] <= since) times.shift();
    return times.push(monotonic()) > most;
  };
  return {
    isCallTooFast: () => isTooFast(calls, 5),
    isLoginTooFast: () => isTooFast(logins, 1),
    remaining: () => String(Math.max(0, 5 - calls.length)),
    reset: () => {
      calls.length = 0;
      logins.length = 0;
    },
  };
}

const stepOf: Protocol['stepOf'] = (method, path) => {
  if (path.startsWith('/download/')) return 'file';
  const steps = {
    [`POST ${API}/login`]: 'login',
    [`POST ${API}/download`]: 'grant',
    [`GET ${API}/subtitles`]: 'search',
    [`GET ${API}/infos/user`]: 'account',
  } as const;
  return steps[`${method} ${path}` as keyof typeof steps] ?? 'other';
};

const defaultStep: Protocol['defaultStep'] = ({ fault }) => {
  if (['quota', 'quota-200', 'invalid-file', 'payment', 'foreign-link'].includes(fault)) return 'grant';
  if (fault === 'other-host') return 'login';
  return fault.startsWith('zip') || ['rar', 'seven-zip', 'program', 'empty-file', 'expired-link'].includes(fault)
    ? 'file'
    : undefined;
};

export function fakeProviderC({ offers: all, now, monotonic, downloads = 20, vipHost }: NeedsC): Protocol {
  const offers = all.filter(({ subtitle }) => subtitle.providers.includes('subtitles_c'));
  const account = createAccount({ offers, now, downloads, ...(vipHost !== undefined && { vipHost }) });
  const rates = createRates(monotonic);
  const { tokens, grant } = account;
  const login = (asked: RecordedRequest): Reply => (rates.isLoginTooFast() ? rate(1) : account.login(asked));
  return {
    name: 'subtitles_c',
    apiPath: API,
    stepOf,
    leaksOf: leaksOf(tokens),
    headers: () => ({
      'ratelimit-limit': '5',
      'ratelimit-remaining': rates.remaining(),
      'ratelimit-reset': '1',
      'x-ratelimit-limit-second': '5',
      'x-ratelimit-remaining-second': rates.remaining(),
      'x-var-cache': 'MISS',
    }),
    defaultStep,
    answer: (asked) => {
      if (asked.step === 'file') return account.file(asked);
      if (asked.headers['api-key'] !== KEY_C) return message(403, 'You cannot consume this service');
      if (rates.isCallTooFast()) return rate(1);
      if (asked.step === 'login') return login(asked);
      if (asked.step === 'search') return search(offers, asked);
      if (asked.path === `${API}/infos/languages`)
        return ok({ data: [{ language_code: 'en', language_name: 'English' }] });
      if (asked.path === `${API}/infos/formats`)
        return ok({ data: { output_formats: ['srt', 'sub', 'mpl', 'webvtt', 'dfxp', 'txt'] } });
      const token = (asked.headers['authorization'] ?? '').replace(/^Bearer /, '');
      if ((tokens.get(token) ?? 0) <= now()) return message(401, 'invalid token');
      if (asked.path === `${API}/logout` && asked.method === 'DELETE')
        return tokens.delete(token) ? message(200, 'token successfully destroyed') : message(401, 'invalid token');
      if (asked.step === 'grant') return grant(asked);
      return asked.step === 'account' ? account.facts() : message(404, 'not found');
    },
    inOwnWords: (fault, asked) => {
      // These change what is answered rather than how.
      if (fault.fault === 'token-expires') {
        tokens.clear();
        return message(401, 'invalid token');
      }
      if (fault.fault === 'other-host' || fault.fault === 'foreign-link') {
        const isHost = fault.fault === 'other-host';
        account.mislead(isHost ? 'host' : 'link');
        return isHost ? login(asked) : grant(asked);
      }
      return inOwnWords(fault, { now, downloads });
    },
    hungUp: rates.reset,
    reset: () => {
      account.reset();
      rates.reset();
    },
  };
}

function search(offers: readonly Offer[], { query }: RecordedRequest): Reply {
  const canonical = canonicalQuery(query);
  if (canonical !== decodedQuery(query)) return { status: 301, headers: { location: `${API}/subtitles?${canonical}` } };
  const hash = query.get('moviehash');
  if (hash !== null && !/^[a-f0-9]{16}$/.test(hash))
    return { status: 400, headers: { 'x-reason': 'invalid moviehash' } };
  const unknown = [...query.keys()].filter((name) => !isKnown(name));
  if (unknown.length > 0) return message(400, 'unknown parameter');
  const found = offers.filter((offer) => isMeant(offer, query));
  const page = Number(query.get('page') ?? 1);
  return ok({
    total_pages: Math.ceil(found.length / 50),
    total_count: found.length,
    per_page: 50,
    page,
    data: found.slice((page - 1) * 50, page * 50).map((offer) => rowOf(offer, hash)),
  });
}

/**
 * The credentials have one place each: the key in its header, the password in the login, the token in Authorization.
 */
const leaksOf =
  (tokens: ReadonlyMap<string, number>) =>
  (asked: RecordedRequest): string[] => {
    const out: string[] = [];
    const address = decodeURIComponent(asked.url.href.replaceAll('+', ' '));
    const everything = [address, asked.body, ...Object.values(asked.headers)];
    if ([KEY_C, PASSWORD_C, USER_C, ...tokens.keys()].some((secret) => address.includes(secret)))
      out.push('a credential in an address');
    if (asked.step !== 'login' && everything.some((text) => text.includes(PASSWORD_C)))
      out.push('the password outside the login');
    if (asked.step === 'login' && asked.host !== 'main') out.push('the password sent to another host');
    if (
      asked.step === 'file' &&
      (asked.headers['api-key'] !== undefined || asked.headers['authorization'] !== undefined)
    )
      out.push('a credential to the host of the files');
    if (!/^\S+ v\d/.test(asked.headers['user-agent'] ?? '')) out.push('a User-Agent of another form');
    return out;
  };

function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function waiting(at: number, now: number): { words: string; utc: string } {
  const minutes = Math.max(0, Math.floor((at - now) / 60_000));
  return { words: `${Math.floor(minutes / 60)} hours and ${minutes % 60} minutes`, utc: new Date(at).toISOString() };
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const ok = (body: object): Reply => ({ status: 200, headers: json, body: JSON.stringify(body) });
const message = (status: number, text: string): Reply => ({
  status,
  headers: json,
  body: JSON.stringify({ message: text, status }),
});
const rate = (seconds: number): Reply => ({
  ...message(429, 'Throttle limit reached. Retry later.'),
  headers: { ...json, 'retry-after': String(seconds) },
});
const quota = (most: number, { words, utc }: { words: string; utc: string }): Reply => ({
  status: 406,
  headers: json,
  body: JSON.stringify({
    requests: most + 1,
    remaining: -1,
    message: `You have downloaded your allowed ${most} subtitles for 24h.Your quota will be renewed in ${words}`,
    reset_time: words,
    reset_time_utc: utc,
  }),
});

function inOwnWords(fault: SetFault, { now, downloads }: { now: () => number; downloads: number }): Reply | undefined {
  const wait = waiting(now() + fault.resetIn * 1000, now());
  switch (fault.fault) {
    case 'rate-limited':
      return rate(fault.retryAfter);
    case 'rate-limited-date':
      return {
        ...rate(0),
        headers: { ...json, 'retry-after': new Date(now() + fault.retryAfter * 1000).toUTCString() },
      };
    case 'quota':
      return quota(downloads, wait);
    case 'quota-200':
      return ok({
        requests: downloads,
        remaining: 0,
        message: `Your quota will be renewed in ${wait.words}`,
        reset_time: wait.words,
        reset_time_utc: wait.utc,
      });
    case 'invalid-file':
      return message(406, 'Invalid file_id');
    case 'payment':
      return message(402, 'Payment required');
    case 'unauthorized':
      return message(401, 'invalid token');
    case 'forbidden':
      return message(403, 'You cannot consume this service');
    case 'forbidden-page':
      return {
        status: 403,
        headers: { 'content-type': 'text/html' },
        body: '<!DOCTYPE html><html><body>Attention required</body></html>',
      };
    case 'expired-link':
      return { status: 410, body: 'link expired' };
    case 'error-200':
      return ok({ message: 'internal error', status: 500 });
    case 'bad-request':
      return { status: 400, headers: { 'x-reason': 'not understood' } };
    case 'redirect-loop':
      return { status: 301, headers: { location: '?again=1' } };
    default:
      return undefined;
  }
}
