/** Playback is recorded once at its beginning and once at its end, with the time that it played. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { activityMigrations } from '../../activity/index.ts';
import { openTestLog } from '../../activity/testing-log.ts';
import { makePrincipal } from '../../http/testing.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { silentLog } from '../../lib/log.ts';
import { passes } from '../../../test/until.ts';
import { IDLE_MS } from './active.ts';
import { createPlaybackLog } from './playback-log.ts';
import { createPlaybackSessions } from './sessions.ts';
import { sessionMigrations, sessionStore } from './store.ts';

const ITEM = '1'.repeat(16);
const DEVICE = '2'.repeat(16);
const ADA = makePrincipal({ profile: 'a'.repeat(16) });
const SECOND = 1_000;

async function opened(t: TestContext) {
  const db = await openTemporaryDatabase(t, [...activityMigrations, ...sessionMigrations]);
  const log = await openTestLog(t, db, { audit: 1e12, playback: 1e12 });
  const { activity, clock } = log;
  const start = async () => {
    const sessions = await createPlaybackSessions({
      store: sessionStore(db),
      clock,
      log: silentLog,
      release: () => {},
      ended: () => {},
      changed: () => {},
    });
    const played = createPlaybackLog({ sessions, activity, clock, log: silentLog, deviceIdOf: () => DEVICE });
    await played.settle();
    t.after(async () => {
      await played.close();
      await sessions.close();
    });
    return { sessions, played };
  };
  /** Lets time pass while the player asks for its stream every five seconds. */
  const play = (server: Awaited<ReturnType<typeof start>>, id: string, seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 5) {
      clock.pass(5 * SECOND);
      server.sessions.enter(ADA, ITEM, id);
      server.played.look();
    }
  };
  const recipe = { way: 'remux', reasons: [], parts: [], videos: [], audios: [], subtitles: [] } as const;
  return {
    clock,
    start,
    play,
    begin: async ({ sessions, played }: Awaited<ReturnType<typeof start>>) => {
      const plan = { by: ADA, item: ITEM, device: 'x', position: 0, recipe };
      const { id } = await sessions.begin(plan, undefined, (_, now) => now);
      sessions.enter(ADA, ITEM, id);
      played.look();
      return id;
    },
    recorded: async () =>
      (await activity.reading.page({}, 100)).entries.toReversed().map(({ kind, actor, target, details }) => {
        assert.deepEqual([actor, target, details['device'], details['way']], [ADA.profile, ITEM, DEVICE, 'remux']);
        return kind === 'playback-started' ? 'started' : details['seconds'];
      }),
  };
}

test('playing is counted, a pause and the silence after the last request are not', async (t) => {
  const w = await opened(t);
  const server = await w.start();
  const id = await w.begin(server);
  w.play(server, id, 60);
  const session = server.sessions.get(id);
  assert.ok(session);
  server.sessions.notePause(session, true);
  w.clock.pass(30 * SECOND);
  server.sessions.enter(ADA, ITEM, id);
  server.played.look();
  await passes(async () => assert.deepEqual(await w.recorded(), ['started']));
  server.sessions.notePause(session, false);
  w.play(server, id, 20);
  for (let passed = 0; passed < IDLE_MS; passed += 5 * SECOND) {
    w.clock.pass(5 * SECOND);
    server.played.look();
  }
  await server.played.close();
  assert.deepEqual(await w.recorded(), ['started', 80]);
});

test('a session that is taken up again is recorded once more, and a stop of the server ends it', async (t) => {
  const w = await opened(t);
  const server = await w.start();
  const id = await w.begin(server);
  w.play(server, id, 10);
  w.clock.pass(IDLE_MS);
  server.played.look();
  w.play(server, id, 15);
  await server.played.close();
  assert.deepEqual(await w.recorded(), ['started', 10, 'started', 10]);
  await w.start();
  assert.deepEqual((await w.recorded()).length, 4, 'nothing is left to end');
});

test('what played when the server was killed is ended at the next start, once', async (t) => {
  const w = await opened(t);
  const server = await w.start();
  const id = await w.begin(server);
  w.play(server, id, 120);
  await passes(async () => assert.deepEqual(await w.recorded(), ['started']));
  await server.sessions.close();
  await w.start();
  assert.deepEqual(await w.recorded(), ['started', 120]);
  await w.start();
  assert.deepEqual((await w.recorded()).length, 2);
});
