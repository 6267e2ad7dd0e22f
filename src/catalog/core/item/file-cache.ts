/**
 * In-memory cache of the files of items that were used recently. A player that seeks asks for the same item many times
 * a minute; without the cache, each time costs two statements and the parsing of the file's streams and chapters.
 */
import type { MediaInfo } from '../../probe/types.ts';
import { windowInfo } from '../../probe/window.ts';
import type { LoudnessStore } from '../../store/loudness.ts';
import type { ReadingStore } from '../../store/reading.ts';
import type { FileRecord } from '../../store/records.ts';
import type { PlayableWindow } from '../../types.ts';

/** Maximum number of items: more than a household plays at a time. The files of one item take some kilobytes. */
const MAX_ITEMS = 32;

export interface CachedFile {
  row: FileRecord;
  info: MediaInfo | undefined;
  window?: PlayableWindow;
}

export interface ItemFiles {
  /** Returns the files of an item that are not missing. The objects are shared: callers do not change them. */
  of(item: string): Promise<readonly CachedFile[]>;
  /** As `of`, and keeps nothing: for background work, which reads every item once. */
  once(item: string): Promise<readonly CachedFile[]>;
  /** As `once`, with the gains that tags state and none that was measured. */
  stated(item: string): Promise<readonly CachedFile[]>;
  /** Drops everything. Called after each write of files. */
  forget(): void;
}

type FileReader = Pick<ReadingStore, 'files' | 'info'> & Partial<Pick<LoudnessStore, 'measuredGain'>>;

export function createItemFiles(store: FileReader): ItemFiles {
  /** The item that was used last comes last. */
  const cache = new Map<string, readonly CachedFile[]>();
  let writes = 0;
  return {
    of: async (item) => {
      const cached = cache.get(item);
      const before = writes;
      const files = cached ?? (await readFiles(store, item));
      // Files that were read before or during a write are returned, but not cached.
      if (before !== writes) return files;
      cache.delete(item);
      cache.set(item, files);
      if (cache.size > MAX_ITEMS) cache.delete(cache.keys().next().value ?? '');
      return files;
    },
    once: async (item) => cache.get(item) ?? readFiles(store, item),
    stated: (item) => readStated(store, item),
    forget: () => {
      writes++;
      cache.clear();
    },
  };
}

/** Tracks without gains in their tags have those that were measured. */
async function readFiles(store: FileReader, item: string): Promise<CachedFile[]> {
  const files = await readStated(store, item);
  const isLacking = files.some(
    ({ info }) => info?.audio && (info.audio.gain?.track === undefined || info.audio.gain.album === undefined),
  );
  const measured = isLacking ? await store.measuredGain?.(item) : undefined;
  if (!measured) return files;
  return files.map((file) => {
    const { info } = file;
    if (!info?.audio) return file;
    return { ...file, info: { ...info, audio: { ...info.audio, gain: { ...measured, ...info.audio.gain } } } };
  });
}

async function readStated(store: FileReader, item: string): Promise<CachedFile[]> {
  const rows = (await store.files(item)).filter(({ missing }) => missing === null);
  return Promise.all(
    rows.map(async (row) => {
      const info = await store.info(row.id);
      if (!info || !row.window) return { row, info };
      const { start, end } = row.window;
      const isToEnd = info.duration !== undefined && end >= info.duration;
      const { index: stream, codec } = info.streams.find(({ type }) => type === 'audio') ?? { index: 0, codec: '' };
      const window = { start, stream, codec, ...(!isToEnd && { end }) };
      return { row, info: windowInfo(info, row.window), window };
    }),
  );
}
