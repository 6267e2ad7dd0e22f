/**
 * Writes what the code says about itself: `npm run docs` puts docs/openapi.json, docs/authorization.txt and
 * docs/settings.md in place. `test/docs.test.ts` fails while they differ, so that a change of the contract, of who
 * may do what, or of a setting is seen in review.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsTable } from '../src/config/index.ts';
import type { Mounted } from '../src/http/handle.ts';
import { matrix } from '../src/http/matrix.ts';
import { openapi } from '../src/http/openapi.ts';
import { world } from '../test/world.ts';

/** The generated documents by their name in docs/. */
export const documents = (mounted: readonly Mounted[]): Record<string, string> => ({
  'openapi.json': `${JSON.stringify(openapi(mounted), null, 2)}\n`,
  'authorization.txt': matrix(mounted),
  'settings.md': settingsTable(),
});

if (import.meta.main) {
  const closing: (() => unknown)[] = [];
  const { mounted } = await world({ after: (close) => void closing.push(close as () => unknown) });
  for (const [name, text] of Object.entries(documents(mounted)))
    await writeFile(join(import.meta.dirname, '..', 'docs', name), text);
  for (const close of closing) await close();
}
