/**
 * The cost of reading what a Viewer has stored: each kind is filled to its bound for one Profile, over 100,000
 * synthetic items, and read over HTTP from a server that has just been started, and again when it has it in memory.
 * Writes viewer-storage.json, from which docs/security.md takes its figures (`npm run docs`).
 *
 * By hand: `node bench/viewer-storage.ts [--rounds=20]`. The Viewer makes one of each through the API, and the rest are
 * copies in the database. The processor time is that of the server, which the load of the machine hardly changes.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_HISTORY } from '../src/catalog/store/watching.ts';
import { MAX_RULE_LEAVES } from '../src/contract/catalog/rule-fields.ts';
import { MAX_ENTRIES_OF_PROFILE, MAX_PLAYLIST_ENTRIES, MAX_PLAYLISTS } from '../src/contract/lists/playlists.ts';
import { MAX_RULE_BYTES_OF_PROFILE } from '../src/contract/lists/smart-playlists.ts';
import { MAX_LISTED_REQUESTS, MAX_REQUEST_WORDS } from '../src/contract/requests/limits.ts';
import { MAX_SESSIONS } from '../src/identity/accounts/sessions.ts';
import { openDatabase, type Transaction } from '../src/lib/db/index.ts';
import { MIGRATIONS } from '../src/migrations.ts';
import { ask, type Child, startServerProcess } from '../test/faults/child.ts';
import { buildServer } from '../tools/server.ts';
import type { MeasuredReads } from '../tools/viewer-storage.ts';
import { populate } from './library.ts';
import { quantile, report } from './report.ts';
import { processorSeconds } from './usage.ts';

const ROUNDS = Number(process.argv.find((one) => one.startsWith('--rounds='))?.split('=')[1] ?? 20);
const PASSWORD = 'four warm brown bread rolls';
const FILMS = 100_000;
const HOUR_MS = 3_600_000;
/** Entries of the log of activity: many years of a household. */
const ACTIVITY_ENTRIES = 100_000;

type Row = Record<string, unknown>;
type Rows = Transaction<Record<string, Row>>;

const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
const file = join(folders.data, 'matinee.db');
const idOf = (kind: string, n: number): string => `${kind}${n.toString(16).padStart(15, '0')}`;

async function start(program: string): Promise<Child> {
  const child = await startServerProcess({ ...folders, program, env: { SERVICE_REQUIRE_MFA: 'false' } });
  assert.ok(await child.ready, child.output());
  return child;
}
const caller =
  (child: Child, token?: string) =>
  async (method: string, path: string, body?: unknown): Promise<Row & { bytes: number }> => {
    const reply = await ask<Row>(child, method, `/api/v1/${path}`, { token, body });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.bytes.toString().slice(0, 200)}`);
    return { ...reply.body, bytes: reply.bytes.length };
  };

/** Adds copies of the only row of a table with these values, up to a number of rows. */
async function copy(tx: Rows, table: string, count: number, changed: (n: number) => Row): Promise<void> {
  const [seed, ...others] = await tx.selectFrom(table).selectAll().orderBy('rowid').execute();
  assert.ok(seed, table);
  for (let from = others.length + 1; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, n) => ({ ...seed, ...changed(from + n) }));
    await tx.insertInto(table).values(rows).execute();
  }
}

interface Seeded {
  owner: string;
  token: string;
  profile: string;
  smart: string;
  playlist: string;
}
/** A Viewer makes one of each. Returns its token and playlists, and the token of the Owner. */
async function seed(child: Child): Promise<Seeded> {
  const ownerToken = String((await caller(child)('POST', 'setup', { name: 'Ada', password: PASSWORD }))['token']);
  const owner = caller(child, ownerToken);
  const policy = { libraries: 'all', rating: 'all' };
  const { id } = await owner('POST', 'profiles', { name: 'Vic', role: 'viewer', password: PASSWORD, policy });
  const signedIn = await caller(child)('POST', 'session', { name: 'Vic', password: PASSWORD });
  const viewer = caller(child, String(signedIn['token']));
  const name = '界'.repeat(200);
  const playlist = await viewer('POST', 'playlists', { name, ids: [idOf('b', 0)] });
  // As large as all can be that a Profile has, with conditions that take long.
  const bytes = Math.floor(MAX_RULE_BYTES_OF_PROFILE / MAX_PLAYLISTS);
  const leaf = (n: number) => ({ field: 'title', is: 'contains', value: `no film is called ${n}` });
  const leaves = Array.from({ length: MAX_RULE_LEAVES }, (_, n) => leaf(n));
  while (JSON.stringify({ match: 'any', rules: leaves }).length > bytes) leaves.pop();
  const smart = await viewer('POST', 'smart-playlists', { name, rules: { match: 'any', not: true, rules: leaves } });
  await viewer('POST', 'requests', { kind: 'item', words: 'x'.repeat(MAX_REQUEST_WORDS) });
  return {
    owner: ownerToken,
    token: String(signedIn['token']),
    profile: String(id),
    ...{ smart: String(smart['id']), playlist: String(playlist['id']) },
  };
}

async function fill({ profile, smart, playlist }: Seeded): Promise<void> {
  const db = await openDatabase({ file, migrations: MIGRATIONS });
  const now = Date.now();
  await db.write('grouped', async (tx: Rows) => {
    const query = (await tx.selectFrom('lists_smart').selectAll().where('id', '=', smart).executeTakeFirst())?.[
      'query'
    ];
    // A different year in each, so that none has the result of another.
    const own = (n: number) => String(query).replace('called 0', `called ${1_000 + n}`);
    await copy(tx, 'lists_smart', MAX_PLAYLISTS, (n) => ({ id: idOf('f', n), query: own(n) }));
    await copy(tx, 'lists_playlist', MAX_PLAYLISTS, (n) => ({ id: idOf('f', n) }));
    // One is as long as one can be, and the others share the rest.
    await copy(tx, 'lists_entry', MAX_ENTRIES_OF_PROFILE, (n) => ({
      ...{ id: idOf('f', n), item: idOf('b', n % FILMS), place: n },
      playlist: n < MAX_PLAYLIST_ENTRIES ? playlist : idOf('f', 1 + (n % (MAX_PLAYLISTS - 1))),
    }));
    await copy(tx, 'requests_request', MAX_LISTED_REQUESTS, (n) => ({ id: idOf('f', n), created_at: now - n }));
    const [session] = await tx.selectFrom('identity_session').selectAll().where('profile', '=', profile).execute();
    for (let n = 1; n < MAX_SESSIONS; n++)
      await tx
        .insertInto('identity_session')
        .values({ ...session, id: idOf('f', n), hash: `copy ${n}` })
        .execute();
    const last = await tx.selectFrom('activity_entry').selectAll().orderBy('number', 'desc').executeTakeFirstOrThrow();
    for (let from = 1; from < ACTIVITY_ENTRIES; from += 500)
      await tx
        .insertInto('activity_entry')
        .values(
          Array.from({ length: 500 }, (_, n) => ({
            ...{ ...last, number: Number(last['number']) + from + n, id: idOf('f', from + n) },
            ...{ actor: profile, profile },
          })),
        )
        .execute();
    const watch = { position: 300, watched: 0, play_count: 1, listed: now, rating: 7, last_played: now };
    const places = { session: null, sequence: null, part: null, part_offset: null, percent: null };
    for (let from = 0; from < FILMS; from += 500)
      await tx
        .insertInto('catalog_watch')
        .values(
          Array.from({ length: 500 }, (_, n) => ({
            ...{ profile, item: idOf('b', from + n), ...watch, dismissed: 0, ...places, file: null, file_offset: null },
          })),
        )
        .execute();
    for (let from = 0; from < MAX_HISTORY; from += 500)
      await tx
        .insertInto('catalog_history')
        .values(
          Array.from({ length: 500 }, (_, n) => ({
            ...{ profile, item: idOf('b', from + n), session: `s${from + n}`, at: now - HOUR_MS - from - n },
            ...{ position: 300, watched: 1 },
          })),
        )
        .execute();
  });
  await db.close();
}

const ACTIVITY = 'activity?limit=200';
/** Paths that are read, each with its row of the table in docs/security.md; the last by the Owner. */
const READS = (playlist: string): readonly (readonly [string, string])[] => [
  ['Preferences and face', 'me'],
  ['Time that was played', 'me/time'],
  ['Playlists', 'playlists?limit=200'],
  ['Playlists', `playlists/${playlist}/items?limit=200`],
  ['Smart playlists', 'smart-playlists?limit=200'],
  ['Position, rating, My List of an item', 'library?view=list&limit=200'],
  ['Watch history', 'history?limit=200'],
  ['Requests', 'requests'],
  ['Sessions and devices', 'me/sessions?limit=200'],
  ['Activity log and notices', ACTIVITY],
];

async function bench(): Promise<void> {
  const program = await buildServer();
  const db = await openDatabase({ file, migrations: MIGRATIONS });
  await populate(db, { films: FILMS, shows: 0, episodes: 0 }, { name: 'media', path: folders.media });
  await db.close();
  let child = await start(program);
  const stored = await seed(child);
  await child.stop();
  await fill(stored);
  child = await start(program);
  try {
    // The index is loaded, and its orders are made, whatever a Viewer has stored.
    await caller(child, stored.token)('GET', 'library?limit=1');
    await pause(5_000);
    const reads: MeasuredReads['reads'] = [];
    for (const [what, path] of READS(stored.playlist)) {
      const read = caller(child, path === ACTIVITY ? stored.owner : stored.token);
      const since = performance.now();
      const { bytes } = await read('GET', path);
      const firstMs = performance.now() - since;
      const times: number[] = [];
      const rounds = firstMs > 500 ? 3 : ROUNDS;
      const before = processorSeconds(child.pid);
      for (let round = 0; round < rounds; round++) {
        const from = performance.now();
        await read('GET', path);
        times.push(performance.now() - from);
      }
      const cpuMs = ((processorSeconds(child.pid) - before) * 1000) / rounds;
      const shown = path.replace(stored.playlist, '{id}');
      reads.push({
        ...{ what, path: `/api/v1/${shown}`, bytes, firstMs: Math.round(firstMs) },
        ...{ ms: Math.round(quantile(times, 0.5)), cpuMs: Math.round(cpuMs) },
      });
      report({
        what: `GET /api/v1/${shown}`,
        figure: `first ${firstMs.toFixed(0)} ms, then ${quantile(times, 0.5).toFixed(0)} ms, ${bytes} bytes`,
        note: `${cpuMs.toFixed(0)} ms of processor time each, load ${(loadavg()[0] ?? 0).toFixed(1)}`,
      });
    }
    const measured: MeasuredReads = {
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}, load ${(loadavg()[0] ?? 0).toFixed(0)}`,
      items: FILMS,
      reads,
    };
    writeFileSync(new URL('viewer-storage.json', import.meta.url), `${JSON.stringify(measured, undefined, 2)}\n`);
  } finally {
    await child.stop();
  }
}

try {
  await bench();
} finally {
  rmSync(home, { recursive: true, force: true });
}
