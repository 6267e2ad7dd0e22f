/** Scans a library of one kind twice, by a program that is built as users run it: all of it, and then no change. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { LibraryKind } from '../../src/contract/catalog/kinds.ts';
import { makePrepared } from '../../test/prepared.ts';
import { buildServer } from '../../tools/server.ts';
import type { ScannedLibrary } from './scan-program.ts';

/** Scans `media` twice. `folder` is for the database and the cache. */
export async function scanLibraryTwice(folder: string, media: string, kind: LibraryKind): Promise<ScannedLibrary> {
  const programs = await makePrepared('bench-programs', (made) =>
    buildServer(made, { scan: 'bench/shelves/scan-program.ts' }).then(() => {}),
  );
  const child = spawn(process.execPath, [join(programs, 'scan.js'), folder, media, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (bytes: Buffer) => void (printed += bytes.toString()));
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0) throw new Error(`the scan ended with ${String(status)}`);
  return JSON.parse(printed) as ScannedLibrary;
}
