/**
 * Films of the playback bench, made once and kept in `bench/data/playback`: ten minutes of 1080p at 8 Mbit/s.
 *
 * `film` is a noisy scene that is repeated, because encoding all of it would take minutes and change nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

export const SECONDS = Number(process.argv.find((one) => one.startsWith('--seconds='))?.split('=')[1] ?? 600);
const RATE = 24;
const SCENE = Math.min(30, SECONDS);
const folder = join(import.meta.dirname, '../data/playback');

const ffmpeg = (...args: string[]): Buffer => execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);

/** Makes a file under another name first: one that is there is whole. */
function kept(name: string, make: (path: string) => void): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${SECONDS}-${name}`);
  if (existsSync(path)) return path;
  const partial = join(folder, `making-${process.pid}-${name}`);
  make(partial);
  renameSync(partial, path);
  return path;
}

const sound = (seconds: number): string[] => ['-f', 'lavfi', '-i', `anoisesrc=d=${seconds}:r=48000:a=0.1,aformat=channel_layouts=stereo`];
const RATES = ['-b:v', '8M', '-maxrate', '9M', '-bufsize', '8M', '-g', '48'];

/** Returns the noisy film as MP4 or Matroska. */
export function film(extension: 'mp4' | 'mkv'): string {
  const scene = kept('scene.mp4', (path) => ffmpeg('-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=${RATE}:d=${SCENE},noise=alls=20:allf=t`, ...sound(SCENE), '-c:v', 'libx264', '-preset', 'ultrafast', ...RATES, '-c:a', 'aac', '-b:a', '192k', path));
  return kept(`film.${extension}`, (path) => ffmpeg('-stream_loop', String(Math.ceil(SECONDS / SCENE) - 1), '-i', scene, '-c', 'copy', path));
}
