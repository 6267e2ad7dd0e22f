/**
 * Encoders that are killed or hang, and viewers who disconnect: the film continues with every picture, with one encoder
 * more at most, and an unwatched film uses no encoder.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test, type TestContext } from 'node:test';
import { filmPath, openHouse, type PlayingHouse, type Viewer } from './faults/house.ts';
import {
  encodersBelow,
  isRunning,
  makeFilm,
  plan,
  playWhole,
  RATE,
  type Segments,
  segmentsOf,
  wanted,
} from './faults/viewer.ts';
import { until } from './until.ts';

/** A run is held thirty segments of two seconds ahead, and these are forty. */
const SECONDS = 80;
const LAST = SECONDS / 2 - 1;
const FILMS = ['Killed', 'Refused', 'Still', 'Vanished', 'Idle'] as const;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;
let house: PlayingHouse;
const { availableParallelism } = os;

before(async () => {
  // A server with places for the three films that are converted side by side here, whatever this machine has.
  os.availableParallelism = () => 16;
  syncBuiltinESMExports();
  house = await openHouse(together, ['Films'], FILMS.length + 1, {
    fill: async (media) => {
      const at = (title: string): string => filmPath(join(media, 'Films'), title);
      await Promise.all(FILMS.map((title) => makeFilm(at(title), { video: 'mpeg4', seconds: SECONDS, isNoise: true })));
      await makeFilm(at('Direct'), { video: 'h264', seconds: 8, size: '640x360', isNoise: true });
    },
  });
});
after(async () => {
  os.availableParallelism = availableParallelism;
  syncBuiltinESMExports();
  for (const close of closing.splice(0).toReversed()) await close();
});
afterEach(async () => {
  const { items } = (await house.call({ token: house.owner }, 'GET', '/api/v1/playback-sessions')).body as unknown as {
    items: { id: string }[];
  };
  for (const { id } of items) await house.call({ token: house.owner }, 'DELETE', `/api/v1/playback-sessions/${id}`);
  await until('the end of all encoders', () => encodersBelow(process.pid).length === 0);
});

interface Playing extends Segments {
  viewer: Viewer;
  session: string;
}
async function begun(title: (typeof FILMS)[number]): Promise<Playing> {
  const viewer = await house.device();
  const planned = await plan(viewer.get, house.ids.get(title) ?? '');
  assert.equal(planned.mode, 'transcode');
  const playing = { viewer, session: planned.session, ...(await segmentsOf(viewer.get, planned)) };
  // Its header is made by a separate short run.
  await wanted(viewer.get, playing.init);
  return playing;
}
const segment = ({ viewer, all }: Playing, n: number): Promise<Buffer> => wanted(viewer.get, all[n] ?? '');
/** How often a run of an encoder failed so far. */
const failures = (): number => house.lines.filter((line) => line.includes('playback.transcode.failed')).length;
/** The encoder that is not among these. */
const newEncoder = (known: readonly number[] = []): Promise<number> =>
  until('an encoder', () => encodersBelow(process.pid).find((pid) => !known.includes(pid)), { everyMs: 1 });
/** Moves the clock that counts failures. */
function pass(ms: number): void {
  const { monotonic } = house.clock;
  house.clock.monotonic = () => monotonic() + ms;
}
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended just before.
  }
}

test('killed before its first byte, within a segment, while it is held, and at its end', async () => {
  const playing = await begun('Killed');
  const steps = [
    async () => {
      const asked = segment(playing, 0);
      kill(await newEncoder());
      await asked;
    },
    async () => {
      const asked = segment(playing, 2);
      for (const pid of encodersBelow(process.pid)) kill(pid);
      await asked;
    },
    async () => {
      const pid = await newEncoder();
      await until('a run that is held', () => standsStill(pid));
      kill(pid);
      await segment(playing, LAST - 2);
    },
    async () => {
      await segment(playing, LAST);
      for (const pid of encodersBelow(process.pid)) kill(pid);
      await segment(playing, LAST);
    },
  ];
  for (const [n, step] of steps.entries()) {
    const before = failures();
    await step();
    assert.ok(failures() - before <= 1, `step ${n}: one run failed at most`);
    pass(61_000);
  }
  assert.equal(await playWhole(playing.viewer.get, playing), SECONDS * RATE);
});

/** Whether a process used no processor time for a while. */
async function standsStill(pid: number): Promise<boolean> {
  const ticks = (): string =>
    isRunning(pid)
      ? (readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ').slice(11, 13).join() ?? '')
      : '';
  const before = ticks();
  await new Promise((resolve) => setTimeout(resolve, 150));
  return ticks() === before;
}
const sessions = async (): Promise<unknown> =>
  (await house.call({ token: house.owner }, 'GET', '/api/v1/playback-sessions')).body;

test('a film whose encoder keeps dying is refused with a reason, others play, and later it plays', async () => {
  const playing = await begun('Refused');
  let isKilling = true;
  const killer = (async () => {
    while (isKilling) {
      for (const pid of encodersBelow(process.pid)) kill(pid);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  try {
    const before = failures();
    let asked = 30;
    const refused = await until('the refusal', async () => {
      const got = await playing.viewer.get(playing.all[asked] ?? '');
      // A segment that was made before its encoder was killed is there from then on.
      if (got.status === 200) asked += 1;
      // A slow machine may be at the second of the three tries when the reply says that it is not ready yet.
      return got.status === 200 || got.bytes.includes('still-converting') ? undefined : got;
    });
    assert.deepEqual(
      [refused.status, JSON.parse(refused.bytes.toString())],
      [503, { error: 'the video of this file cannot be converted', reason: 'cannot-decode', retryAfterSeconds: 60 }],
    );
    assert.equal(failures() - before, 3);
    const other = await house.device();
    assert.ok(
      (
        await wanted(
          other.get,
          (await plan(other.get, house.ids.get('Direct') ?? '', 'containers=matroska&videoCodecs=h264&audioCodecs=aac'))
            .urls.media,
        )
      ).length > 0,
    );
  } finally {
    isKilling = false;
    await killer;
  }
  pass(61_000);
  assert.equal(await playWhole(playing.viewer.get, playing), SECONDS * RATE);
});

test('twenty seconds with a stuck encoder, a viewer without network, and one who does not return', async () => {
  const [still, vanished, idle] = [await begun('Still'), await begun('Vanished'), await begun('Idle')];
  await segment(idle, 0);
  const idlePid = await newEncoder();
  // Everything that is asked for from here on is later than a rest.
  house.clock.pass(91_000);

  await segment(vanished, 0);
  const vanishedPid = await newEncoder([idlePid]);
  const other = await house.device();
  const direct = (
    await plan(other.get, house.ids.get('Direct') ?? '', 'containers=matroska&videoCodecs=h264&audioCodecs=aac')
  ).urls.media;
  const whole = await wanted(other.get, direct);
  const halfRead = await other.open(direct);

  const before = failures();
  await segment(still, 0);
  const stillPid = await newEncoder([idlePid, vanishedPid]);
  process.kill(stillPid, 'SIGSTOP');
  // Earlier segments are there; the test waits for the first missing one.
  let waited = 0;
  for (let n = 1; n <= LAST; n++) {
    await until(`segment ${n}`, async () => {
      const { status } = await still.viewer.get(still.all[n] ?? '');
      waited += status === 503 ? 1 : 0;
      return status === 200;
    });
  }
  assert.ok(waited <= 2, `asked again ${waited} times`);
  assert.equal(failures() - before, 1, 'one run was given up, and one took its place');
  await until('the end of the encoder that is stuck', () => !isRunning(stillPid));
  assert.equal(await playWhole(still.viewer.get, still), SECONDS * RATE);

  await until('the end of the encoder that nobody watches', () => !isRunning(idlePid));
  assert.equal(isRunning(vanishedPid), true, 'the one whose viewer has no network is held');
  await segment(vanished, LAST);
  assert.deepEqual(
    encodersBelow(process.pid).filter((pid) => pid !== vanishedPid),
    [],
    'it went on with the same one',
  );
  const { bytes, isWhole } = await halfRead.rest();
  assert.ok(bytes.equals(whole.subarray(0, bytes.length)));
  // A reply that was not read for too long may be cut; the player asks for the rest of it.
  if (!isWhole)
    assert.ok(
      (await (await other.open(direct, { range: `bytes=${bytes.length}-` })).rest()).bytes.equals(
        whole.subarray(bytes.length),
      ),
    );
  assert.ok(JSON.stringify(await sessions()).includes(vanished.session));
});
