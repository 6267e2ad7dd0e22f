/**
 * Effect of very large and very many subtitles on other requests: how long the server's main thread is blocked,
 * and how long the reply takes, for an ordinary film of 1,500 cues, for one of 100,000, and for the clean-up of
 * 20,000 files.
 *
 * By hand: `node bench/subtitles-large.ts [--only=film|monster|cleanup] [--files=20000] [--rounds=5]`. Over HTTP, on
 * the real server with its real disk. The server runs on a separate core if there are two.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Child, startServerProcess } from '../test/faults/child.ts';
import { median, report } from './report.ts';

const flag = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
const ROUNDS = Number(flag('rounds') ?? 5);
const FILES = Number(flag('files') ?? 20_000);
const only = flag('only');
const home = mkdtempSync(join(tmpdir(), 'matinee-bench-large-'));

interface Held {
  p99: number;
  max: number;
  /** Processor time of the main thread. */
  used: number;
}

interface Reply<T> {
  status: number;
  body: T;
  bytes: Buffer;
}
/** One request, however long it takes. */
async function ask<T = Record<string, unknown>>(
  { child, token }: { child: Child; token?: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply<T>> {
  const reply = await fetch(`${child.url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return {
    status: reply.status,
    bytes,
    get body() {
      return JSON.parse(bytes.toString()) as T;
    },
  };
}

/** Time for which the main thread was blocked since the last call. */
async function heldBy(child: Child): Promise<Held> {
  const before = child.output().split('@held ').length;
  process.kill(child.pid, 'SIGUSR2');
  for (;;) {
    const parts = child.output().split('@held ');
    if (parts.length > before && parts.at(-1)?.includes('\n'))
      return JSON.parse(parts.at(-1)?.split('\n')[0] ?? '{}') as Held;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

interface Server {
  child: Child;
  token: string;
}

/** Starts a server on that folder, and waits until so many items are known. */
async function serve(name: string, items: number): Promise<Server> {
  const folder = join(home, name);
  const folders = { data: join(folder, 'data'), cache: join(folder, 'cache'), media: join(folder, 'media') };
  for (const one of Object.values(folders)) mkdirSync(one, { recursive: true, mode: 0o700 });
  const child = await startServerProcess({
    ...folders,
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s', SERVICE_SUBTITLE_LANGUAGE: 'en' },
    load: ['../bench/held.ts'],
  });
  assert.ok(await child.ready, child.output());
  const made = await ask<{ token: string }>({ child }, 'POST', '/api/v1/setup', {
    name: 'Ada',
    password: 'four warm brown bread rolls',
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { token } = made.body;
  await ask({ child, token }, 'POST', '/api/v1/tasks/scan', {});
  for (;;) {
    const { body } = await ask<{ items: { state: string }[] }>({ child, token }, 'GET', '/api/v1/tasks');
    if (body.items.every(({ state }) => state !== 'queued' && state !== 'running')) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  for (;;) {
    const { body } = await ask<{ total: number; pending: number }>(
      { child, token },
      'GET',
      '/api/v1/subtitle-library?limit=1',
    );
    if (body.total >= items && body.pending === 0) return { child, token };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const two = (value: number): string => String(value).padStart(2, '0');
const clock = (ms: number): string =>
  `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)},` +
  `${String(ms % 1000).padStart(3, '0')}`;
/** Words that every rule has something to do with now and then. */
const LINES = [
  'I was there.',
  'You know it.',
  '(door opens)',
  'Where is he?',
  '- No.\n- Yes.',
  '<i>Long ago</i>',
  'JOHN: Come in.',
  'lt is late.',
  'We go home now, all of us.',
];
function srtOf(cues: number, { every, short }: { every: number; short: boolean }): string {
  let text = '';
  for (let n = 0; n < cues; n++)
    text +=
      `${n + 1}\n${clock(n * every)} --> ${clock(n * every + every - (n % 7 === 0 ? -20 : 30))}\n` +
      `${short ? ['Hi', '(no)', 'So.'][n % 3] : LINES[n % LINES.length]}\n\n`;
  return text;
}

/** Median time of a reply, and the longest wait of another request meanwhile. */
async function measure(
  server: Server,
  what: string,
  once: (round: number) => Promise<{ status: number; bytes: Buffer }>,
  { rounds = ROUNDS, aim = 20 } = {},
): Promise<void> {
  const times: number[] = [];
  let held: Held = { p99: 0, max: 0, used: 0 };
  const used: number[] = [];
  let size = 0;
  for (let round = 0; round < rounds; round++) {
    await heldBy(server.child);
    const since = performance.now();
    const { status, bytes } = await once(round);
    times.push(performance.now() - since);
    const now = await heldBy(server.child);
    if (now.max > held.max) held = now;
    used.push(now.used);
    if (status !== 200)
      return report({
        what,
        figure: `status ${status} after ${times.at(-1)?.toFixed(0)} ms, blocked for ${held.max.toFixed(0)} ms at most`,
        note: bytes.toString().slice(0, 200),
      });
    size = bytes.length;
  }
  const later = times.slice(1);
  report({
    what,
    figure:
      `${median(later.length > 0 ? later : times).toFixed(1)} ms (first ${times[0]?.toFixed(1)} ms), held up for ` +
      `${held.max.toFixed(0)} ms at most`,
    aim: `held up under ${aim} ms`,
    met: held.max < aim,
    note: `${median(used).toFixed(0)} ms of the main thread's processor time, ${(size / 1024).toFixed(0)} KiB`,
  });
}

function makeVideo(path: string, seconds: number): void {
  execFileSync('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `color=c=black:s=64x36:r=1:d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `anoisesrc=d=${seconds}:a=0.1`,
    '-c:v',
    'mpeg4',
    '-c:a',
    'ac3',
    path,
  ]);
}

async function benchDocuments(): Promise<void> {
  const media = join(home, 'documents', 'media');
  const CUES = 100_000;
  const texts = {
    Film: srtOf(1_500, { every: 3_600, short: false }),
    Monster: srtOf(CUES, { every: 1_000, short: true }),
  };
  for (const [name, text] of Object.entries(texts)) {
    const folder = join(media, `${name} (2001)`);
    mkdirSync(folder, { recursive: true });
    makeVideo(join(folder, `${name} (2001).mkv`), 600);
    writeFileSync(join(folder, `${name} (2001).en.srt`), text);
    assert.ok(text.length < 4 * 1024 * 1024, `${text.length}`);
  }
  const server = await serve('documents', 2);
  const { child } = server;
  try {
    const { body } = await ask<{ items: { id: string; file: string }[] }>(
      server,
      'GET',
      '/api/v1/subtitle-library?limit=40',
    );
    for (const name of Object.keys(texts).filter((one) => only === undefined || only === one.toLowerCase())) {
      const id = body.items.find(({ file }) => file.includes(name))?.id ?? '';
      const at = `/api/v1/subtitle-library/${id}`;
      const all = {
        language: 'en',
        removeCredits: true,
        mergeRepeated: true,
        removeHearingImpaired: true,
        fixCommonErrors: true,
        fixOverlaps: true,
      };
      const brought = Buffer.from(
        srtOf(name === 'Film' ? 1_400 : 18_000, { every: 3_500, short: name !== 'Film' }),
      ).toString('base64');
      const label = name === 'Film' ? '1,500 cues' : '100,000 cues';
      await measure(server, `${label}: preview with every clean-up`, () => ask(server, 'POST', `${at}/preview`, all));
      await measure(server, `${label}: preview with an offset`, () =>
        ask(server, 'POST', `${at}/preview`, { language: 'en', offsetMilliseconds: 500 }),
      );
      await measure(server, `${label}: preview of another file`, () =>
        ask(server, 'POST', `${at}/preview`, { language: 'en', data: brought }),
      );
      await measure(server, `${label}: inspect`, () => ask(server, 'GET', `${at}/inspect?language=en`));
      for (const format of ['srt', 'vtt', 'original'])
        await measure(server, `${label}: export as ${format}`, () =>
          ask(server, 'GET', `${at}/export?language=en&format=${format}`),
        );
      await measure(server, `${label}: audio`, () => ask(server, 'POST', `${at}/audio`, { language: 'en' }), {
        rounds: 3,
      });
      await measure(
        server,
        `${label}: audio is compared`,
        () => ask(server, 'POST', `${at}/preview`, { language: 'en', automaticSync: true }),
        { rounds: 2 },
      );
      const seen = await ask<{ fingerprint: string }>(server, 'GET', `${at}/inspect?language=en`);
      let { fingerprint } = seen.body;
      await measure(server, `${label}: apply an offset`, async (round) => {
        const reply = await ask<{ fingerprint: string }>(server, 'POST', `${at}/apply`, {
          language: 'en',
          fingerprint,
          offsetMilliseconds: round % 2 === 0 ? 700 : -300,
        });
        ({ fingerprint } = reply.body);
        return reply;
      });
      await measure(
        server,
        `${label}: apply every clean-up`,
        () => ask(server, 'POST', `${at}/apply`, { ...all, fingerprint }),
        { rounds: 1 },
      );
    }
  } finally {
    await child.stop();
  }
}

async function benchCleanup(): Promise<void> {
  const media = join(home, 'cleanup', 'media');
  mkdirSync(media, { recursive: true });
  const [video, text] = [join(home, 'cleanup', 'clip.mkv'), '1\n00:00:01,000 --> 00:00:02,000\nHi\n'];
  makeVideo(video, 4);
  const bytes = readFileSync(video);
  // Six of ten are films in separate folders, the others episodes of one folder a season.
  for (let n = 0; n < FILES; n++) {
    const path =
      n % 10 < 6
        ? `films/Picture ${n} (${1950 + (n % 70)})/Picture ${n} (${1950 + (n % 70)})`
        : `shows/Serial ${Math.floor(n / 200)}/Season 1/Serial ${Math.floor(n / 200)} ` +
          `S01E${String(n % 200).padStart(3, '0')}`;
    mkdirSync(dirname(join(media, path)), { recursive: true });
    if (n % 1_000 === 0) writeFileSync(`${video}.${n}`, Buffer.concat([bytes, Buffer.from(String(n))]));
    linkSync(`${video}.${n - (n % 1_000)}`, join(media, `${path}.mkv`));
    writeFileSync(join(media, `${path}.en.srt`), text);
  }
  const server = await serve('cleanup', FILES);
  const { child } = server;
  try {
    const policy = { enabled: true, languages: ['en'], forced: 'keep' };
    let digest = '';
    await measure(
      server,
      `clean-up of ${FILES.toLocaleString('en')} files: preview`,
      async () => {
        const reply = await ask<{ digest: string; count: number }>(
          server,
          'POST',
          '/api/v1/subtitles/cleanup/preview',
          policy,
        );
        assert.equal(reply.body.count, FILES, JSON.stringify(reply.body).slice(0, 300));
        ({ digest } = reply.body);
        return reply;
      },
      { rounds: 3 },
    );
    await measure(
      server,
      `clean-up of ${FILES.toLocaleString('en')} files: apply`,
      () => ask(server, 'POST', '/api/v1/subtitles/cleanup', { ...policy, digest }),
      { rounds: 1 },
    );
  } finally {
    await child.stop();
  }
}

try {
  if (only !== 'cleanup') await benchDocuments();
  if (only === undefined || only === 'cleanup') await benchCleanup();
} finally {
  rmSync(home, { recursive: true, force: true });
}
