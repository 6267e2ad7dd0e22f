/** For tests: seasons whose episodes share music at known places, as files that a catalogue reads. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const RATE = 16_000;

function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const played = new Map<string, Int16Array>();
/** Chords that decay, with a little noise: another piece for each seed. */
export function makeMusic(seconds: number, seed: number): Int16Array {
  const key = `${seconds} ${seed}`;
  const known = played.get(key) ?? play(seconds, seed);
  played.set(key, known);
  return known;
}
function play(seconds: number, seed: number): Int16Array {
  const next = chance(seed * 7_919 + 1);
  const out = new Int16Array(Math.round(seconds * RATE));
  for (let at = 0; at < out.length;) {
    const length = Math.floor((0.15 + next() * 0.4) * RATE);
    const steps = [0, 1, 2].map(() => (2 * Math.PI * 110 * 2 ** (Math.floor(next() * 36) / 12)) / RATE);
    const loud = 2_000 + next() * 4_000;
    const [a = 0, b = 0, c = 0] = steps;
    const fade = Math.exp(-1 / (RATE * 0.3));
    for (let i = 0, level = loud; i < length && at + i < out.length; i++, level *= fade) {
      out[at + i] = (Math.sin(a * i) + Math.sin(b * i) + Math.sin(c * i)) * level + (next() - 0.5) * 1_000;
    }
    at += length;
  }
  return out;
}
export const makeSilence = (seconds: number): Int16Array => new Int16Array(Math.round(seconds * RATE));

export function joinAudio(...pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

let serial = 0;
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/season-clips', import.meta.url));
/** Made clips of this process, by their keys. */
const made = new Map<string, string>();
/**
 * Writes a small video with this sound. `key` names it: the same one is made once in a process. `picture` is a chain of
 * filters; grey unless given.
 */
export function makeVideo(
  path: string,
  { key, sound, picture = 'color=c=gray:s=64x36:r=1' }: { key: string; sound: () => Int16Array; picture?: string },
): void {
  mkdirSync(dirname(path), { recursive: true });
  const name = `${key} ${picture}`;
  const file = made.get(name) ?? clipOf(sound(), picture);
  made.set(name, file);
  copyFileSync(file, path);
  serial++;
  // Long enough ago that no clock of a file system is in doubt.
  utimesSync(path, new Date(), new Date(Date.parse('2024-03-01T12:00:00Z') + serial * 1_000));
}

/**
 * Returns the clip with this sound and picture, which later runs find: encoding them takes a third of the CPU time of
 * the tests. Its name is made of everything that decides its content, so that a changed sound is another clip.
 */
function clipOf(samples: Int16Array, picture: string): string {
  const raw = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const args = argsOf(picture, samples.length / RATE);
  const file = join(CACHE, `${createHash('sha256').update(JSON.stringify(args)).update(raw).digest('hex')}.mkv`);
  if (existsSync(file)) return file;
  mkdirSync(CACHE, { recursive: true });
  // Another process may be making the same one.
  const part = `${file}.${process.pid}.mkv`;
  execFileSync('ffmpeg', [...args, part], { input: raw });
  renameSync(part, file);
  return file;
}

const argsOf = (picture: string, seconds: number): string[] => [
  ...['-v', 'error', '-y', '-f', 's16le', '-ar', String(RATE), '-ac', '1', '-i', 'pipe:0', '-f', 'lavfi', '-i'],
  ...[picture, '-map', '1:v', '-map', '0:a', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '4'],
  ...['-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le', '-t', String(seconds)],
];
