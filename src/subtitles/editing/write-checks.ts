/** The checks right before a subtitle file is written or removed, and the announcement afterwards. */
import type { CatalogBackground } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot, isWritableFolder, statFile } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import { folderOf, type Installer } from '../install/install.ts';
import { checkedTracks } from '../inventory/item.ts';
import type { InventoryStore } from '../store/inventory.ts';
import { type CurrentSubtitle, pickTrack } from './current-subtitle.ts';

export interface WriteNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  inventory: Pick<InventoryStore, 'tracks'>;
  installer: Pick<Installer, 'install' | 'remove'>;
  /** The wanted languages, in order of preference. */
  languages(): readonly string[];
  /** Called after a subtitle was written and recorded. */
  changed(): Promise<void>;
  log: Log;
}

/** Refuses if the folder of a file cannot be written to. */
export async function refuseUnwritable({ root }: CurrentSubtitle, relative: string): Promise<void> {
  const folder = folderOf(relative);
  if (!(await isWritableFolder(folder === '' ? root.path : `${root.path}/${folder}`))) throw fileUnwritableFailure();
}

/** Refuses if the video was renamed or replaced since the last scan, because the subtitle's name would fit no video. */
async function refuseMoved({ root, file }: Pick<CurrentSubtitle, 'root' | 'file'>): Promise<void> {
  const now = await statFile(inRoot(root, file.relative)).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === 'missing') return undefined;
    throw error;
  });
  if (now?.kind !== 'file' || now.size !== file.size) throw itemNotScannedFailure();
}

/** Refuses if the item or its subtitle changed since it was read. */
export async function refuseChangedItem(
  { catalog, inventory, languages }: WriteNeeds,
  { subject, file, root, language, asked, only, track }: CurrentSubtitle,
  over: string | undefined,
): Promise<void> {
  const now = await catalog.subject(subject.id);
  const main = now?.files[0];
  const isSame =
    now &&
    !now.gone &&
    main &&
    main.id === file.id &&
    main.relative === file.relative &&
    main.size === file.size &&
    main.modifiedMs === file.modifiedMs;
  if (!isSame) throw new Failure('conflict', 'the item was changed in the meantime', { reason: 'item-changed' });
  const which = { language, role: asked, only };
  const meant = pickTrack(await checkedTracks({ inventory }, now, main), which, languages()[0]);
  if (meant?.relative !== track?.relative && meant?.relative !== over && !meant?.picture) throw changedFailure();
  await refuseMoved({ root, file });
}

/** Announces a written subtitle. It is installed and recorded, so a failed rescan of the catalogue is only logged. */
export async function announceWritten({ catalog, changed, log }: WriteNeeds, item: string): Promise<void> {
  await catalog.sidecarsChanged(item).catch((error: unknown) => log.fault('subtitles.not-announced', error, { item }));
  await changed();
}

const CHANGED_MESSAGE = 'the subtitle was changed in the meantime: load it again';
const fileUnwritableFailure = (): Failure =>
  new Failure('conflict', 'the media folder cannot be written to, so nothing was changed', {
    reason: 'file-unwritable',
  });
const itemNotScannedFailure = (): Failure =>
  new Failure('conflict', 'the file of this item has changed and has not been scanned again yet', {
    reason: 'item-not-scanned',
  });
export const changedFailure = (): Failure => new Failure('conflict', CHANGED_MESSAGE, { reason: 'subtitle-changed' });
