/**
 * Counting of played time: two devices, pauses, steady clock, what was sent whatever is reported, and the end of what
 * plays when it is over.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makePrincipal } from '../../http/testing.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { silentLog } from '../../lib/log.ts';
import { BUFFER_MS, IDLE_MS } from './active.ts';
import { AHEAD_S, DIRECT_SPEED } from './delivered.ts';
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
    wait: async (ms) => pass(ms),
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
  /** Sends seconds of the item, and returns the session that they are sent to. */
  const send = ({ by, id }: { by: Principal; id: string }, from: number, to: number) => {
    for (let at = from; at < to; at += 4)
      watchTime.send(sessions.enter(by, ITEM, id), { from: at, to: Math.min(at + 4, to) });
    return sessions.get(id) ?? assert.fail('no session');
  };
  return {
    sessions,
    watchTime,
    send,
    pass,
    play,
    start,
    begin,
    now: () => now,
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

test('a player that reports a pause again and again is counted by what it is sent', async (t) => {
  const w = await opened(t);
  const one = await w.start(ADA);
  for (let at = 0; at < 600; at += 5) {
    w.sessions.notePause(w.sessions.get(one.id) ?? assert.fail(), at % 10 === 0);
    w.sessions.notePause(w.sessions.get(one.id) ?? assert.fail(), true);
    w.send(one, at, at + 5);
    w.play(5 * SECOND, one);
  }
  assert.equal(w.used(), 600 - AHEAD_S);
  // Playing the same again is watching it again.
  w.pass(60 * SECOND);
  w.send(one, 0, 100);
  w.watchTime.count();
  assert.equal(w.used(), 700 - AHEAD_S);
});

test('a film that is fetched at once is counted at once, and ends with the minutes of the day', async (t) => {
  const w = await opened(t, 600 * SECOND);
  const one = await w.start(ADA);
  w.sessions.notePause(w.sessions.get(one.id) ?? assert.fail(), true);
  w.send(one, 0, 300);
  assert.ok(w.used() > 200, 'before the next count');
  w.watchTime.count();
  assert.equal(w.used(), 300 - AHEAD_S);
  assert.throws(() => w.send(one, 300, 900), /time is over/);
  assert.ok(w.used() <= 600 + 5, `${w.used()}`);
});

test('a session after another of the same film begins without another allowance', async (t) => {
  const w = await opened(t);
  for (let at = 0; at < 300; at += 30) {
    const one = await w.start(ADA);
    const session = w.send(one, at, at + 30);
    w.sessions.notePause(session, true);
    await w.sessions.end(session, 'left');
    w.watchTime.count();
  }
  assert.equal(w.used(), 300 - AHEAD_S);
});

test('a buffer, a small seek, and sound next to the picture cost nothing that is not played', async (t) => {
  const w = await opened(t);
  const one = await w.start(ADA);
  w.send(one, 0, 60);
  for (let at = 0; at < 300; at += 5) {
    w.send(one, at + 60, at + 65);
    w.send(one, at + 60, at + 65);
    if (at === 100) w.send(one, at + 40, at + 65);
    w.play(5 * SECOND, one);
  }
  assert.equal(w.used(), 300);
  // Two devices that play two places of a film count once.
  const two = await w.start(PHONE);
  for (let at = 0; at < 300; at += 5) {
    w.send(one, at + 1000, at + 1005);
    w.send(two, at + 3000, at + 3005);
    w.play(5 * SECOND, one, two);
  }
  assert.equal(w.used(), 600);
});

test('what was counted when it was sent is not counted again while it plays', async (t) => {
  const w = await opened(t);
  const one = await w.start(ADA);
  w.send(one, 0, AHEAD_S + 100);
  w.play(50 * SECOND, one);
  assert.equal(w.used(), 100);
  w.play(100 * SECOND, one);
  assert.equal(w.used(), 150);
});

test('a Profile without a limit is neither counted nor slowed', async (t) => {
  const w = await opened(t);
  const one = await w.start(VIC);
  const session = w.send(one, 0, 7200);
  await w.watchTime.paced(session, { from: 0, to: 7200 }, () => assert.fail('it waits'), new AbortController().signal);
  assert.equal(w.used(), 0);
});

test('a file that is sent as it is takes its time, and an abort ends the wait', async (t) => {
  const w = await opened(t);
  const one = await w.start(ADA);
  const session = w.sessions.get(one.id) ?? assert.fail();
  const stop = new AbortController();
  const began = w.now();
  let waits = 0;
  for (let at = 0; at < 1_000; at += 10)
    await w.watchTime.paced(session, { from: at, to: at + 10 }, () => (waits += 1), stop.signal);
  const took = (w.now() - began) / SECOND;
  assert.ok(took >= (990 - AHEAD_S) / DIRECT_SPEED - 1 && took < 1_000 / DIRECT_SPEED, `${took}`);
  assert.ok(waits > 500);
  waits = 0;
  stop.abort();
  await w.watchTime.paced(session, { from: 0, to: 10_000 }, () => (waits += 1), stop.signal);
  assert.equal(waits, 0);
});
