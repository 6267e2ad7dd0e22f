/**
 * A saved copy of the library index, so that a start reads columns and not every row of the database.
 *
 * It is used only when it is this database's: sealed with a key that the database holds and that changes with each
 * copy, of the layout of this program, of the same libraries. Rows that changed after it was made are read from the
 * database. Anything else is thrown away, and the index is built from the rows. A database that was restored from a
 * backup holds an older key, or one whose copy is an ancestor of it.
 */
import { randomInt } from 'node:crypto';
import { ensurePrivateFolder, openForReading, removeFile, sweepStray, writeWhole } from '../../../lib/files.ts';
import type { Log } from '../../../lib/log.ts';
import type { LoadableIndex } from '../library-index/index.ts';
import type { IndexImage } from '../library-index/rows.ts';
import type { ScanningStore } from '../../store/scanning.ts';
import type { ReadingStore } from '../../store/reading.ts';
import { catalogMigrations } from '../../store/migrations.ts';
import { decodeSnapshot, encode, treeLayoutOf, seal, type Tree } from './format.ts';

/** Raised when the same layout means something else. */
const FORMAT = 1;
/** Smaller catalogues are read from their rows as quickly. */
const MIN_SAVED_ROWS = 2_000;
/** Maximum number of changes that are applied; with more, the index is rebuilt from the rows. */
const MAX_CHANGES = 20_000;
/** How long the index has to stay unchanged before it is saved. */
const QUIET_BEFORE_SAVE_MS = 30_000;
/** Time limit of the save at a stop. */
const SAVE_AT_STOP_MS = 1_500;

export interface SnapshotNeeds {
  /** A folder for the copy alone. */
  folder: string;
  log: Log;
  index: LoadableIndex;
  store: Pick<ReadingStore, 'cursor' | 'snapshotKey' | 'indexChangesSince' | 'goneSince'> &
    Pick<ScanningStore, 'setSnapshotKey'>;
  /** Rows from which on a copy is worth its file. */
  least?: number;
}

export interface Snapshot {
  /** Fills the empty index with these libraries. False when there is no copy that fits; then nothing was changed. */
  load(libraries: readonly string[]): Promise<boolean>;
  /** Runs work that writes items: no copy is made while any runs. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Notes that the index changed: a copy is made once it stays as it is, for the libraries that are listed then. */
  changed(): void;
  /** Makes a copy now, if there are changes and nothing writes. */
  save(): Promise<void>;
  close(): Promise<void>;
}

interface Meta {
  format: string;
  libraries: readonly string[];
  cursor: number;
}

export function createSnapshot({
  folder,
  log,
  index,
  store,
  least = MIN_SAVED_ROWS,
  libraries,
}: SnapshotNeeds & { libraries(): readonly string[] }): Snapshot {
  const file = `${folder}/library.index`;
  const format = `${FORMAT} ${catalogMigrations.at(-1)?.id ?? ''} ${treeLayoutOf(index.image() as unknown as Tree)}`;
  let writers = 0;
  /** Counts beginnings and ends of writing work. */
  let turns = 0;
  let isChanged = false;
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> | undefined;

  const discard = () => removeFile(file).catch(() => {});
  const read = async (wanted: readonly string[]): Promise<{ image: IndexImage; cursor: number } | undefined> => {
    const key = await store.snapshotKey();
    const open = key === undefined ? undefined : await openForReading(file).catch(() => undefined);
    if (key === undefined || !open) return undefined;
    const saved = (await decodeSnapshot(open, String(key)).finally(() => open.close())) as
      | { meta: Meta; image: IndexImage }
      | undefined;
    if (saved?.meta.format !== format || saved.meta.libraries.join() !== wanted.toSorted().join()) return undefined;
    return { image: saved.image, cursor: saved.meta.cursor };
  };

  const write = async (): Promise<void> => {
    if (writers > 0 || !isChanged) return;
    const [turn, version] = [turns, index.version()];
    const cursor = await store.cursor();
    // Changes that were written in the meantime may be in the rows but not in the index yet.
    if (turn !== turns || version !== index.version()) return;
    isChanged = false;
    if (index.size() < least) return discard();
    const key = randomInt(1, 2 ** 48 - 1);
    const meta: Meta = { format, libraries: libraries().toSorted(), cursor };
    const bytes = encode({ meta, image: index.image() } as unknown as Tree);
    await seal(bytes, String(key));
    await ensurePrivateFolder(folder);
    await sweepStray(folder);
    await writeWhole(file, bytes);
    await store.setSnapshotKey(key);
  };
  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    saving ??= write()
      // The server is as good without it; it only starts later.
      .catch((error: unknown) => log.fault('catalog.index-not-saved', error))
      .finally(() => void (saving = undefined));
    return saving;
  };
  const changed = (): void => {
    isChanged = true;
    clearTimeout(timer);
    timer = setTimeout(() => void save().then(() => isChanged && changed()), QUIET_BEFORE_SAVE_MS).unref();
  };

  return {
    load: async (wanted) => {
      const saved = await read(wanted).catch((error: unknown) => log.fault('catalog.index-not-read', error));
      const now = saved ? await store.cursor() : 0;
      if (!saved || saved.cursor > now || now - saved.cursor > MAX_CHANGES) {
        await discard();
        changed();
        return false;
      }
      const rows = await store.indexChangesSince(saved.cursor);
      const gone = await store.goneSince(saved.cursor, MAX_CHANGES);
      index.restore(saved.image);
      const shown = rows.flatMap(({ row, library }) => (row && wanted.includes(library) ? [row] : []));
      const ids = new Set(shown.map(({ id }) => id));
      index.apply(
        shown,
        [...rows, ...gone].map(({ id }) => id).filter((id) => !ids.has(id)),
      );
      if (now > saved.cursor) changed();
      return true;
    },
    during: async (work) => {
      writers++;
      turns++;
      try {
        return await work();
      } finally {
        writers--;
        turns++;
      }
    },
    changed,
    save,
    close: async () => {
      clearTimeout(timer);
      if (!isChanged && !saving) return;
      let late: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => void (late = setTimeout(resolve, SAVE_AT_STOP_MS)));
      await Promise.race([save(), limit]);
      clearTimeout(late);
      clearTimeout(timer);
    },
  };
}
