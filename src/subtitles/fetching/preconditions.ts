/** Conditions of a fetch that can be checked locally, without asking a provider or writing anything. */
import type { CatalogBackground, PlayableFile, Subject } from '../../catalog/index.ts';
import { SUBTITLE_ROLES } from '../../contract/catalog/subtitle-roles.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import { inRoot, isThere, isWritableFolder, openFolder, readBounded, type Root, statFile } from '../../lib/files.ts';
import { parseLanguage } from '../../lib/languages.ts';
import { contentHash, MAX_PRESERVED_BYTES } from '../history/preserved.ts';
import { textsIn, isCovered, servesAs } from '../inventory/coverage.ts';
import type { WantedSource } from '../wanted.ts';
import { folderOf, type ReplacedFile } from '../install/install.ts';
import { sidecarName } from '../install/sidecar-name.ts';
import { checkedTracks, mainFile } from '../inventory/item.ts';
import type { SearchTarget } from '../providers/provider-set.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';

export interface PreconditionNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries'>;
  installing: Pick<InstallingStore, 'frozen'>;
  wanted: WantedSource;
  inventory: Pick<InventoryStore, 'tracks'>;
}

/** The item and file of a fetch, after all local checks passed. */
export interface FetchTarget {
  subject: Subject;
  file: PlayableFile;
  root: Root;
  about: SearchTarget;
  /** Files that cannot be read, under names that the subtitle may get. They are preserved and replaced. */
  unreadable?: readonly ReplacedFile[];
}

/** Whether a fetch was refused because the item does not need the subtitle, or no longer does. */
export const isNotNeeded = (error: unknown): boolean => failedFor(error, 'not-needed');
const notNeeded = (sentence: string): Failure => new Failure('conflict', sentence, { reason: 'not-needed' });

export async function currentItem(
  { catalog }: Pick<PreconditionNeeds, 'catalog'>,
  id: string,
): Promise<{ subject: Subject; file: PlayableFile }> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  if (!subject || subject.gone || !file || !catalog.libraries().some((library) => library.id === file.library))
    throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  return { subject, file };
}

/**
 * Returns the language that a request names, or the first configured one. Throws `Failure('missing')` first if there is
 * no such item.
 */
export async function languageFor(needs: PreconditionNeeds, id: string, given: string | undefined): Promise<string> {
  const tag = given === undefined ? undefined : parseLanguage(given);
  if (given !== undefined && tag === undefined)
    throw new Failure('invalid', 'language: expected a language code', { reason: 'field-invalid' });
  await currentItem(needs, id);
  const language = tag ?? needs.wanted.first();
  if (language === undefined)
    throw new Failure('conflict', 'no subtitle language is configured, and none was given', {
      reason: 'no-language-configured',
    });
  return language;
}

/** Returns the item and its file. Throws while no single subtitle can be looked for. */
async function requireSearchable(
  needs: Pick<PreconditionNeeds, 'catalog'>,
  about: SearchTarget,
): Promise<{ subject: Subject; file: PlayableFile }> {
  const { subject, file } = await currentItem(needs, about.item);
  if (!subject.available)
    throw new Failure('unavailable', 'the library of this item cannot be reached now', { reason: 'library-offline' });
  if (!file.available)
    throw new Failure('unavailable', 'the file of this item cannot be read', { reason: 'file-unavailable' });
  if (!file.info)
    throw new Failure('conflict', 'the file of this item has not been scanned yet', { reason: 'item-not-scanned' });
  return { subject, file };
}

/** Returns the target of a search, which writes nothing. */
export async function requireReadable(needs: PreconditionNeeds, about: SearchTarget): Promise<FetchTarget> {
  const { subject, file } = await requireSearchable(needs, about);
  return { subject, file, root: await openLibrary(needs, file), about };
}

/** Returns the target of a fetch. Throws `Failure('conflict')` while no file can be written next to the video. */
export async function requireFetchable(needs: PreconditionNeeds, about: SearchTarget): Promise<FetchTarget> {
  const { subject, file } = await requireSearchable(needs, about);
  await refuseFrozen(needs, about);
  const ready = { subject, file, root: await openLibrary(needs, file), about };
  await refuseReadOnly(ready);
  return ready;
}

export async function refuseReadOnly({ file, root }: Pick<FetchTarget, 'file' | 'root'>): Promise<void> {
  const folder = folderOf(file.relative);
  if (!(await isWritableFolder(folder === '' ? root.path : `${root.path}/${folder}`)))
    throw new Failure('conflict', 'the media folder cannot be written to, so nothing was fetched', {
      reason: 'file-unwritable',
    });
}

/** Returns the target of a fetch. Throws `Failure('conflict')` also if there is such a subtitle already. */
export async function requireMissing(needs: PreconditionNeeds, about: SearchTarget): Promise<FetchTarget> {
  const { subject, file } = await currentItem(needs, about.item);
  // An existing subtitle is reported first, whatever else is wrong.
  if (subject.available && file.available && file.info) await refuseCovered(needs, { subject, file, about });
  const ready = await requireFetchable(needs, about);
  const unreadable: ReplacedFile[] = [];
  const tracks = await checkedTracks(needs, subject, file);
  for (const role of SUBTITLE_ROLES.filter((one) => servesAs(one, about.role))) {
    const place = inRoot(ready.root, sidecarName(ready.file.relative, about.language, role));
    if (!(await isThere(place))) continue;
    const track = tracks.find(({ relative }) => relative === place.relative);
    if (!track?.unreadable || track.unreadable === 'too-large')
      throw notNeeded(
        track?.unreadable
          ? 'a file of that name already exists, and it is too large to be read'
          : 'a file of that name already exists',
      );
    const content = contentHash(await readBounded(place, MAX_PRESERVED_BYTES));
    unreadable.push({ relative: place.relative, content, language: about.language, role });
  }
  return { ...ready, ...(unreadable.length > 0 && { unreadable }) };
}

const ALREADY_THERE = {
  normal: 'there is a subtitle in this language already',
  sdh: 'there is a subtitle for the hard of hearing in this language already',
  forced: 'there is a forced subtitle in this language already',
} as const;

export async function refuseCovered(
  needs: PreconditionNeeds,
  { subject, file, about }: Pick<FetchTarget, 'subject' | 'file' | 'about'>,
): Promise<void> {
  if (isCovered(textsIn(await checkedTracks(needs, subject, file)), about, needs.wanted.first()))
    throw notNeeded(ALREADY_THERE[about.role]);
  await refuseFrozen(needs, about);
}

export async function refuseFrozen(
  { installing }: Pick<PreconditionNeeds, 'installing'>,
  { item, language }: SearchTarget,
): Promise<void> {
  const frozen = await installing.frozen([item]);
  if (frozen.some((one) => one.language === language)) throw notNeeded('the subtitle in this language is frozen');
}

/** Throws `Failure('conflict')` if the video changed since it was checked, else returns the current item. */
export async function refuseChanged(
  needs: PreconditionNeeds,
  { file, about }: FetchTarget,
): Promise<{ subject: Subject; file: PlayableFile }> {
  const now = await currentItem(needs, about.item);
  const isSame =
    now.file.id === file.id &&
    now.file.relative === file.relative &&
    now.file.size === file.size &&
    now.file.modifiedMs === file.modifiedMs;
  if (!isSame)
    throw new Failure('conflict', 'the item changed while its subtitle was fetched', { reason: 'item-changed' });
  return now;
}

async function openLibrary({ catalog }: PreconditionNeeds, file: PlayableFile): Promise<Root> {
  try {
    const root = await catalog.root(file.root);
    // No part of the path may be a link, and the video must still be the one that was probed.
    await (await openFolder(inRoot(root, folderOf(file.relative)))).close();
    const { kind, size } = await statFile(inRoot(root, file.relative));
    if (kind === 'file' && size === file.size) return root;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'unavailable',
      'the file of this item cannot be reached now',
      { reason: 'file-unavailable' },
      { cause: error },
    );
  }
  throw new Failure('conflict', 'the file of this item has changed and has not been scanned again yet', {
    reason: 'item-not-scanned',
  });
}
