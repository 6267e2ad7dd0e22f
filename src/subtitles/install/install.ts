/**
 * Installs a subtitle next to its video: completely or not at all, and never over bytes that were not checked.
 *
 * In this order: the replaced and the new bytes are preserved under their hashes; the journal records the planned
 * write; the file appears under its name in one step; a replaced file with another name is removed; the database
 * records the result. After a kill at any moment the next start reads the journal: a file with exactly those bytes is
 * finished, anything else is reverted, and temporary files are removed. One writer per folder.
 */
import type { CatalogBackground, PlayableFile } from '../../catalog/index.ts';
import type { Actor, Evidence } from '../../contract/subtitles/library.ts';
import type { Clock } from '../../lib/clock.ts';
import { crashPoint } from '../../lib/crash.ts';
import { Failure } from '../../lib/failure.ts';
import {
  inRoot,
  isThere,
  readBounded,
  removeFile,
  type Root,
  statFile,
  sweepStray,
  writeWhole,
} from '../../lib/files.ts';
import { createKeyedLock, type KeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import { keptOf, preservedAfter, preservedBy, spotOf } from '../history/lineage.ts';
import { contentOf, MOST_BYTES, type PreservedBytes } from '../history/preserved.ts';
import { sidecarName } from './sidecar-name.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { Intent, Preserved } from '../store/rows.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { Act, Origin, Role } from '../store/tables.ts';

/** A file that is replaced: where it is below its library, and SHA-256 of the bytes that must be there. */
export interface Over {
  relative: string;
  content: string;
  /** Language and role of its name, where they differ from the new one's. */
  language?: string;
  role?: Role;
}

export interface Installation {
  item: string;
  file: PlayableFile;
  root: Root;
  language: string;
  role: Role;
  /** Ending of the name, without a dot. */
  format: string;
  bytes: Uint8Array;
  source: string;
  score: number | null;
  match: InstalledFile['match'];
  evidence: readonly Evidence[];
  /** Left out: the server by itself. */
  by?: Actor | undefined;
  /** Left out: fetched. */
  act?: Exclude<Act, 'hidden'>;
  origin?: Origin;
  /** The provider's id of it. */
  candidate?: string;
  /** Path below its library. Default: the name that players look for. */
  relative?: string;
  /** The file that it replaces, which is preserved first. When left out, no file may be there. */
  over?: Over;
  /** The bytes as they came from outside, or the SHA-256 of preserved ones. */
  delivered?: Uint8Array | string;
  detail?: string;
  freeze?: true;
  /** The replaced file was rejected, and must not be fetched again. */
  rejects?: true;
  /** For a restored file: the files that can be restored afterwards. Default: the replaced file and its original. */
  preserved?: Preserved;
  /** The last moment to refuse, by throwing: everything is written and nothing is in its place yet. */
  check(): Promise<void>;
}

/** A file that goes: its row, and where it is now. */
export interface Removal extends Pick<Installation, 'item' | 'file' | 'root' | 'by' | 'check'> {
  row: InstalledFile;
  over: Over;
  detail: string;
}

export interface InstallNeeds {
  store: InstallingStore;
  preserved: PreservedBytes;
  catalog: Pick<CatalogBackground, 'libraries' | 'root' | 'sidecarsChanged'>;
  clock: Clock;
  log: Log;
  /** Held by whoever changes the files of a folder, by `library/folder`. */
  folders: KeyedLock;
}

export interface Installer {
  /** Returns the file's path below its library. Throws `Failure('conflict')`: name taken, file changed, read-only. */
  install(installation: Installation): Promise<string>;
  /** Removes an installed file where there was none before it. Its bytes are preserved and can be restored. */
  remove(removal: Removal): Promise<void>;
  /** Finishes or reverts the writes of a killed process. Folders that cannot be reached now are tried again later. */
  recover(): Promise<void>;
}

const SERVER: Actor = { is: 'server' };
const FAMILY = { fetched: 'fetch', upgraded: 'fetch', applied: 'apply', restored: 'restore' } as const;

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
          'this subtitle file is being written already',
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
      for (const intent of left) await settle(needs, intent, root);
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
        folders.run(folderKey({ library: file.library, relative: over.relative }), () => takeBack(needs, removal)),
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

async function write(needs: InstallNeeds, installation: Installation, relative: string): Promise<void> {
  const { store } = needs;
  const { root, bytes, over, act = 'fetched' } = installation;
  const place = inRoot(root, relative);
  const isInPlace = over?.relative === relative;
  const check = async (): Promise<void> => {
    await installation.check();
    if (over) await sameAs(inRoot(root, over.relative), over.content);
  };
  // Checked again under the lock, because the search before it took seconds.
  await check();
  if (!isInPlace && (await isThere(place)))
    throw new Failure('conflict', 'a file of that name is already there', { reason: 'file-exists' });
  const intent = await intentOf(needs, installation, relative);
  crashPoint('subtitles.write.preserved');
  await store.intend(intent);
  crashPoint(`subtitles.${FAMILY[act]}.intent`);
  try {
    await writeWhole(place, bytes, { exclusive: !isInPlace, check });
  } catch (error) {
    // It may have come into its place before something failed: what is there decides, as after a crash.
    await settle(needs, intent, root);
    throw error;
  }
  crashPoint(`subtitles.${FAMILY[act]}.written`);
  if (over && !isInPlace) await takeAway(needs, intent, root);
  await finish(needs, intent, root);
  crashPoint(`subtitles.${FAMILY[act]}.recorded`);
}

/** Preserves what is to be preserved, and says all that will be done. Nothing in the library is touched. */
async function intentOf(
  { store, preserved, clock }: InstallNeeds,
  installation: Installation,
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
    detail,
    freeze,
    rejects,
  } = installation;
  const rows = await store.filesOf([item]);
  const known = over && rows.find((one) => one.content === over.content);
  // The file that was written under this name was deleted: it can still be restored.
  const gone = over ? undefined : rows.find((one) => one.library === file.library && one.relative === relative);
  if (over) await preserved.put(await sameAs(inRoot(root, over.relative), over.content));
  // Also what is put there: whoever deletes or changes it by hand can have it back.
  const content = await preserved.put(bytes);
  const { delivered } = installation;
  const kept =
    over &&
    keptOf(
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
        ...(installation.preserved ?? (gone ? preservedAfter(gone, content) : preservedBy(kept))),
        self: spotOf(relative, file.relative),
      },
      at: clock.now(),
    },
    act,
    by,
    ...(over && { over: { relative: over.relative, content: over.content } }),
    ...(detail !== undefined && { detail }),
    ...(freeze && { freeze }),
    ...(rejects && known && rejectionOf(known)),
  };
}

/** Returns the provider's file that was rejected. */
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

/** The removal of a file that had nothing before it, in the order of a write. */
async function takeBack(
  needs: InstallNeeds,
  { item, file, root, row, over, by = SERVER, detail, check }: Removal,
): Promise<void> {
  const { store, preserved, clock } = needs;
  const place = inRoot(root, over.relative);
  await check();
  await preserved.put(await sameAs(place, over.content));
  const intent: Intent = {
    file: {
      ...row,
      library: file.library,
      relative: over.relative,
      item,
      content: over.content,
      preserved: { before: keptOf({ ...over, language: row.language, role: row.role }, file.relative, row) },
      at: clock.now(),
    },
    over,
    detail,
    act: 'restored',
    by,
    isRemoval: true,
    ...rejectionOf(row),
  };
  crashPoint('subtitles.write.preserved');
  await store.intend(intent);
  crashPoint('subtitles.restore.intent');
  try {
    await check();
    await sameAs(place, over.content);
    await removeFile(place);
  } catch (error) {
    // It may be gone, and what failed was to force that to the disk: its preserved bytes must not be forgotten then.
    await settle(needs, intent, root);
    throw error;
  }
  crashPoint('subtitles.write.removed');
  await store.done(intent, GONE);
  crashPoint('subtitles.restore.recorded');
}

/** Size and time of a file that does not exist, which match no file. */
const GONE = { size: 0, modified: 0 } as const;

/** The bytes that are there, which must be these. */
async function sameAs(place: ReturnType<typeof inRoot>, content: string): Promise<Buffer> {
  const bytes = await readBounded(place, MOST_BYTES).catch((error: unknown) => {
    throw error instanceof Failure && error.kind === 'missing'
      ? new Failure('conflict', 'the subtitle that was there is gone', { reason: 'subtitle-changed' })
      : error;
  });
  if (contentOf(bytes) !== content)
    throw new Failure('conflict', 'the subtitle was changed meanwhile', { reason: 'subtitle-changed' });
  return bytes;
}

/** The new one is in place under its own name: the old one goes, or else the new one does. */
async function takeAway(needs: InstallNeeds, intent: Intent, root: Root): Promise<void> {
  try {
    await removeOld(intent, root);
  } catch (error) {
    // Only while the old one is still there: it may be gone, and what failed was to say so.
    if (intent.over && (await isThese(inRoot(root, intent.over.relative), intent.over.content)))
      await removeFile(inRoot(root, intent.file.relative)).catch(() => {});
    await settle(needs, intent, root);
    throw error;
  }
  crashPoint('subtitles.write.removed');
}

/** Removes only exactly the preserved bytes; any other file is the user's and stays. */
async function removeOld({ over, file }: Intent, root: Root): Promise<void> {
  if (!over || over.relative === file.relative) return;
  const place = inRoot(root, over.relative);
  if (await isThese(place, over.content)) await removeFile(place);
}

/** Whether exactly these bytes are there. Throws when the library does not answer. */
async function isThese(place: ReturnType<typeof inRoot>, content: string): Promise<boolean> {
  try {
    await sameAs(place, content);
    return true;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'unavailable') return false;
    throw error;
  }
}

async function finish({ store }: InstallNeeds, intent: Intent, root: Root): Promise<void> {
  const { size, mtimeMs } = await statFile(inRoot(root, intent.file.relative));
  await store.done(intent, { size, modified: Math.round(mtimeMs) });
}

/** After a crash or a failure: finished when the new bytes are in place, or else taken back. */
async function settle(needs: InstallNeeds, intent: Intent, root: Root): Promise<void> {
  if (intent.isRemoval) {
    // The user may have put another file there meanwhile; the removed one can be restored all the same.
    if (await isThese(inRoot(root, intent.file.relative), intent.file.content)) await needs.store.undo(intent.file);
    else await needs.store.done(intent, GONE);
    await needs.catalog.sidecarsChanged(intent.file.item);
    return;
  }
  if (!(await isThese(inRoot(root, intent.file.relative), intent.file.content))) {
    await needs.store.undo(intent.file);
    return;
  }
  await removeOld(intent, root);
  await finish(needs, intent, root);
  await needs.catalog.sidecarsChanged(intent.file.item);
}
