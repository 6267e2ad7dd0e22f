/**
 * Generates documents from the code: `npm run docs` writes docs/openapi.json, docs/authorization.txt,
 * docs/settings.md, the lists of subtitle formats, the table of what Viewers store, and the access matrices in test/matrix. `test/docs.test.ts` and
 * `test/matrix/matrix.test.ts` fail while they differ from the code, so a reviewer sees every change to the contract, to
 * permissions and to settings.
 *
 * It also lowers the counts of unclear wording in test/architecture/prose.json, and fails if one of them has grown or an
 * exported name has two declarations. It fails if an operation, property or parameter of the API has no description, or a
 * value no example.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsTable } from '../src/config/index.ts';
import type { MountedEndpoint } from '../src/http/handle.ts';
import { matrix, publicRoutes } from '../src/http/matrix.ts';
import { fullDocument, openapi } from '../src/http/openapi.ts';
import { lowerCounts } from '../test/architecture/prose.ts';
import { gapsIn } from '../test/document-gaps.ts';
import { writeMatrices } from '../test/matrix/write.ts';
import { startWorld } from '../test/world.ts';
import { SETTINGS } from '../src/settings.ts';
import { withViewerStorage } from './viewer-storage.ts';
import { formatsModule, withFormats } from './subtitle-formats.ts';

const GUIDE = join(import.meta.dirname, '../docs/subtitles.md');
const SECURITY = join(import.meta.dirname, '../docs/security.md');

/** The generated documents by their path from docs/. */
export const documents = (mounted: readonly MountedEndpoint[]): Record<string, string> => ({
  'openapi.json': `${JSON.stringify(openapi(mounted), null, 2)}\n`,
  'authorization.txt': matrix(mounted),
  'public-routes.txt': publicRoutes(mounted),
  'settings.md': settingsTable(SETTINGS),
  'subtitles.md': withFormats(readFileSync(GUIDE, 'utf8')),
  'security.md': withViewerStorage(readFileSync(SECURITY, 'utf8')),
  '../src/contract/subtitles/formats.ts': formatsModule(),
});

if (import.meta.main) {
  lowerCounts(join(import.meta.dirname, '..'));
  const closing: (() => unknown)[] = [];
  const { mounted } = await startWorld({ after: (close) => void closing.push(close as () => unknown) });
  const gaps = gapsIn(fullDocument(mounted));
  if (gaps.length > 0) throw new Error(`gaps in the API document:\n${gaps.join('\n')}`);
  for (const [name, text] of Object.entries(documents(mounted)))
    await writeFile(join(import.meta.dirname, '..', 'docs', name), text);
  for (const close of closing) await close();
  await writeMatrices();
}
