/** Everything that speaks against fetching and can be seen from here, without asking anybody or touching anything. */
import type { CatalogBackground, PlayableFile, Subject } from '../../catalog/index.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import { inRoot, isThere, isWritableFolder, openFolder, type Root, statFile } from '../../lib/files.ts';
import { heldBy, isCovered } from '../inventory/coverage.ts';
import { folderOf } from '../install/install.ts';
import { sidecarName } from '../install/sidecar-name.ts';
import { mainFile, tracksIn } from '../inventory/item.ts';
import type { About } from '../providers/provider-set.ts';
import type { InstallingStore } from '../store/installing.ts';

export interface JudgeNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries'>;
  installing: Pick<InstallingStore, 'frozen'>;
  languages(): readonly string[];
}

/** All that is known to be right before anybody outside is asked. */
export interface Ready {
  subject: Subject;
  file: PlayableFile;
  root: Root;
  about: About;
}

/** Whether a fetch was refused because the item needs no subtitle, or none any more. */
export const isNotNeeded = (error: unknown): boolean => failedFor(error, 'not-needed');
const notNeeded = (sentence: string): Failure => new Failure('conflict', sentence, { reason: 'not-needed' });

export async function subjectNow(
  { catalog }: Pick<JudgeNeeds, 'catalog'>,
  id: string,
): Promise<{ subject: Subject; file: PlayableFile }> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  if (!subject || subject.gone || !file || !catalog.libraries().some((library) => library.id === file.library))
    throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  return { subject, file };
}

/** Fails as `conflict` while nothing could be put beside the video. */
export async function reachable(needs: JudgeNeeds, about: About): Promise<Ready> {
  const { subject, file } = await subjectNow(needs, about.item);
  if (!subject.available)
    throw new Failure('unavailable', 'the library of this item cannot be reached now', { reason: 'library-offline' });
  if (!file.available)
    throw new Failure('conflict', 'the file of this item cannot be read', { reason: 'file-unreadable' });
  if (!file.info)
    throw new Failure('conflict', 'the file of this item was not looked into yet', { reason: 'item-not-scanned' });
  if (subject.files.some(({ id, part }) => id === file.id && part > 1))
    throw new Failure('conflict', 'this item is cut in several files, and no subtitle would fit', {
      reason: 'item-in-parts',
    });
  await refuseFrozen(needs, about);
  const root = await openLibrary(needs, file);
  const folder = folderOf(file.relative);
  if (!(await isWritableFolder(folder === '' ? root.path : `${root.path}/${folder}`)))
    throw new Failure('conflict', 'the media folder cannot be written to, so nothing was fetched', {
      reason: 'file-unwritable',
    });
  return { subject, file, root, about };
}

/** The same, and nothing in that language is there yet. */
export async function judgeMissing(needs: JudgeNeeds, about: About): Promise<Ready> {
  const { subject, file } = await subjectNow(needs, about.item);
  // What is there already is said first, whatever else is wrong.
  if (subject.available && file.available && file.info) await refuseCovered(needs, { subject, file, about });
  const ready = await reachable(needs, about);
  for (const role of ['normal', 'sdh'] as const) {
    if (await isThere(inRoot(ready.root, sidecarName(ready.file.relative, about.language, role))))
      throw notNeeded('a file of that name is already there');
  }
  return ready;
}

export async function refuseCovered(
  needs: JudgeNeeds,
  { subject, file, about }: Pick<Ready, 'subject' | 'file' | 'about'>,
): Promise<void> {
  if (isCovered(heldBy(tracksIn(subject, file)), about.language, needs.languages()[0]))
    throw notNeeded('there is a subtitle in this language already');
  await refuseFrozen(needs, about);
}

export async function refuseFrozen(
  { installing }: Pick<JudgeNeeds, 'installing'>,
  { item, language }: About,
): Promise<void> {
  const frozen = await installing.frozen([item]);
  if (frozen.some((one) => one.language === language)) throw notNeeded('the subtitle in this language is frozen');
}

/** The video is still the one that was judged. */
export async function refuseChanged(
  needs: JudgeNeeds,
  { file, about }: Ready,
): Promise<{ subject: Subject; file: PlayableFile }> {
  const now = await subjectNow(needs, about.item);
  const isSame =
    now.file.id === file.id &&
    now.file.relative === file.relative &&
    now.file.size === file.size &&
    now.file.modifiedMs === file.modifiedMs;
  if (!isSame)
    throw new Failure('conflict', 'the item changed while its subtitle was fetched', { reason: 'item-changed' });
  return now;
}

async function openLibrary({ catalog }: JudgeNeeds, file: PlayableFile): Promise<Root> {
  try {
    const root = await catalog.root(file.root);
    // No part of the way may be a link, and the video must still be the one that was looked into.
    await (await openFolder(inRoot(root, folderOf(file.relative)))).close();
    const { kind, size } = await statFile(inRoot(root, file.relative));
    if (kind === 'file' && size === file.size) return root;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'conflict',
      'the file of this item cannot be reached now',
      { reason: 'file-unreadable' },
      { cause: error },
    );
  }
  throw new Failure('conflict', 'the file of this item has changed and was not looked into again yet', {
    reason: 'item-not-scanned',
  });
}
