/**
 * Reads the subtitle files next to videos, to see whether they have lines and are for the hard of hearing: an empty
 * file, prose or random bytes must not make a language count as present. Each version of a file is read once; usually
 * its beginning is enough.
 *
 * Runs in the background after the inventory was updated. A file that cannot be opened now is tried again in the next
 * run, and counts until then.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogBackground } from '../../catalog/index.ts';
import { LIMITS } from '../../cues/limits.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import { inRoot, openForReading, readPart, type Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { ReadabilityStore } from '../store/readability.ts';
import { type InventoryRow, type InventoryTrack, isUnchecked } from '../store/rows.ts';
import type { FileCheck, SubtitleReader } from '../worker/types.ts';
import { textsIn } from './coverage.ts';
import { mainFile } from './item.ts';

/** Number of items read from the database at once. */
const ITEMS_PER_READ = 50;
/** Bytes of a file that are read first. They hold about a hundred lines and are parsed in two milliseconds. */
const HEAD_BYTES = 16 * 1024;
/** Pause after each item, as a multiple of the time that it took, so that other work gets a turn. */
const PAUSE_FACTOR = 1;
const MAX_PAUSE_MS = 100;

export interface ReadabilityNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries'>;
  store: ReadabilityStore;
  reader: Pick<SubtitleReader, 'check'>;
  /** Called after files were found unreadable or of another kind. */
  changed(): void;
  log: Log;
  signal: AbortSignal;
}

/**
 * Returns a function that resolves when every file that can be opened was read. A call during a run causes one more.
 */
export function createReadabilityCheck(needs: ReadabilityNeeds): () => Promise<void> {
  const { store, catalog, signal } = needs;
  return coalesce(async () => {
    let after = '';
    while (!signal.aborted) {
      const rows = await store.unchecked(after, ITEMS_PER_READ);
      const online = new Set(catalog.libraries().flatMap(({ id, isOnline }) => (isOnline ? [id] : [])));
      for (const row of rows.filter(({ library }) => online.has(library))) {
        if (signal.aborted) return;
        const begun = performance.now();
        await checkItem(needs, row);
        await pause(Math.min(MAX_PAUSE_MS, (performance.now() - begun) * PAUSE_FACTOR));
      }
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  });
}

async function checkItem(
  { store, catalog, reader, changed, log, signal }: ReadabilityNeeds,
  row: InventoryRow,
): Promise<void> {
  const subject = await catalog.subject(row.id);
  const file = subject && mainFile(subject);
  if (!file) return;
  try {
    const root = await catalog.root(file.root);
    const tracks: InventoryTrack[] = [];
    for (const track of row.tracks)
      tracks.push(isUnchecked(track) ? await checkedTrack({ root, reader }, track, signal) : track);
    const isKnown = tracks.some((track, n) => track !== row.tracks[n]);
    if (isKnown && (await store.checked(row, { tracks, held: textsIn(tracks) })) && tracks.some(isNew(row))) changed();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    log.warn('subtitles.not-checked', { item: row.id, reason: error.reason ?? error.kind });
  }
}

const isNew =
  ({ tracks }: InventoryRow) =>
  ({ unreadable, impaired }: InventoryTrack, n: number): boolean =>
    (unreadable !== undefined && tracks[n]?.unreadable === undefined) || impaired !== tracks[n]?.impaired;

/** Returns the track with what its file is, or as it was if the file cannot be opened or changes now. */
async function checkedTrack(
  { root, reader }: Pick<ReadabilityNeeds, 'reader'> & { root: Root },
  track: InventoryTrack,
  signal: AbortSignal,
): Promise<InventoryTrack> {
  try {
    const found = await readFileKind({ root, reader }, track, signal);
    return { ...track, checked: true, ...knownFrom(found) };
  } catch (error) {
    signal.throwIfAborted();
    // A file that the other process cannot cope with is none that can be shown.
    if (failedFor(error, 'helper-failed')) return { ...track, checked: true, unreadable: 'damaged' };
    if (!(error instanceof Failure)) throw error;
    return track;
  }
}

const knownFrom = (found: FileCheck): Pick<InventoryTrack, 'unreadable' | 'impaired'> =>
  found.unreadable === undefined
    ? { ...(found.isForImpaired && { impaired: true }) }
    : { unreadable: found.unreadable };

async function readFileKind(
  { root, reader }: Pick<ReadabilityNeeds, 'reader'> & { root: Root },
  { relative = '', size, modified }: InventoryTrack,
  signal: AbortSignal,
): Promise<FileCheck> {
  const extension = relative.slice(relative.lastIndexOf('.') + 1);
  const open = await openForReading(inRoot(root, relative));
  try {
    if (open.size !== size || Math.round(open.mtimeMs) !== modified)
      throw new Failure('conflict', 'the file has changed and has not been scanned again yet', { reason: 'changed' });
    if (open.size === 0) return { unreadable: 'empty' };
    if (open.size > LIMITS.bytes) return { unreadable: 'too-large' };
    const head = await readPart(open, 0, HEAD_BYTES);
    const found = await reader.check({ bytes: head, extension }, signal);
    if (found.unreadable === undefined || open.size <= HEAD_BYTES) return found;
    return await reader.check({ bytes: await readPart(open, 0, open.size), extension }, signal);
  } finally {
    await open.close();
  }
}
