/**
 * Acts as a player over HTTP, for tests of playback: it plans, reads playlists and segments, and decodes what it got.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Codecs that a browser plays: H.264 with AAC in MP4. */
export const BROWSER = 'containers=mp4&videoCodecs=h264&audioCodecs=aac';

export interface Got {
  status: number;
  bytes: Buffer;
}
/** One GET with the viewer's token. */
export type Get = (path: string) => Promise<Got>;

export interface PlannedPlayback {
  id: string;
  mode: string;
  session: string;
  urls: { media: string; hls?: string };
}
/** Paths of a video stream, in order. */
export interface Segments {
  init: string;
  all: string[];
}

export class Refused extends Error {
  readonly status: number;
  constructor(path: string, { status, bytes }: Got) {
    super(`${path.split('?')[0]}: ${status} ${bytes.toString('utf8', 0, 300)}`);
    this.status = status;
  }
}
export async function wanted(get: Get, path: string): Promise<Buffer> {
  const got = await get(path);
  if (got.status !== 200) throw new Refused(path, got);
  return got.bytes;
}

export const plan = async (get: Get, id: string, query = BROWSER): Promise<PlannedPlayback> => ({
  id,
  ...(JSON.parse((await wanted(get, `/api/v1/items/${id}/playback?${query}`)).toString()) as Omit<
    PlannedPlayback,
    'id'
  >),
});

/** Reads the playlists of a plan. */
export async function segmentsOf(get: Get, { urls: { hls } }: PlannedPlayback): Promise<Segments> {
  if (hls === undefined) throw new Error('this plan has no playlist');
  await wanted(get, hls);
  const at = (name: string): string => hls.replace('master.m3u8', name);
  const playlist = (await wanted(get, at('v0.m3u8'))).toString();
  const names = playlist
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('?')[0] ?? '');
  return { init: at('v0-init.mp4'), all: names.map(at) };
}

/** Number of pictures in segments that follow each other. Fails when the decoder has anything to complain about. */
export async function countPictures(init: Buffer, segments: readonly Buffer[]): Promise<number> {
  const child = spawn('ffmpeg', ['-nostdin', '-v', 'error', '-xerror', '-i', 'pipe:0', '-f', 'framecrc', 'pipe:1'], {
    stdio: 'pipe',
  });
  const told: Buffer[][] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => void told[0]?.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => void told[1]?.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(Buffer.concat([init, ...segments]));
  const code = await new Promise<number | null>((resolve) => void child.once('close', resolve));
  const [frames = '', complaints = ''] = told.map((chunks) => Buffer.concat(chunks).toString());
  if (code !== 0 || complaints !== '') throw new Error(`the decoder ended with ${code}: ${complaints}`);
  return frames.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
}

/** Plays all of a plan's video and returns how many pictures it has. */
export async function playWhole(get: Get, { init, all }: Segments): Promise<number> {
  const segments: Buffer[] = [];
  for (const path of all) segments.push(await wanted(get, path));
  return countPictures(await wanted(get, init), segments);
}

export interface Clip {
  seconds?: number;
  /** Pixels of noise make segments larger than pipes and sockets hold. */
  isNoise?: boolean;
  size?: string;
  video: 'h264' | 'mpeg4';
}
export const RATE = 10;
/** Makes a film with a keyframe each second and a tone. `mpeg4` is what a browser has to have converted. */
export async function makeFilm(
  path: string,
  { seconds = 5, isNoise = false, size = '128x72', video }: Clip,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const codec =
    video === 'h264'
      ? ['libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '0', ...(isNoise ? ['-qp', '14'] : [])]
      : ['mpeg4', '-q:v', '3'];
  await promisify(execFile)('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=${size}:r=${RATE}:d=${seconds}${isNoise ? ',noise=alls=90:allf=t' : ''}`,
    '-f',
    'lavfi',
    '-i',
    `sine=d=${seconds}`,
    '-c:v',
    ...codec,
    '-g',
    String(RATE),
    '-c:a',
    'aac',
    path,
  ]);
}

/** Ids of the encoders below a process: ffmpeg's own, not the wrappers around it. */
export function encodersBelow(pid: number): number[] {
  const parents = new Map<number, number>();
  const names = new Map<number, string>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') continue;
      parents.set(Number(entry), Number(parent));
      names.set(Number(entry), stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')));
    } catch {
      // It ended in the meantime.
    }
  }
  const isBelow = (one: number): boolean => {
    for (let at = parents.get(one); at !== undefined && at > 1; at = parents.get(at)) if (at === pid) return true;
    return false;
  };
  return [...names].filter(([one, name]) => name === 'ffmpeg' && isBelow(one)).map(([one]) => one);
}
export const isRunning = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
};
