/**
 * Playback next to what ffmpeg alone does on the same film (1080p, 8 Mbit/s, ten minutes).
 *
 * By hand: `node bench/playback/index.ts [--only=copied,first,converted,pictures,browser,load] [--seconds=600]`. Films
 * are in the page cache.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcesses } from '../../src/lib/process.ts';
import { quietLog } from '../../src/lib/process/testing.ts';
import { benchBrowser } from './browser.ts';
import { benchConverted, benchPictures } from './converted.ts';
import { benchCopied } from './copied.ts';
import { benchFirst } from './first.ts';
import { benchLoad } from './load.ts';

const PARTS = {
  copied: () => inProcess(benchCopied),
  first: benchFirst,
  converted: benchConverted,
  pictures: () => inProcess(benchPictures),
  browser: benchBrowser,
  load: benchLoad,
} as const;
/** Runs only when it is named. */
const ASKED_FOR = 'load';

async function inProcess(
  bench: (processes: Awaited<ReturnType<typeof createProcesses>>) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(home, 'tmp') });
  try {
    await bench(processes);
  } finally {
    await processes.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const only = process.argv
  .find((one) => one.startsWith('--only='))
  ?.split('=')[1]
  ?.split(',');
for (const [name, part] of Object.entries(PARTS)) if (only?.includes(name) ?? name !== ASKED_FOR) await part();
