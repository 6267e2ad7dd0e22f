/** Counting of played time: two devices, pauses, steady clock, and the end of what plays when it is over. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makePrincipal } from '../../http/testing.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { silentLog } from '../../lib/log.ts';
import { BUFFER_MS, IDLE_MS } from './active.ts';
import { createPlaybackSessions } from './sessions.ts';
import { sessionMigrations, sessionStore } from './store.ts';
import { COUNT_EVERY_MS, createWatchTime, MAX_COUNTED_MS } from './watch-time.ts';

const ITEM = '1'.repeat(16);
const SECOND = 1_000;
const ADA = makePrincipal({ profile: 'a'.repeat(16) });
const PHONE = makePrincipal({ profile: 'a'.repeat(16), credential: 'd'.repeat(16) });
const VIC = makePrincipal({ profile: 'b'.repeat(16), credential: 'e'.repeat(16) });

/** Ada has a limit in milliseconds, Vic has none. */
async function opened(t: TestContext, limit = 3_600_000) {
  let now = Date.UTC(2026, 10, 20);
  let ticks = 0;
  const clock = { now: () => now, monotonic: () => ticks };
  const pass = (ms: number): void => void ((now += ms), (ticks += ms));
  const sessions = await createPlaybackSessions({
    store: sessionStore(await openTemporaryDatabase(t, sessionMigrations)),
    clock,
    log: silentLog,
    release: () => {},
    ended: () => {},
    changed: () => {},
  });
  let used = 0;
  const watchTime = createWatchTime({
    sessions,
    clock,
    people: {
      timeOf: (profile) => (profile === ADA.profile ? { isOver: used >= limit } : undefined),
      watched: (profile, ms) => {
        assert.equal(profile, ADA.profile);
        used += ms;
      },
    },
    review: () =>
      sessions.review(({ profile }) => (profile === ADA.profile && used >= limit ? 'time is over' : undefined)),
  });
  t.after(async () => {
    watchTime.close();
    await sessions.close();
  });
  const begin = (by: Principal) =>
    sessions.begin(
      {
        by,
        item: ITEM,
        device: 'Living room',
        position: 0,
        recipe: { way: 'direct', reasons: [], parts: [], videos: [], audios: [], subtitles: [] },
      },
      undefined,
      (_, later) => later,
    );
  /** Lets time pass while these are asked for at each count. */
  const play = (ms: number, ...playing: { by: Principal; id: string }[]): void => {
    for (let left = ms; left > 0; left -= COUNT_EVERY_MS) {
      for (const { by, id } of playing) sessions.enter(by, ITEM, id);
      pass(Math.min(left, COUNT_EVERY_MS));
      watchTime.count();
    }
  };
  const start = async (by: Principal) => {
    const { id } = await begin(by);
    sessions.enter(by, ITEM, id);
    watchTime.count();
    return { by, id };
  };
  return {
    sessions,
    watchTime,
    pass,
    play,
    start,
    begin,
    used: () => used / SECOND,
    jump: (ms: number) => void (now += ms),
  };
}

test('a minute counts once, whether one device plays or two', async (t) => {
  const w = await opened(t);
  const one = await w.start(ADA);
  w.play(60 * SECOND, one);
  assert.equal(w.used(), 60);
  const two = await w.start(PHONE);
  w.play(60 * SECOND, one, two);
  assert.equal(w.used(), 120);
  w.play(60 * SECOND, one);
  w.play(60 * SECOND, two);
  assert.equal(w.used(), 240);
});

test('a plan that is not played, an idle session, and other Profiles do not count', async (t) => {
  const w = await opened(t);
  await w.begin(ADA);
  w.play(60 * SECOND, await w.start(VIC));
  assert.equal(w.used(), 0);
  await w.start(ADA);
  w.play(IDLE_MS + 600 * SECOND);
  assert.equal(w.used(), IDLE_MS / SECOND);
});

test('a pause does not count, unless the stream is fetched on behind it', async (t) => {
  const w = await opened(t);
  const one = await w.start(ADA);
  w.play(20 * SECOND, one);
  const session = w.sessions.get(one.id);
  assert.ok(session);
  w.sessions.notePause(session, true);
  w.play(30 * SECOND, one);
  assert.equal(w.used(), 25, 'up to the count that sees it');
  w.play(600 * SECOND);
  assert.equal(w.used(), 25);
  w.sessions.notePause(session, false);
  w.play(5 * SECOND, one);
  w.play(20 * SECOND, one);
  assert.equal(w.used(), 45);

  w.sessions.notePause(session, true);
  for (let passed = 0; passed < BUFFER_MS; passed += 10 * SECOND) {
    w.sessions.notePause(session, true);
    w.play(10 * SECOND, one);
  }
  const before = w.used();
  w.play(60 * SECOND, one);
  assert.ok(w.used() - before >= 55, 'a player that says pause and fetches on is playing');
});

test('the wall clock adds nothing, and neither does a machine that slept', async (t) => {
  const w = await opened(t);
  const one = await w.start(ADA);
  w.play(10 * SECOND, one);
  w.jump(-30 * SECOND);
  w.play(10 * SECOND, one);
  assert.equal(w.used(), 20);
  w.sessions.enter(ADA, ITEM, one.id);
  w.pass(8 * 3_600 * SECOND);
  w.watchTime.count();
  assert.equal(w.used(), 20 + MAX_COUNTED_MS / SECOND);
});

test('what plays ends when the time is over, on every device, and nothing new begins', async (t) => {
  const w = await opened(t, 60 * SECOND);
  const [one, two, other] = [await w.start(ADA), await w.start(PHONE), await w.start(VIC)];
  w.play(55 * SECOND, one, two, other);
  assert.equal(w.sessions.get(one.id)?.ended, null);
  w.watchTime.refuseOver(ADA);
  w.play(5 * SECOND, one, two, other);
  for (const { by, id } of [one, two]) assert.throws(() => w.sessions.enter(by, ITEM, id), /time is over/);
  assert.throws(() => w.watchTime.refuseOver(ADA), { kind: 'forbidden', reason: 'watch-time-over' });
  w.sessions.enter(VIC, ITEM, other.id);
  w.watchTime.refuseOver(VIC);
});

test('without a session only those play whose time is not counted', async (t) => {
  const w = await opened(t);
  assert.throws(() => w.watchTime.requireSession(ADA), { kind: 'forbidden', reason: 'playback-session-needed' });
  w.watchTime.requireSession(VIC);
});
