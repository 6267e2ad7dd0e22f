/** Playback sessions: limits, rest, ends and what a restart keeps, on both engines. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makePrincipal } from '../../http/testing.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Database } from '../../lib/db/index.ts';
import { eachEngine, openTemporaryDatabase } from '../../lib/db/testing.ts';
import { silentLog } from '../../lib/log.ts';
import { IDLE_MS } from './active.ts';
import { createPlaybackSessions, FORGOTTEN_MS, CLOSED_MS, MAX_STARTED, type PlaybackSessions } from './sessions.ts';
import { sessionMigrations, sessionStore } from './store.ts';
import type { PlaybackSession, SessionRecipe, PlaybackSessionRow } from './types.ts';

const ITEM = '1'.repeat(16);
const OTHER_ITEM = '2'.repeat(16);
const ADA = makePrincipal({ profile: 'a'.repeat(16) });
const VIC = makePrincipal({ profile: 'b'.repeat(16), credential: 'e'.repeat(16) });
const recipe = (way: SessionRecipe['way'] = 'remux', duration = 100): SessionRecipe => ({
  way,
  reasons: [{ code: 'container-not-supported', detail: 'This player does not open Matroska files.' }],
  parts: [{ version: '3'.repeat(16), part: 1, identity: 'x', start: 0, duration }],
  videos: [],
  audios: [],
  subtitles: [],
});

interface Set {
  sessions: PlaybackSessions;
  clock: { now(): number; pass(ms: number): void };
  released: string[];
  ended: () => number;
  begin(by: Principal, way?: SessionRecipe['way'], item?: string): Promise<PlaybackSession>;
  /** Another process over the same tables. */
  again(): Promise<Set>;
}

async function opened(t: TestContext, db: Database, at = Date.UTC(2026, 10, 20)): Promise<Set> {
  let now = at;
  let ended = 0;
  const released: string[] = [];
  const clock = { now: () => now, pass: (ms: number) => void (now += ms) };
  const sessions = await createPlaybackSessions({
    store: sessionStore(db),
    clock,
    log: silentLog,
    release: (id) => void released.push(id),
    ended: () => void (ended += 1),
    changed: () => {},
  });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await sessions.close();
    isClosed = true;
  };
  t.after(close);
  return {
    sessions,
    clock,
    released,
    ended: () => ended,
    begin: (by, way, item = ITEM) =>
      sessions.begin(
        { by, item, device: 'Living room', recipe: recipe(way), position: 12 },
        undefined,
        (_, later) => later,
      ),
    again: async () => {
      await close();
      return opened(t, db, now);
    },
  };
}
const fails = (kind: string, words: RegExp) => (error: unknown) =>
  error instanceof Error && 'kind' in error && error.kind === kind && words.test(error.message);

eachEngine('a restart keeps sessions, their use and their ends', sessionMigrations, async (t, db) => {
  const before = await opened(t, db);
  const [one, two, three] = await Promise.all([before.begin(ADA), before.begin(ADA, 'transcode'), before.begin(VIC)]);
  before.sessions.enter(ADA, ITEM, one.id);
  before.sessions.moved(one, 47.5);
  await before.sessions.end(two, 'playback was stopped');
  const after = await before.again();
  assert.deepEqual({ ...after.sessions.enter(ADA, ITEM, one.id), by: undefined }, { ...one, by: undefined });
  assert.equal(one.position, 47.5);
  assert.throws(() => after.sessions.enter(ADA, ITEM, two.id), fails('gone', /^playback was stopped$/));
  assert.equal(after.sessions.get(three.id)?.isStarted, false);
  await after.sessions.forgetProfile(VIC.profile, async () => {});
  assert.equal((await after.again()).sessions.get(three.id), undefined);
});

test('a plan, a change and a stop are stored before they are acknowledged', async (t) => {
  const store = sessionStore(await openTemporaryDatabase(t, sessionMigrations));
  const stored: (() => void)[] = [];
  const slow = {
    ...store,
    put: async (row: PlaybackSessionRow) => {
      await new Promise<void>((resolve) => void stored.push(resolve));
      await store.put(row);
    },
  };
  const sessions = await createPlaybackSessions({
    store: slow,
    clock: { now: () => 1 },
    log: silentLog,
    release: () => {},
    ended: () => {},
    changed: () => {},
  });
  t.after(() => sessions.close());
  const isWaiting = async (work: Promise<unknown>): Promise<void> => {
    assert.equal(
      await Promise.race([
        work.then(() => 'acknowledged'),
        new Promise((resolve) => void setImmediate(resolve, 'waiting')),
      ]),
      'waiting',
    );
    stored.shift()?.();
    await work;
  };
  const plan = { by: ADA, item: ITEM, device: 'x', recipe: recipe(), position: 0 };
  const begun = sessions.begin(plan, undefined, (_, now) => now);
  await isWaiting(begun);
  const session = await begun;
  await isWaiting(sessions.begin({ ...plan, recipe: recipe('direct') }, session.id, (_, now) => now));
  await isWaiting(sessions.end(session, 'over'));
  assert.deepEqual(
    (await store.all()).map(({ id, recipe: { way }, ended }) => [id, way, ended]),
    [[session.id, 'direct', 'over']],
  );
});

test('a session is for its Profile and its item alone', async (t) => {
  const { sessions, begin } = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  const { id } = await begin(ADA);
  assert.throws(() => sessions.enter(VIC, ITEM, id), fails('missing', /no such session/));
  assert.throws(() => sessions.enter(ADA, OTHER_ITEM, id), fails('missing', /no such session/));
  assert.throws(() => sessions.enter(ADA, ITEM, 'f'.repeat(16)), fails('missing', /no such session/));
  assert.equal(sessions.enter(ADA, ITEM, id).id, id);
  assert.deepEqual(
    [sessions.isOpen(ADA, ITEM, id), sessions.isOpen(VIC, ITEM, id), sessions.isOpen(ADA, OTHER_ITEM, id)],
    [true, false, false],
  );
});

test('three that are converted and six others, of each Profile, and each by itself', async (t) => {
  const { sessions, begin, clock } = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  let devices = 0;
  const another = (by: Principal): Principal => ({ ...by, credential: String(++devices).padStart(16, '0') });
  const play = async (by: Principal, way: SessionRecipe['way']) => {
    const on = another(by);
    return sessions.enter(on, ITEM, (await begin(on, way)).id);
  };
  const converted = [await play(ADA, 'transcode'), await play(ADA, 'remux-audio'), await play(ADA, 'transcode')];
  await assert.rejects(
    play(ADA, 'transcode'),
    fails('conflict', /^3 streams are being converted for this profile already; stop one/),
  );
  for (let n = 0; n < 6; n++) await play(ADA, n % 2 === 0 ? 'direct' : 'remux');
  await assert.rejects(play(ADA, 'direct'), fails('conflict', /^this profile plays 6 streams already/));
  await play(VIC, 'transcode');
  const [first] = converted;
  assert.ok(first);
  assert.equal(
    (
      await sessions.begin(
        { by: ADA, item: ITEM, device: 'x', recipe: recipe('transcode'), position: 0 },
        first.id,
        (_, now) => now,
      )
    ).id,
    first.id,
    'one that is changed is not another one',
  );
  await sessions.end(first, 'over');
  const planned = await begin(another(ADA), 'transcode');
  await play(ADA, 'transcode');
  assert.throws(
    () => sessions.enter(ADA, ITEM, planned.id),
    fails('conflict', /3 streams/),
    'a plan that was made before is not a place that is kept',
  );
  clock.pass(IDLE_MS);
  sessions.enter(ADA, ITEM, planned.id);
});

test('a new film on a device replaces the previous one, which a page can continue later', async (t) => {
  const { sessions, begin, released, clock } = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  const [first, second] = [await begin(ADA, 'transcode'), await begin(ADA, 'transcode', OTHER_ITEM)];
  sessions.enter(ADA, ITEM, first.id);
  assert.deepEqual(
    [released, sessions.placesOf(ADA, second.id)],
    [[], [first.id, second.id]],
    'a plan alone takes nothing',
  );
  sessions.enter(ADA, OTHER_ITEM, second.id);
  assert.deepEqual([released, sessions.list().map(({ id }) => id)], [[first.id], [second.id]]);
  clock.pass(1);
  sessions.enter(ADA, ITEM, first.id);
  sessions.enter(ADA, OTHER_ITEM, second.id);
  assert.deepEqual(
    [released, sessions.list().length, sessions.isActive(first)],
    [[first.id], 2, true],
    'pages that both play stop each other once',
  );
  const more = await Promise.all(
    ['3', '4', '5'].map(async (item) =>
      sessions.enter(ADA, item.repeat(16), (await begin(ADA, 'transcode', item.repeat(16))).id),
    ),
  );
  for (const { item, id } of more.slice(0, 2)) sessions.enter(ADA, item, id);
  assert.throws(
    () => sessions.enter(ADA, ITEM, first.id),
    fails('conflict', /3 streams/),
    'and one device plays no more than a profile may',
  );
});

test('a plan without a request is no playback', async (t) => {
  const { sessions, begin, clock } = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  const plans = await Promise.all(Array.from({ length: 60 }, () => begin(ADA, 'transcode')));
  assert.deepEqual(sessions.list(), []);
  assert.equal(plans.filter(({ id }) => sessions.get(id)).length, 50, 'and so many are kept at most');
  clock.pass(CLOSED_MS);
  sessions.sweep();
  assert.equal(plans.filter(({ id }) => sessions.get(id)).length, 0);
});

test('a profile has a limited number of sessions to continue, and those that are idle longest go', async (t) => {
  const { sessions, begin, clock } = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  const all: string[] = [];
  for (let n = 0; n < MAX_STARTED + 3; n++) {
    const { id } = sessions.enter(ADA, ITEM, (await begin(ADA, 'direct')).id);
    all.push(id);
    clock.pass(CLOSED_MS / MAX_STARTED);
    if (n === 10) sessions.enter(ADA, ITEM, all[0] ?? '');
  }
  await begin(ADA, 'direct');
  const kept = all.filter((id) => sessions.get(id));
  assert.equal(kept.length, MAX_STARTED);
  assert.deepEqual([kept[0], kept.at(-1)], [all[0], all.at(-1)], 'one that was used again stays');
});

test('a session rests after 90 seconds, is closed after half an hour, and is taken up within twelve', async (t) => {
  const { sessions, begin, clock, released } = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  const session = sessions.enter(ADA, ITEM, (await begin(ADA, 'transcode')).id);
  clock.pass(IDLE_MS - 1);
  sessions.sweep();
  assert.deepEqual([released, sessions.isActive(session)], [[], true]);
  clock.pass(1);
  sessions.sweep();
  assert.deepEqual([released, sessions.isActive(session), sessions.list().length], [[session.id], false, 1]);
  clock.pass(CLOSED_MS);
  sessions.sweep();
  assert.deepEqual([sessions.list(), sessions.get(session.id)?.ended], [[], null]);
  sessions.enter(ADA, ITEM, session.id);
  assert.equal(sessions.list().length, 1);
  clock.pass(FORGOTTEN_MS);
  sessions.sweep();
  assert.throws(() => sessions.enter(ADA, ITEM, session.id), fails('missing', /no such session/));
});

test('what may no longer be played ends, once, and says why', async (t) => {
  const set = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  const { sessions, begin, released } = set;
  const [mine, others, unused] = [
    sessions.enter(ADA, ITEM, (await begin(ADA)).id),
    sessions.enter(VIC, ITEM, (await begin(VIC)).id),
    await begin(ADA),
  ];
  const why = (_: PlaybackSession, by: Principal) => (by.profile === ADA.profile ? 'hidden now' : undefined);
  sessions.review(why);
  sessions.review(why);
  assert.deepEqual(
    [mine.ended, unused.ended, others.ended, released, set.ended()],
    ['hidden now', 'hidden now', null, [mine.id], 2],
  );
  const next = await sessions.begin(
    { by: ADA, item: ITEM, device: 'x', recipe: recipe(), position: 0 },
    mine.id,
    (_, now) => now,
  );
  assert.notEqual(next.id, mine.id, 'what ended stays so');
});

test('a clock that was set back forgets nothing', async (t) => {
  const { sessions, begin, clock } = await opened(t, await openTemporaryDatabase(t, sessionMigrations));
  const session = sessions.enter(ADA, ITEM, (await begin(ADA)).id);
  clock.pass(-FORGOTTEN_MS);
  sessions.sweep();
  assert.equal(sessions.enter(ADA, ITEM, session.id).id, session.id);
});
