/**
 * The programs that tests start and kill, built once in a run. Built they start in less than half the CPU time of their
 * sources, and tests start them hundreds of times. The server is what users run; crash points that `CRASH_AT` names are
 * armed in each. Programs with a planted fault are a separate build, so that the others contain none.
 */
import { join } from 'node:path';
import { makePrepared } from '../prepared.ts';
import { FAULTS } from './broken.ts';

export const PROGRAMS = {
  main: 'test/faults/armed.ts',
  certificate: 'test/faults/certificate.ts',
  editor: 'test/subtitles/editor.ts',
  fetcher: 'test/subtitles/fetcher.ts',
  hider: 'test/subtitles/hider.ts',
  'measured-index': 'test/stand-ins/measured-index.ts',
  scanner: 'src/catalog/testing/scanner.ts',
} as const;
export type ProgramName = keyof typeof PROGRAMS;

/** Returns the file of a program. One with a fault of `broken.ts` needs its name as `FAULT` in the environment. */
export async function programFile(name: ProgramName, fault?: string): Promise<string> {
  if (fault !== undefined && !Object.hasOwn(FAULTS, fault)) throw new Error(`no fault is called ${fault}`);
  const isBroken = fault !== undefined;
  const folder = await makePrepared(isBroken ? 'broken programs' : 'programs', async (made) => {
    const { buildServer } = await import('../../tools/server.ts');
    await buildServer(made, PROGRAMS, isBroken ? [(await import('./switched.ts')).switchedFaults] : []);
  });
  return join(folder, `${name}.js`);
}
