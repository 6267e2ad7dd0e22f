/**
 * Generates documents from the code: `npm run docs` writes docs/openapi.json, docs/authorization.txt and
 * docs/settings.md. `test/docs.test.ts` fails while they differ from the code, so a reviewer sees every change to the
 * contract, to permissions and to settings.
 *
 * It also lowers the counts of unclear wording in test/architecture/prose.json, and fails if one of them has grown.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsTable } from '../src/config/index.ts';
import type { Mounted } from '../src/http/handle.ts';
import { matrix } from '../src/http/matrix.ts';
import { openapi } from '../src/http/openapi.ts';
import { lowerCounts } from '../test/architecture/prose.ts';
import { world } from '../test/world.ts';

/** The generated documents by their name in docs/. */
export const documents = (mounted: readonly Mounted[]): Record<string, string> => ({
  'openapi.json': `${JSON.stringify(openapi(mounted), null, 2)}\n`,
  'authorization.txt': matrix(mounted),
  'settings.md': settingsTable(),
});

if (import.meta.main) {
  lowerCounts(join(import.meta.dirname, '..'));
  const closing: (() => unknown)[] = [];
  const { mounted } = await world({ after: (close) => void closing.push(close as () => unknown) });
  for (const [name, text] of Object.entries(documents(mounted)))
    await writeFile(join(import.meta.dirname, '..', 'docs', name), text);
  for (const close of closing) await close();
}
