/** MPD on a folder of music: how long it takes to read it, and which tags it reads. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorSeconds } from '../usage.ts';

interface MpdRun {
  /** Seconds from its start with an empty database until all files are read, and for a second look. */
  cold: number;
  unchanged: number;
  /** Processor seconds of MPD until all files are read. */
  processor: number;
  /** Tags by the path of the file. */
  songs: ReadonlyMap<string, { title: string; artist: string; album: string; track: string; date: string }>;
}

const FORMAT = ['%file%', '%title%', '%artist%', '%album%', '%track%', '%date%'].join('\t');

/** Returns undefined if MPD is not installed. */
export async function runMpd(folder: string, media: string): Promise<MpdRun | undefined> {
  if (!existsSync('/usr/bin/mpd') || !existsSync('/usr/bin/mpc')) return undefined;
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, 'socket');
  writeFileSync(
    join(folder, 'conf'),
    `music_directory "${media}"\ndb_file "${folder}/db"\nlog_file "${folder}/log"\nbind_to_address "${socket}"\n` +
      'auto_update "no"\naudio_output {\n type "null"\n name "none"\n}\n',
  );
  const mpc = (...args: string[]): string =>
    execFileSync('mpc', ['--host', socket, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const since = performance.now();
  const child = spawn('mpd', ['--no-daemon', join(folder, 'conf')], { stdio: 'ignore' });
  try {
    while (!existsSync(socket)) await new Promise((resolve) => setTimeout(resolve, 10));
    mpc('update', '--wait');
    const cold = (performance.now() - since) / 1000;
    const processor = processorSeconds(child.pid ?? 0);
    const again = performance.now();
    mpc('update', '--wait');
    const unchanged = (performance.now() - again) / 1000;
    const rows = mpc('listall', '--format', FORMAT).trim().split('\n');
    const songs = rows.map((row) => {
      const [file = '', title = '', artist = '', album = '', track = '', date = ''] = row.split('\t');
      return [file, { title, artist, album, track, date }] as const;
    });
    return { cold, unchanged, processor, songs: new Map(songs) };
  } finally {
    child.kill('SIGKILL');
  }
}
