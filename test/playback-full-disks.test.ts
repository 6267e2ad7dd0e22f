/**
 * The disk of the cache is full, over its quota, read-only or nearly full while films are played: every picture comes
 * all the same, no part of a file is left behind, Owners see the reason, and the disk is used again once it has room.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test, type TestContext } from 'node:test';
import { planFaults, type WritingCall } from '../src/lib/files/calls.ts';
import { walk } from './faults/damage.ts';
import { filmPath, openHouse, type PlayingHouse, type Viewer } from './faults/house.ts';
import { makeFilm, plan, playWhole, RATE, segmentsOf } from './faults/viewer.ts';
import { passes, until } from './until.ts';

const SECONDS = 5;
const GIB = 1024 ** 3;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;
let free = 100 * GIB;
let house: PlayingHouse;
let viewer: Viewer;

/** Errors of a disk, the call of a write that fails, and the words for Owners. */
const DISKS = [
  { code: 'ENOSPC', calls: ['write'], why: 'its disk is full' },
  { code: 'ENOSPC', calls: ['rename'], why: 'its disk is full' },
  { code: 'EDQUOT', calls: ['open', 'mkdir'], why: 'the quota of its disk is used up' },
  { code: 'EROFS', calls: ['open', 'mkdir', 'fchmod', 'unlink'], why: 'its disk is read-only' },
] as const;

/** Films for what comes after. */
const ROOM = ['Room A', 'Room B', 'Room C', 'Room D'];

before(async () => {
  house = await openHouse(together, ['Films'], 2 * DISKS.length + ROOM.length, {
    room: () => Promise.resolve({ free, total: 200 * GIB }),
    fill: async (media) => {
      for (const n of DISKS.keys()) {
        await makeFilm(filmPath(join(media, 'Films'), `Converted ${n}`), { video: 'mpeg4', seconds: SECONDS });
        await makeFilm(filmPath(join(media, 'Films'), `Recording ${n}`, 'ts'), { video: 'h264', seconds: SECONDS });
      }
      for (const title of ROOM)
        await makeFilm(filmPath(join(media, 'Films'), title), { video: 'mpeg4', seconds: SECONDS });
    },
  });
  viewer = await house.device();
});
after(async () => {
  planFaults(null);
  for (const close of closing.splice(0).toReversed()) await close();
});
afterEach(() => {
  planFaults(null);
  pass(61_000);
});

const cache = (): string => join(house.folder, 'cache');
const kept = (folder: string): string[] => {
  try {
    return walk(join(cache(), folder));
  } catch {
    return [];
  }
};
const sentences = async (): Promise<string[]> =>
  (await house.findings()).filter(({ subject }) => subject === 'playback').map(({ sentence }) => sentence);
/** A full disk is asked again after ten seconds. */
function pass(ms: number): void {
  const { monotonic } = house.clock;
  house.clock.monotonic = () => monotonic() + ms;
}
async function plays(title: string, mode: string): Promise<void> {
  const planned = await until(`a plan of ${title} as ${mode}`, async () => {
    const found = await plan(viewer.get, house.ids.get(title) ?? '');
    return found.mode === mode ? found : undefined;
  });
  assert.equal(await playWhole(viewer.get, await segmentsOf(viewer.get, planned)), SECONDS * RATE);
}

for (const [n, { code, calls, why }] of DISKS.entries()) {
  test(`${code} at ${calls.join(', ')}`, async () => {
    const pictures = `/trickplay/${house.ids.get(`Converted ${n}`)}/index.vtt`;
    planFaults((call: WritingCall) =>
      (calls as readonly WritingCall[]).includes(call)
        ? Object.assign(new Error('told by the system'), { code })
        : undefined,
    );
    await plays(`Converted ${n}`, 'transcode');
    await plays(`Converted ${n}`, 'transcode');
    // Its index is found by a walk, and kept in memory.
    await plays(`Recording ${n}`, 'remux');
    const refused = await until('the end of the work on pictures', async () => {
      const got = await viewer.get(pictures);
      return got.status === 202 ? undefined : got;
    });
    assert.deepEqual(
      [refused.status, JSON.parse(refused.bytes.toString())],
      [503, { error: 'there is no room to keep preview pictures', reason: 'no-room' }],
    );
    // A file is written, and its failure reported, behind the reply.
    await passes(async () => {
      assert.deepEqual(
        ['streams', 'indexes', 'trickplay']
          .flatMap(kept)
          .filter((name) => name.endsWith('.part') && !calls.includes('unlink' as never)),
        [],
      );
      const told = await sentences();
      for (const [what, sentence] of [
        ['Converted video', 'Playback continues'],
        ['Indexes of recordings', 'read through again'],
        ['Preview pictures', 'without new ones'],
      ] as const) {
        assert.ok(
          told.some((one) => one.startsWith(what) && one.includes(why) && one.includes(sentence)),
          `${what}: ${told.join(' | ')}`,
        );
      }
    });
    // A folder that is there, and one that has to be made.
    if (n % 2 === 0)
      for (const folder of ['streams', 'indexes', 'trickplay'])
        rmSync(join(cache(), folder), { recursive: true, force: true });
  });
}

test('the disk is used again once it has room', async () => {
  await plays('Room A', 'transcode');
  // All of them: none may come while the next test compares.
  const segments = Math.ceil(SECONDS / 2);
  await until('kept segments', () => kept('streams').filter((name) => /\d\.m4s$/.test(name)).length >= segments);
  await until(
    'kept pictures',
    async () => (await viewer.get(`/trickplay/${house.ids.get('Room A')}/index.vtt`)).status === 200,
  );
  // A finding ends when the next file of its kind is written.
  await until('no findings', async () => (await sentences()).every((one) => one.startsWith('Indexes')));
});

test('below 1 GiB free nothing is stored, playback continues from memory, and Owners see a finding', async () => {
  const ofVideo = async (): Promise<string[]> => (await sentences()).filter((one) => one.startsWith('Converted'));
  const before = kept('streams').sort();
  free = GIB - 1;
  // Free space is measured after 64 MiB, and after a failed write.
  planFaults((call) =>
    call === 'write' ? Object.assign(new Error('told by the system'), { code: 'ENOSPC' }) : undefined,
  );
  await plays('Room B', 'transcode');
  planFaults(null);
  pass(61_000);
  await plays('Room C', 'transcode');
  await plays('Room C', 'transcode');
  assert.deepEqual(kept('streams').sort(), before);
  await passes(async () =>
    assert.deepEqual(await ofVideo(), [
      'Converted video cannot be kept on the disk (less than 1024 MiB is free). Playback continues, but uses more ' +
        'memory and CPU.',
    ]),
  );
  free = 100 * GIB;
  pass(61_000);
  await plays('Room D', 'transcode');
  await until('kept segments', () => kept('streams').length > before.length);
  await passes(async () => assert.deepEqual(await ofVideo(), []));
});
