/** For tests: a clip in which people speak at known times, by the voices that Debian's ffmpeg holds. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const RATE = 16_000;
const PHRASES = [
  'Where have you been all day?',
  'I told you that I would be late.',
  'No.',
  'Open the door, please, it is cold outside.',
  'They left before the rain began.',
  'Listen to me very carefully.',
];

export interface Clip {
  /** ms: from the first sound to the last of each sentence. */
  spoken: { start: number; end: number }[];
  seconds: number;
}

/** Writes a film of `seconds` with a picture and one audio track, which begins `late` seconds after the picture. */
export async function makeClip(
  path: string,
  { seconds = 100, late = 0 }: { seconds?: number; late?: number } = {},
): Promise<Clip> {
  await mkdir(dirname(path), { recursive: true });
  const voices = await Promise.all(
    PHRASES.flatMap((phrase) => ['slt', 'rms'].map(async (voice) => trimmed(await sayWith(voice, phrase)))),
  );
  const samples = new Int16Array(seconds * RATE);
  const spoken: Clip['spoken'] = [];
  let at = 2 * RATE;
  for (let n = 0; ; n++) {
    const voice = voices[(n * 5) % voices.length] ?? new Int16Array(0);
    if (at + voice.length > samples.length - RATE) break;
    samples.set(voice, at);
    spoken.push({ start: late * 1000 + (at / RATE) * 1000, end: late * 1000 + ((at + voice.length) / RATE) * 1000 });
    // Uneven pauses, so that only one offset fits.
    at += voice.length + Math.round((0.5 + ((n * 7) % 11) * 0.37) * RATE);
  }
  await writeFile(`${path}.raw`, Buffer.from(samples.buffer));
  const sound = ['-itsoffset', String(late), '-f', 's16le', '-ar', String(RATE), '-ac', '1', '-i', `${path}.raw`];
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `color=c=black:s=64x36:r=5:d=${seconds + late}`,
    ...sound,
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'mpeg4',
    '-c:a',
    'flac',
    path,
  ]);
  return { spoken, seconds: seconds + late };
}

async function sayWith(voice: string, text: string): Promise<Int16Array> {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      `flite=text='${text.replaceAll(',', '\\,')}':voice=${voice}`,
      '-ar',
      String(RATE),
      '-ac',
      '1',
      '-f',
      's16le',
      'pipe:1',
    ],
    { encoding: 'buffer', maxBuffer: 16 * 1024 ** 2 },
  );
  return new Int16Array(new Uint8Array(stdout).buffer);
}

function trimmed(samples: Int16Array): Int16Array {
  const isLoud = (sample: number): boolean => Math.abs(sample) > 400;
  return samples.slice(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}
