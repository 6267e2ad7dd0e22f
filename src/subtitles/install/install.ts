/**
 * Installs a subtitle next to its video: completely or not at all, and never over bytes that were not checked.
 *
 * The order is: preserve the replaced and the new bytes under their hashes; record the planned write in the journal;
 * create the file under its name in one step; remove a replaced file with another name; record the result in the
 * database. After a kill at any moment the next start reads the journal: a file with exactly the new bytes is finished,
 * anything else is reverted, and temporary files are removed. Each folder has one writer; a second one fails at once.
 */
import type { CatalogBackground, PlayableFile } from '../../catalog/index.ts';
import { noteText, type SubtitleNote } from '../../contract/subtitles/notes.ts';
import type { Actor, Evidence } from '../../contract/subtitles/states.ts';
import type { Clock } from '../../lib/clock.ts';
import { crashPoint } from '../../lib/crash.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot, isThere, removeFile, type Root, sweepStray, writeWhole } from '../../lib/files.ts';
import { createKeyedLock, type KeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import { preservedFileOf, restorableAfterDeletion, restorableAfterReplacing, locationOf } from '../history/lineage.ts';
import type { PreservedBytes } from '../history/preserved.ts';
import { hasContent, NO_FILE, readExactly, recordWritten, removeOld, settleIntent } from './settle.ts';
import { sidecarName } from './sidecar-name.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { Intent, RestorableFiles } from '../store/rows.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { Act, Origin, SubtitleRole } from '../store/tables.ts';

/** A file that is replaced: its path below the library, and the SHA-256 of the bytes that must be there. */
export interface ReplacedFile {
  relative: string;
  content: string;
  /** Language and role of its name, if they differ from those of the new file. */
  language?: string;
  role?: SubtitleRole;
}

export interface InstallRequest {
  item: string;
  file: PlayableFile;
  root: Root;
  language: string;
  role: SubtitleRole;
  /** File extension, without a dot. */
  format: string;
  bytes: Uint8Array;
  source: string;
  score: number | null;
  match: InstalledFile['match'];
  evidence: readonly Evidence[];
  /** Default: the server. */
  by?: Actor | undefined;
  /** Default: `fetched`. */
  act?: Exclude<Act, 'hidden' | 'deleted'>;
  origin?: Origin;
  /** The provider's id of the subtitle. */
  candidate?: string;
  /** Path below the library. Default: the sidecar name that players look for. */
  relative?: string;
  /** The file that it replaces, whose bytes are preserved first. Without it, no file may exist under the name. */
  over?: ReplacedFile;
  /** The bytes as they were delivered, or the SHA-256 of preserved ones. */
  delivered?: Uint8Array | string;
  /** Notes for the history. */
  notes?: readonly SubtitleNote[];
  freeze?: true;
  /** The replaced file was rejected, and must not be fetched again. */
  rejects?: true;
  /** The files that can be restored after restoring this one. Default: the replaced file and its original. */
  preserved?: RestorableFiles;
  /** Called at the last moment to refuse, by throwing: all bytes are written, and no file has its name yet. */
  check(): Promise<void>;
}

type RemoveTarget = Pick<InstallRequest, 'item' | 'file' | 'root' | 'by' | 'freeze' | 'check'>;

/** A file to remove: its row, and where it is now. */
export interface RemoveRequest extends RemoveTarget {
  /** Default: `restored`. */
  act?: 'restored' | 'deleted';
  row: InstalledFile;
  over: ReplacedFile;
  notes: readonly SubtitleNote[];
}

export interface InstallNeeds {
  store: InstallingStore;
  preserved: PreservedBytes;
  catalog: Pick<CatalogBackground, 'libraries' | 'root' | 'sidecarsChanged'>;
  clock: Clock;
  log: Log;
  /** Locks of media folders, by `library/folder`, held by every writer. */
  folders: KeyedLock;
}

export interface Installer {
  /**
   * Writes a subtitle and returns its path below the library. Throws `Failure('conflict')` if the name is taken, the
   * replaced file has changed, or the folder is read-only.
   */
  install(installation: InstallRequest): Promise<string>;
  /** Removes a file and writes no other one. Its bytes are preserved and can be restored. */
  remove(removal: RemoveRequest): Promise<void>;
  /**
   * Finishes or reverts what a killed process was about to write. Files that cannot be reached now are left for the
   * next time.
   */
  recover(): Promise<void>;
}

const SERVER: Actor = { is: 'server' };
const CRASH_POINT_NAMES = { fetched: 'fetch', upgraded: 'fetch', applied: 'apply', restored: 'restore' } as const;

export const folderOf = (relative: string): string => relative.slice(0, Math.max(0, relative.lastIndexOf('/')));

export function createInstaller(needs: InstallNeeds): Installer {
  const { catalog, log, preserved, folders } = needs;
  const files = createKeyedLock();
  let isSwept = false;
  const busy = (library: string, [relative, ...rest]: readonly string[], work: () => Promise<void>): Promise<void> =>
    relative === undefined
      ? work()
      : files.tryLock(
          `${library}/${relative}`,
          () => busy(library, rest, work),
          'this subtitle file is being written by another request',
        );

  async function recoverFolder({ file }: Intent): Promise<void> {
    const library = catalog.libraries().find(({ id }) => id === file.library);
    if (!library?.isOnline) return;
    const key = folderKey(file);
    await folders.run(key, async () => {
      // A writer holds this lock from its intent to its end, so this intent was left by a killed process.
      const left = (await needs.store.intents()).filter((one) => folderKey(one.file) === key);
      if (left.length === 0) return;
      const root = await catalog.root(library.path);
      await sweepStray(inRoot(root, folderOf(file.relative))).catch((error: unknown) => {
        if (!(error instanceof Failure && error.kind === 'missing')) throw error;
      });
      for (const intent of left) await settleIntent(needs, intent, root);
    });
  }

  return {
    install: async (installation) => {
      const { file, language, role, format, over } = installation;
      const relative = installation.relative ?? sidecarName(file.relative, language, role, format);
      const names = [...new Set([relative, over?.relative ?? relative])].sort();
      await busy(file.library, names, () =>
        folders.run(folderKey({ library: file.library, relative }), () => write(needs, installation, relative)),
      );
      return relative;
    },
    remove: async (removal) => {
      const { file, over } = removal;
      await busy(file.library, [over.relative], () =>
        folders.run(folderKey({ library: file.library, relative: over.relative }), () =>
          removeInstalled(needs, removal),
        ),
      );
    },
    recover: async () => {
      for (const intent of await needs.store.intents()) {
        await recoverFolder(intent).catch((error: unknown) =>
          log.fault('subtitles.not-recovered', error, { item: intent.file.item }),
        );
      }
      if (isSwept) return;
      isSwept = true;
      await preserved
        .sweep(await needs.store.referenced())
        .catch((error: unknown) => log.fault('subtitles.not-swept', error));
    },
  };
}

const folderKey = ({ library, relative }: Pick<InstalledFile, 'library' | 'relative'>): string =>
  `${library}/${folderOf(relative)}`;

async function write(needs: InstallNeeds, installation: InstallRequest, relative: string): Promise<void> {
  const { store } = needs;
  const { root, bytes, over, act = 'fetched' } = installation;
  const place = inRoot(root, relative);
  const isInPlace = over?.relative === relative;
  const check = async (): Promise<void> => {
    await installation.check();
    if (over) await readExactly(inRoot(root, over.relative), over.content);
  };
  // Checked again under the lock, because the search before it took seconds.
  await check();
  if (!isInPlace && (await isThere(place)))
    throw new Failure('conflict', 'a file of that name already exists', { reason: 'file-exists' });
  const intent = await intentOf(needs, installation, relative);
  crashPoint('subtitles.write.preserved');
  await store.intend(intent);
  crashPoint(`subtitles.${CRASH_POINT_NAMES[act]}.intent`);
  try {
    await writeWhole(place, bytes, { exclusive: !isInPlace, check });
  } catch (error) {
    // The file may have been created before the failure, so the folder decides, as after a crash.
    await settleIntent(needs, intent, root);
    throw error;
  }
  crashPoint(`subtitles.${CRASH_POINT_NAMES[act]}.written`);
  if (over && !isInPlace) await removeReplaced(needs, intent, root);
  await recordWritten(needs, intent, root);
  crashPoint(`subtitles.${CRASH_POINT_NAMES[act]}.recorded`);
}

/** Preserves the bytes and returns the intent of the write. Changes nothing in the library. */
async function intentOf(
  { store, preserved, clock }: InstallNeeds,
  installation: InstallRequest,
  relative: string,
): Promise<Intent> {
  const {
    item,
    file,
    root,
    language,
    role,
    format,
    bytes,
    source,
    score,
    match,
    evidence,
    act = 'fetched',
    by = SERVER,
    origin = 'fetched',
    candidate,
    over,
    notes,
    freeze,
    rejects,
  } = installation;
  const rows = await store.filesOf([item]);
  const known = over && rows.find((one) => one.content === over.content);
  // The file that was written under this name was deleted: it can still be restored.
  const gone = over ? undefined : rows.find((one) => one.library === file.library && one.relative === relative);
  if (over) await preserved.put(await readExactly(inRoot(root, over.relative), over.content));
  // The new bytes are preserved too, so that they can be restored after the file was deleted or changed by hand.
  const content = await preserved.put(bytes);
  const { delivered } = installation;
  const kept =
    over &&
    preservedFileOf(
      { ...over, language: over.language ?? known?.language ?? language, role: over.role ?? known?.role ?? role },
      file.relative,
      known,
    );
  return {
    file: {
      library: file.library,
      relative,
      item,
      language,
      role,
      format,
      source,
      score,
      match,
      origin,
      evidence: [...evidence],
      content,
      delivered:
        delivered === undefined ? null : typeof delivered === 'string' ? delivered : await preserved.put(delivered),
      candidate: candidate ?? null,
      preserved: {
        ...(installation.preserved ?? (gone ? restorableAfterDeletion(gone, content) : restorableAfterReplacing(kept))),
        self: locationOf(relative, file.relative),
      },
      at: clock.now(),
    },
    act,
    by,
    ...(over && { over: { relative: over.relative, content: over.content } }),
    ...(notes && { detail: noteText(notes), notes }),
    ...(freeze && { freeze }),
    ...(rejects && known && rejectionOf(known)),
  };
}

/** Returns the rejection of a fetched file, for the intent. */
const rejectionOf = ({ origin, source, candidate, content, delivered }: InstalledFile): Pick<Intent, 'rejects'> =>
  origin === 'fetched'
    ? {
        rejects: {
          provider: source,
          candidate: candidate ?? `content ${content.slice(0, 16)}`,
          content: delivered ?? content,
        },
      }
    : {};

/** Removes a file, in the order of a write. */
async function removeInstalled(
  needs: InstallNeeds,
  { item, file, root, row, over, by = SERVER, act = 'restored', notes, freeze, check }: RemoveRequest,
): Promise<void> {
  const { store, preserved, clock } = needs;
  const place = inRoot(root, over.relative);
  await check();
  await preserved.put(await readExactly(place, over.content));
  const intent: Intent = {
    file: {
      ...row,
      library: file.library,
      relative: over.relative,
      item,
      content: over.content,
      preserved: { before: preservedFileOf({ ...over, language: row.language, role: row.role }, file.relative, row) },
      at: clock.now(),
    },
    over,
    detail: noteText(notes),
    notes,
    act,
    by,
    isRemoval: true,
    ...(freeze && { freeze }),
    ...rejectionOf(row),
  };
  crashPoint('subtitles.write.preserved');
  await store.intend(intent);
  crashPoint('subtitles.restore.intent');
  try {
    await check();
    await readExactly(place, over.content);
    await removeFile(place);
  } catch (error) {
    // The file may be gone although syncing the removal to disk failed. Its preserved bytes must then stay known.
    await settleIntent(needs, intent, root);
    throw error;
  }
  crashPoint('subtitles.write.removed');
  await store.done(intent, NO_FILE);
  crashPoint('subtitles.restore.recorded');
}

/** Removes the replaced file after the new one was created under another name. If that fails, removes the new file. */
async function removeReplaced(needs: InstallNeeds, intent: Intent, root: Root): Promise<void> {
  try {
    await removeOld(intent, root);
  } catch (error) {
    // Only if the old file still exists: it may be gone, although reporting that failed.
    if (intent.over && (await hasContent(inRoot(root, intent.over.relative), intent.over.content)))
      await removeFile(inRoot(root, intent.file.relative)).catch(() => {});
    await settleIntent(needs, intent, root);
    throw error;
  }
  crashPoint('subtitles.write.removed');
}
