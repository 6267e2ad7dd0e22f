/** minidlna on a folder of media: how long it takes to read all of it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = '/usr/sbin/minidlnad';
const LIMIT_S = 600;

/**
 * Returns seconds from its start with an empty database until it has read a folder of videos (`V`) or pictures (`P`);
 * undefined if it is not installed or does not end. Its database and log are in a new folder below `home`.
 */
export async function secondsOfMinidlna(home: string, media: string, type: 'V' | 'P'): Promise<number | undefined> {
  if (!existsSync(PROGRAM)) return undefined;
  const folder = mkdtempSync(join(home, 'minidlna-'));
  writeFileSync(
    join(folder, 'conf'),
    `media_dir=${type},${media}\ndb_dir=${folder}\nlog_dir=${folder}\nport=${18_000 + (process.pid % 2_000)}\n` +
      'inotify=no\nlog_level=general,artwork,database,inotify,scanner,metadata,http,ssdp,tivo=info\n',
  );
  const since = performance.now();
  const seconds = (): number => (performance.now() - since) / 1000;
  const child = spawn(PROGRAM, ['-S', '-f', join(folder, 'conf'), '-P', join(folder, 'pid')], { stdio: 'ignore' });
  try {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const log = existsSync(join(folder, 'minidlna.log')) ? readFileSync(join(folder, 'minidlna.log'), 'utf8') : '';
      if (/Scanning .* finished/.test(log)) return seconds();
      if (child.exitCode !== null || seconds() > LIMIT_S) return undefined;
    }
  } finally {
    child.kill('SIGKILL');
  }
}
