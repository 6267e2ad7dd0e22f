/**
 * Sound that is not there: tracks without a packet, and those that begin late, pause or end early, in each container,
 * with an index and without. Copied, such a track would stop the picture.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '../../lib/clock.ts';
import { createProcesses, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createWalks, type Walks } from '../media-index/walk/walks.ts';
import { createRemux, type Remux } from './index.ts';
import { clipFolder } from './testing/command-lines.ts';
import { sourceOf } from './testing/compare.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'missing-sound-'));
const signal = new AbortController().signal;
const { at, make } = clipFolder(folder);
let processes: Processes;
let walks: Walks;
let remux: Remux;

const tone = (seconds: number): string => `-f lavfi -i sine=r=48000:d=${seconds}`;
/** Whole sound, sound of 6 and of 12.5 seconds, sound that begins at 5 s, and sound with a pause of 3 s. */
const INPUTS = `-f lavfi -i testsrc2=s=160x90:r=24:d=13 ${tone(13)} ${tone(6)} ${tone(12.5)}
  -itsoffset 5 ${tone(8)} ${tone(13)}`;
const PAUSE = "asetpts='PTS+gt(T,4)*3/TB'";
const TRACKS = `-map 0 -map 1 -map 2 -map 3 -map 4 -map 5 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 96 -bf 0
  -x264-params scenecut=0 -c:a aac -filter:a:4 ${PAUSE}`;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  walks = createWalks({ processes, log: quietLog, clock: systemClock, cache: folder, isPlaying: () => false });
  remux = createRemux({ processes, log: quietLog, stored: walks.stored });
  await make(`${INPUTS} ${TRACKS} @sound.mp4`);
  await make(`-i @sound.mp4 -map 0 -c copy @sound.mkv -map 0 -c copy @sound.ts
    -map 0 -c copy -movflags frag_keyframe+empty_moov @fragments.mp4`);
  // A walk has no cues to go by.
  await make('-i @sound.mp4 -map 0 -c copy -f matroska -live 1 @live.mkv');
  for (const name of ['empty.mkv', 'empty.ts'])
    await make(`-i @sound.mp4 -map 0:0 -map 0:1 -map 0:1 -c copy -bsf:a:0 noise=drop=1 @${name}`);
  await make(
    '-i @sound.mp4 -map 0:0 -map 0:1 -map 0:1 -c copy -bsf:a:0 noise=drop=1 -f matroska -live 1 @empty-live.mkv',
  );
});
after(async () => {
  await walks.close();
  await remux.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

async function soundOf(name: string): Promise<string[]> {
  const source = sourceOf(at(name));
  await walks.walk(source, {}, signal);
  const { tracks } = await remux.facts(source, signal);
  return tracks
    .filter(({ kind }) => kind === 'audio')
    .map(({ hasGaps = false, obstacles }) => obstacles.join() || (hasGaps ? 'gaps' : 'whole'));
}

// The pause lies inside of what is measured of Matroska with cues only by chance, and is not looked for there.
for (const [name, pause] of [
  ['sound.mp4', 'gaps'],
  ['fragments.mp4', 'gaps'],
  ['sound.mkv', 'whole'],
  ['live.mkv', 'gaps'],
  ['sound.ts', 'gaps'],
] as const)
  test(`${name}: sound that ends before the last segment, begins late or pauses has gaps`, async () => {
    assert.deepEqual(await soundOf(name), ['whole', 'gaps', 'whole', 'gaps', pause]);
  });

for (const name of ['empty.mkv', 'empty-live.mkv', 'empty.ts'])
  test(`${name}: a track without a packet is empty`, async () => {
    assert.deepEqual(await soundOf(name), ['empty', 'whole']);
  });
