/** Writes the access matrix of both listeners as it is observed. Their diff is reviewed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { observe, PLACES } from './observe.ts';
import { startListeners } from './principals.ts';

export async function writeMatrices(): Promise<void> {
  const closing: (() => unknown)[] = [];
  const listeners = await startListeners({ after: (close) => void closing.push(close as () => unknown) });
  for (const name of ['home', 'public'] as const)
    await writeFile(join(import.meta.dirname, `${name}.txt`), await observe(listeners, PLACES[name](listeners)));
  for (const close of closing.toReversed()) await close();
}
