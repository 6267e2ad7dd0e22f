/**
 * Settles planned writes of subtitle files, after a crash or a failure and at the end of a write: reads what the folder
 * contains, and records it as done or deletes the intent. Removes only files with exactly the expected bytes.
 */
import type { CatalogBackground } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot, readBounded, removeFile, type Root, statFile } from '../../lib/files.ts';
import { contentHash, MAX_PRESERVED_BYTES } from '../history/preserved.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { Intent } from '../store/rows.ts';

export interface SettleNeeds {
  store: Pick<InstallingStore, 'done' | 'undo'>;
  catalog: Pick<CatalogBackground, 'sidecarsChanged'>;
}

/** Size and time of a file that does not exist, which match no file. */
export const NO_FILE = { size: 0, modified: 0 } as const;

/** Reads a file and throws `Failure('conflict')` unless it has exactly these bytes. */
export async function readExactly(place: ReturnType<typeof inRoot>, content: string): Promise<Buffer> {
  const bytes = await readBounded(place, MAX_PRESERVED_BYTES).catch((error: unknown) => {
    throw error instanceof Failure && error.kind === 'missing'
      ? new Failure('conflict', 'the subtitle was deleted in the meantime', { reason: 'subtitle-changed' })
      : error;
  });
  if (contentHash(bytes) !== content)
    throw new Failure('conflict', 'the subtitle was changed in the meantime', { reason: 'subtitle-changed' });
  return bytes;
}

/** Removes only exactly the preserved bytes; any other file is the user's and stays. */
export async function removeOld({ over, file }: Intent, root: Root): Promise<void> {
  if (!over || over.relative === file.relative) return;
  const place = inRoot(root, over.relative);
  if (await hasContent(place, over.content)) await removeFile(place);
}

/** Whether the file has exactly these bytes. Throws if the library cannot be reached. */
export async function hasContent(place: ReturnType<typeof inRoot>, content: string): Promise<boolean> {
  try {
    await readExactly(place, content);
    return true;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'unavailable') return false;
    throw error;
  }
}

export async function recordWritten({ store }: Pick<SettleNeeds, 'store'>, intent: Intent, root: Root): Promise<void> {
  const { size, mtimeMs } = await statFile(inRoot(root, intent.file.relative));
  await store.done(intent, { size, modified: Math.round(mtimeMs) });
}

/** Settles an intent after a crash or a failure: finishes it if the new bytes are in place, else deletes it. */
export async function settleIntent(needs: SettleNeeds, intent: Intent, root: Root): Promise<void> {
  if (intent.isRemoval) {
    // The user may have put another file there in the meantime; the removed one can still be restored.
    if (await hasContent(inRoot(root, intent.file.relative), intent.file.content)) await needs.store.undo(intent.file);
    else await needs.store.done(intent, NO_FILE);
    await needs.catalog.sidecarsChanged(intent.file.item);
    return;
  }
  if (!(await hasContent(inRoot(root, intent.file.relative), intent.file.content))) {
    await needs.store.undo(intent.file);
    return;
  }
  await removeOld(intent, root);
  await recordWritten(needs, intent, root);
  await needs.catalog.sidecarsChanged(intent.file.item);
}
