/**
 * The programs that tests start and kill, built once in a run. Built they start in less than half the CPU time of their
 * sources, and tests start them hundreds of times. The server is what users run; crash points that `CRASH_AT` names are
 * armed in each. Faults are planted in sources, which then run as they are.
 */
import { join } from 'node:path';
import { makePrepared } from '../prepared.ts';

export const PROGRAMS = {
  main: 'test/faults/armed.ts',
  certificate: 'test/faults/certificate.ts',
  editor: 'test/subtitles/editor.ts',
  fetcher: 'test/subtitles/fetcher.ts',
  hider: 'test/subtitles/hider.ts',
  'measured-index': 'test/stand-ins/measured-index.ts',
  scanner: 'src/catalog/testing/scanner.ts',
} as const;

/** Returns the file of a program; with `planted`, a folder of `plantServer`, its launcher there. */
export async function programFile(name: keyof typeof PROGRAMS, planted?: string): Promise<string> {
  if (planted !== undefined) return join(planted, `${name}.mjs`);
  const folder = await makePrepared('programs', async (made) => {
    const { buildServer } = await import('../../tools/server.ts');
    await buildServer(made, PROGRAMS);
  });
  return join(folder, `${name}.js`);
}
