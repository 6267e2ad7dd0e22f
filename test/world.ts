/**
 * The whole server on a temporary folder, for tests: the real database, files, processes and router.
 *
 * Only two things are replaced: the clock, which a test moves, and the outbound network, which replies with
 * nothing and records the requests. Requests are injected and run through the whole server, and every kind of caller
 * is available by name.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { TOTP } from 'otpauth';
import { type App, createApp } from '../src/app.ts';
import { loadBoot } from '../src/config/index.ts';
import { SCOPES } from '../src/contract/kernel/endpoint.ts';
import type { Domain } from '../src/domain.ts';
import { CHEAP_HASHING } from '../src/identity/passwords/testing.ts';
import type { Clock } from '../src/lib/clock.ts';
import { copyOfEarlier } from '../src/lib/db/testing-sqlite.ts';
import { createLog } from '../src/lib/log.ts';
import type { NameQuestions, Net } from '../src/lib/net.ts';
import { SETTINGS } from '../src/settings.ts';
import { builtHelper } from './built-helpers.ts';

export const PASSWORD = 'four warm brown bread rolls';
const MINUTE = 60_000;

export interface TestClock extends Clock {
  pass(ms: number): void;
}
/** Wall time that only the test moves; monotonic time continues, because it measures real work. */
export function fakeClock(start = Date.parse('2026-11-20T12:00:00Z')): TestClock {
  let at = start;
  return { now: () => at, monotonic: () => performance.now(), pass: (ms) => void (at += ms) };
}

export interface Reply {
  status: number;
  /** The parsed JSON, or an empty object. */
  body: { [name: string]: unknown };
  text: string;
  headers: Record<string, string | string[] | number | undefined>;
}

/** Credential of a caller: none, a Bearer token, or a cookie from our own page. */
export type Who = undefined | { token: string } | { cookie: string };

export interface World extends App {
  folder: string;
  media: string;
  clock: TestClock;
  /** The lines of the log, as they were written. */
  lines: readonly string[];
  /** Outbound requests. */
  asked: readonly string[];
  call(
    who: Who,
    method: string,
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
    /** Address of the caller. Default: a machine at home. */
    address?: string,
  ): Promise<Reply>;
}

export interface WorldOptions {
  env?: Record<string, string>;
  net?: Net;
  /** Questions to name servers; by default none answers. */
  questions?: NameQuestions;
  /** Room on the disk of a folder. */
  room?: (path: string) => Promise<{ free: number; total: number }>;
  /** Puts files into the media folder before anything starts. */
  fill?(media: string): Promise<void>;
  /** Devices that convert video, and how large the clips are that they are tested with. */
  hardware?: Parameters<typeof createApp>[0]['hardware'];
  /** Folder of the built dashboard. Default: an empty folder. */
  dashboard?: string;
  /** Other domains than the server's own. */
  domains?: readonly Domain[];
  /** A world that was closed, whose folders are opened again. */
  after?: Pick<World, 'folder' | 'clock'>;
}

const SILENT_NAMES: NameQuestions = {
  txt: async () => [],
  addresses: async () => [],
  addressesHere: async () => undefined,
  hostAddresses: async () => [],
};

/** Opens a server that is assembled and not started; `start()` begins what runs in the background. */
export async function startWorld(
  t: Pick<TestContext, 'after'>,
  { env = {}, net, questions = SILENT_NAMES, room, fill, hardware, dashboard, domains, after }: WorldOptions = {},
): Promise<World> {
  const folder = after?.folder ?? (await mkdtemp(join(tmpdir(), 'matinee-world-')));
  const [media, data, cache, pages] = ['media', 'data', 'cache', 'pages'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [media, data, cache, pages]) await mkdir(path, { recursive: after !== undefined });
  await writeFile(join(pages, 'index.html'), '<!doctype html><title>Matinee</title>');
  await fill?.(media);
  const clock = after?.clock ?? fakeClock();
  const lines: string[] = [];
  const asked: string[] = [];
  const closed: Net = {
    request: async ({ url }) => {
      asked.push(String(url));
      throw new Error('a test reached for the network');
    },
    close: async () => {},
  };
  const boot = await loadBoot({
    settings: SETTINGS,
    env: {
      SERVICE_DATA_DIR: data,
      SERVICE_CACHE_DIR: cache,
      SERVICE_MEDIA_DIR: media,
      SERVICE_BACKUP_DIR: folder,
      SERVICE_TLS_ENABLED: 'false',
      ...env,
    },
    clock,
  });
  const log = createLog({ level: 'debug', write: (line) => void lines.push(line) });
  const app = await createApp(
    {
      boot,
      clock,
      log,
      version: '0.0.0',
      threads: 24,
      dashboard: dashboard ?? pages,
      net: net ?? closed,
      makeNameQuestions: () => questions,
      hashingCost: CHEAP_HASHING,
      makeNew: copyOfEarlier,
      helperModule: builtHelper,
      ...(room && { room }),
      ...(hardware && { hardware }),
    },
    domains,
  );
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= app.close());
  t.after(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
    // No reply may have a status that the document lacks.
    const undeclared = lines.filter((line) => line.includes('failure.undeclared'));
    if (undeclared.length > 0) throw new Error(`a failure that its endpoint does not declare: ${undeclared.join('')}`);
  });

  // eslint-disable-next-line max-params -- the order of a request; what is left out is as usual
  const call: World['call'] = async (who, method, url, body, headers = {}, address = '192.168.1.20') => {
    const reply = await app.http.server.inject({
      method: method as 'GET',
      url,
      remoteAddress: address,
      headers: {
        host: 'localhost',
        ...(who &&
          ('token' in who
            ? { authorization: `Bearer ${who.token}` }
            : { cookie: who.cookie, 'sec-fetch-site': 'same-origin' })),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      body: isJson && reply.body !== '' ? (JSON.parse(reply.body) as Reply['body']) : {},
      text: reply.body,
      headers: reply.headers,
    };
  };
  return { ...app, close, folder, media, clock, lines, asked, call };
}

const codeOf = (secret: string, at: number) =>
  new TOTP({ secret, issuer: 'x', label: 'x' }).generate({ timestamp: at });

/** Enrols a second factor, as every Profile must if `security.require_mfa` is set. Returns its secret. */
async function enrol({ call, clock }: World, token: string): Promise<string> {
  const begun = await call({ token }, 'POST', '/api/v1/me/mfa', {});
  const secret = String(begun.body['secret']);
  const done = await call({ token }, 'PUT', '/api/v1/me/mfa', { code: codeOf(secret, clock.now()) });
  if (done.status !== 204) throw new Error(`enrolment failed: ${done.status} ${done.text}`);
  // A code is good once; the next sign-in needs the next one.
  clock.pass(MINUTE);
  return secret;
}

async function signIn(
  { call, clock }: World,
  { name, secret, transport = 'token' }: { name: string; secret?: string; transport?: 'token' | 'cookie' },
): Promise<Reply> {
  const reply = await call(undefined, 'POST', '/api/v1/session', {
    name,
    password: PASSWORD,
    transport,
    ...(secret !== undefined && { code: codeOf(secret, clock.now()) }),
  });
  if (reply.status !== 201) throw new Error(`sign-in failed: ${reply.status} ${reply.text}`);
  clock.pass(MINUTE);
  return reply;
}

export const CALLERS = [
  'nobody',
  'viewer',
  'viewer denied',
  'viewer enrolling',
  'owner',
  'owner cookie',
  'owner stale',
  'owner enrolling',
  ...SCOPES.map((scope) => `key ${scope}` as const),
  'key all',
  'directory',
] as const;
export type Caller = (typeof CALLERS)[number];

/** Settings with which the directory of `makeHousehold` may call. */
export const DIRECTORY_SETTINGS = {
  SERVICE_SCIM_TOKEN: 'a-token-of-the-directory-for-tests-only',
  SERVICE_SCIM_TOKEN_EXPIRES_AT: '2027-01-31T12:00:00Z',
} as const;

/** Makes a caller of every kind, through the API alone. The directory is one in worlds with `DIRECTORY_SETTINGS`. */
export async function makeHousehold(world: World): Promise<Record<Caller, Who>> {
  const { call, clock } = world;
  const token = async (reply: Promise<Reply>) => String((await reply).body['token']);
  const owner = await token(call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD }));
  const secret = await enrol(world, owner);
  const policy = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true };
  const make = async (name: string, body: object) => {
    const made = await call({ token: owner }, 'POST', '/api/v1/profiles', { name, password: PASSWORD, ...body });
    if (made.status !== 201) throw new Error(`a Profile was not made: ${made.status} ${made.text}`);
  };
  await make('Vic', { policy });
  // The test's clock starts on a Friday at noon.
  await make('Dan', {
    policy: { ...policy, windows: [{ days: ['monday'], start: '03:00', end: '04:00', timeZone: 'Etc/UTC' }] },
  });
  await make('Eve', { policy });
  await make('Olga', { role: 'owner' });
  const secretOfVic = await enrol(world, await token(signIn(world, { name: 'Vic' })));
  const secretOfDan = await enrol(world, await token(signIn(world, { name: 'Dan' })));
  const stale = await token(signIn(world, { name: 'Ada', secret }));
  clock.pass(11 * MINUTE);
  const fresh = await token(signIn(world, { name: 'Ada', secret }));
  const cookie = [(await signIn(world, { name: 'Ada', secret, transport: 'cookie' })).headers['set-cookie'] ?? []]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ');
  const keys = await Promise.all(
    [...SCOPES.map((scope) => [scope]), [...SCOPES]].map(async (scopes) =>
      String(
        (await call({ token: fresh }, 'POST', '/api/v1/api-keys', { name: scopes.join(' '), scopes })).body['secret'],
      ),
    ),
  );
  return {
    nobody: undefined,
    viewer: { token: await token(signIn(world, { name: 'Vic', secret: secretOfVic })) },
    'viewer denied': { token: await token(signIn(world, { name: 'Dan', secret: secretOfDan })) },
    'viewer enrolling': { token: await token(signIn(world, { name: 'Eve' })) },
    owner: { token: fresh },
    'owner cookie': { cookie },
    'owner stale': { token: stale },
    directory: { token: DIRECTORY_SETTINGS.SERVICE_SCIM_TOKEN },
    'owner enrolling': { token: await token(signIn(world, { name: 'Olga' })) },
    ...(Object.fromEntries(
      [...SCOPES.map((scope) => `key ${scope}`), 'key all'].map((name, n) => [name, { token: keys[n] ?? '' }]),
    ) as Record<`key ${(typeof SCOPES)[number]}` | 'key all', Who>),
  };
}

/** A video of a second, made in an instant. */
export async function makeClip(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await promisify(execFile)('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=128x72:r=10:d=2',
    '-f',
    'lavfi',
    '-i',
    'sine=d=2',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-shortest',
    path,
  ]);
}
