/**
 * Tracks that are parts of a file (`PlayableFile.window`), cut out to the sample and kept in the cache as FLAC files.
 *
 * Bytes of a file cannot be cut where a track begins, and a browser has no room for a decoded disc. A cut track is a
 * file like any other instead: every client plays it, neighbours follow each other without a gap, and conversions,
 * ranges and downloads need no separate rule.
 */
import { createHash } from 'node:crypto';
import type { Catalog, PlayableFile } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { type CacheFolderNeeds, createCacheFolder, inRoot, type OpenFile } from '../lib/files.ts';
import { createLimit } from '../lib/limit.ts';
import { ProcessFailure } from '../lib/process.ts';
import { etagOf, openMedia } from './opening.ts';

export interface CutTracks {
  /** Opens the track. Its time and number are the same as long as the file is. Fails as `openMedia` does. */
  open(file: PlayableFile): Promise<OpenFile>;
  /** Opens the track as it is in the cache, for programs. `identity` is that of the file and the part. */
  cached(file: PlayableFile): Promise<CachedTrack>;
  close(): void;
}
export interface CachedTrack {
  open: OpenFile;
  path: string;
  identity: string;
}
export interface CutNeeds extends Pick<CacheFolderNeeds, 'log' | 'clock'> {
  catalog: Pick<Catalog, 'root'>;
  ffmpeg: Pick<Ffmpeg, 'cutAudio'>;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
}

/** Grows when tracks are cut in another way. */
const CUT_VERSION = 1;
const GIB = 1024 ** 3;
const MAX_BYTES = 4 * GIB;
const MAX_DISK_PART = 0.1;
/** Largest track: 40 minutes of 24 bits at 96 kHz, which is held in memory while it is written. */
const MAX_TRACK_BYTES = GIB / 2;
/** Tracks that are cut at a time: the one that plays, and the one after it. */
const CUTS_AT_ONCE = 2;

export function createCutTracks({ catalog, ffmpeg, cache, log, clock }: CutNeeds): CutTracks {
  const folder = `${cache}/tracks`;
  const files = createCacheFolder({
    folder,
    log,
    ...(clock && { clock }),
    names: /^[0-9a-f]{40}\.flac$/,
    maxBytes: MAX_BYTES,
    maxDiskPart: MAX_DISK_PART,
    maxFileBytes: MAX_TRACK_BYTES,
    isDurable: false,
  });
  const limit = createLimit(CUTS_AT_ONCE);
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();

  const identify = async (file: PlayableFile): Promise<OpenFile> => {
    const open = await openMedia(catalog, file, file.relative);
    await open.close();
    return open;
  };
  const cut = async (file: PlayableFile, name: string): Promise<void> => {
    const { window, info } = file;
    const rate = info?.streams[0]?.sampleRate;
    if (!window || rate === undefined)
      throw new Failure('conflict', 'this file has not been analysed', { reason: 'not-analysed' });
    const media = inRoot(await catalog.root(file.root), file.relative);
    try {
      const bytes = await ffmpeg.cutAudio({ media, ...window, rate, mostBytes: MAX_TRACK_BYTES }, closing.signal);
      if (await files.put(name, bytes)) return;
    } catch (error) {
      if (!(error instanceof ProcessFailure) && !(error instanceof RangeError)) throw error;
      log.warn('playback.cut', { item: file.item, reason: error.message });
    }
    throw new Failure('unavailable', 'this track cannot be cut out of its file', { reason: 'file-unavailable' });
  };
  /** Returns the name of the track in the cache, where it is now. */
  const made = async (file: PlayableFile, source: OpenFile): Promise<string> => {
    const key = JSON.stringify([CUT_VERSION, etagOf(source), source.dev, file.window]);
    const name = `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.flac`;
    await files.open().catch(() => {});
    if (files.has(name)) return name;
    const making = running.get(name) ?? limit(() => cut(file, name)).finally(() => running.delete(name));
    running.set(name, making);
    await making;
    return name;
  };
  const cached = async (file: PlayableFile): Promise<CachedTrack & { source: OpenFile }> => {
    const source = await identify(file);
    const name = await made(file, source);
    const open = await files.openFile(name);
    if (!open) throw new Failure('unavailable', 'the file cannot be read', { reason: 'file-unavailable' });
    // The cache changes the time of a file that is used, and never what is in it.
    return { open: { ...open, check: async () => {} }, path: `${folder}/${name}`, identity: name, source };
  };
  return {
    cached,
    open: async (file) => {
      const { open, identity, source } = await cached(file);
      return { ...open, mtimeMs: source.mtimeMs, ino: Number.parseInt(identity.slice(0, 12), 16) };
    },
    close: () => closing.abort(),
  };
}
