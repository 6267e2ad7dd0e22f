/** Finds the video that a draft is made from, and checks whether it is still the same. */
import type { CatalogBackground, PlayableFile, Subject } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { mainFile } from '../inventory/item.ts';
import { type VideoBinding, bindToVideo } from '../../speech/index.ts';
import type { DraftTarget } from './types.ts';

export type TargetCatalog = Pick<CatalogBackground, 'subject' | 'root' | 'libraries'>;

/** Returns an item and its main file. Throws `Failure('missing')` if there is none. */
export async function draftItem(catalog: TargetCatalog, id: string): Promise<{ subject: Subject; file: PlayableFile }> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  if (!subject || subject.gone || !file || !catalog.libraries().some((library) => library.id === file.library))
    throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  return { subject, file };
}

/** Returns the target of a draft. Throws if its file cannot be read or was not scanned yet. */
export async function draftTarget(catalog: TargetCatalog, id: string, language: string): Promise<DraftTarget> {
  const { subject, file } = await draftItem(catalog, id);
  if (!subject.available)
    throw new Failure('unavailable', 'the library of this item cannot be reached now', { reason: 'library-offline' });
  if (!file.available)
    throw new Failure('unavailable', 'the file of this item cannot be read', { reason: 'file-unavailable' });
  if (!file.info)
    throw new Failure('conflict', 'the file of this item has not been scanned yet', { reason: 'item-not-scanned' });
  return { subject, file, root: await catalog.root(file.root), language };
}

/** Whether a file in the catalogue is the video of a draft, by size and time. */
export const isVideoOf = ({ size, modifiedMs }: VideoBinding, file: PlayableFile): boolean =>
  size === file.size && Math.round(modifiedMs) === Math.round(file.modifiedMs);

/** Whether the video of a draft still has the same bytes, read from disk. */
export async function hasSameBytes(catalog: TargetCatalog, id: string, video: VideoBinding): Promise<boolean> {
  try {
    const { file } = await draftItem(catalog, id);
    const now = await bindToVideo({ file, root: await catalog.root(file.root), track: 'best' });
    return now.key === video.key && now.size === video.size && now.modifiedMs === video.modifiedMs;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

export const itemChangedFailure = (): Failure =>
  new Failure('conflict', 'the file of this item has changed and has not been scanned again yet', {
    reason: 'item-not-scanned',
  });
