/**
 * Preview pictures: small pictures on sheets that a player shows while seeking, and one for each
 * chapter.
 *
 * They are made once for each file, in the background or when a player asks, one file at a time. They are kept by the
 * identity of the file, in one file of the cache that is written whole. Losing them costs work, never data.
 */
import { createHash } from 'node:crypto';
import type { Catalog, PlayableFile } from '../../catalog/index.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot } from '../../lib/files.ts';
import { createJobQueue, type JobContext, whileHeld } from '../../lib/jobs.ts';
import type { Log } from '../../lib/log.ts';
import type { Rendition } from '../rendition.ts';
import { etagOf, playableFile, openMedia, type FileChoice } from '../opening.ts';
import { createPictureCache } from './cache.ts';
import { geometryOf } from './geometry.ts';
import { makePictures, UNDECODABLE_VIDEO } from './make.ts';
import { PACK_VERSION } from './pack.ts';
import { indexOf } from './vtt.ts';

export interface TrickplayNeeds {
  catalog: Pick<Catalog, 'seenBy' | 'root'>;
  ffmpeg: Pick<Ffmpeg, 'keyPictures'>;
  clock: Pick<Clock, 'monotonic'>;
  log: Log;
  /** Returns the video of a file as it can be copied, undefined where it cannot. */
  copiedVideo(file: PlayableFile, signal: AbortSignal): Promise<Rendition | undefined>;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  /** Whether video is being converted in software: nothing is made in the meantime. */
  isConverting(): boolean;
  /** Most bytes of all pictures; a tenth of the disk's free space and at most 8 GiB unless given. */
  maxBytes?: number;
}

export type PictureName = { is: 'index' } | { is: 'sheet'; number: number } | { is: 'chapter'; number: number };
export type PictureReply =
  | { is: 'ready'; type: 'text/vtt' | 'image/jpeg'; bytes: Uint8Array; etag: string }
  | { is: 'making'; progress: number };

export interface Trickplay {
  /**
   * Returns the index, a sheet or the picture of a chapter, or says that they are being made, which this begins. Fails
   * as `missing` where there is none, and as `conflict` when the video cannot be decoded.
   */
  read(by: Principal, which: FileChoice, name: PictureName, query: string): Promise<PictureReply>;
  /** Makes the pictures of a file unless they are there. Resolves when they are. */
  make(
    file: PlayableFile,
    options: { progress?(part: number): void },
    signal: AbortSignal,
  ): Promise<'made' | 'there' | 'none'>;
  /** Whether the cache has room for more, so that the background does not drop what it has just made. */
  hasRoom(): Promise<boolean>;
  /** Returns why pictures cannot be kept at present. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/**
 * How long a file is left alone that cannot be decoded, and one where the reason may pass: it is being replaced, or its
 * library is away.
 */
const FAILED_MS = 3_600_000;
const LATER_MS = 60_000;
const MAX_FAILED = 500;
/** How often it is checked whether video is still being converted. */
const HELD_MS = 1_000;
const NO_PICTURE = 'no such picture';

/** A photo has a picture, but no length that preview pictures could be of. */
const hasVideo = ({ info }: PlayableFile): boolean => geometryOf(info) !== undefined && (info?.duration ?? 0) > 0;

export function createTrickplay({
  catalog,
  ffmpeg,
  clock,
  log,
  copiedVideo,
  cache: folder,
  isConverting,
  maxBytes,
}: TrickplayNeeds): Trickplay {
  const cache = createPictureCache({ folder: `${folder}/trickplay`, log, clock, maxBytes });
  const jobs = createJobQueue<void>();
  const turn = (signal: AbortSignal): Promise<void> => whileHeld(isConverting, HELD_MS, signal);
  const failed = new Map<string, { error: Failure; until: number }>();

  const identify = async (file: PlayableFile): Promise<string> => {
    const open = await openMedia(catalog, file, file.relative);
    try {
      return etagOf(open);
    } finally {
      await open.close();
    }
  };
  const nameOf = (identity: string): string =>
    `${createHash('sha256')
      .update(JSON.stringify([PACK_VERSION, identity]))
      .digest('hex')
      .slice(0, 40)}.pictures`;

  const failureOf = (name: string): Failure | undefined => {
    const known = failed.get(name);
    if (known && clock.monotonic() < known.until) return known.error;
    failed.delete(name);
    return undefined;
  };
  const work =
    (file: PlayableFile, identity: string) =>
    async ({ progress, signal }: JobContext): Promise<void> => {
      const name = nameOf(identity);
      try {
        const media = inRoot(await catalog.root(file.root), file.relative);
        const video = await copiedVideo(file, signal);
        const pack = await makePictures(ffmpeg, { file, media, video, turn, progress }, signal);
        // Pictures of a file that was replaced in the meantime would be kept under the name of the old one.
        if ((await identify(file)) !== identity)
          throw new Failure('conflict', 'the file changed while its pictures were made', { reason: 'changed' });
        await cache.put(name, pack);
      } catch (error) {
        if (error instanceof Failure && !signal.aborted) {
          if (failed.size >= MAX_FAILED) failed.delete(failed.keys().next().value ?? '');
          failed.set(name, {
            error,
            until: clock.monotonic() + (error.reason === UNDECODABLE_VIDEO ? FAILED_MS : LATER_MS),
          });
          log.warn('trickplay.failed', { item: file.item, reason: error.message });
        }
        throw error;
      }
    };

  return {
    read: async (by, which, picture, query) => {
      const file = await playableFile(catalog.seenBy(by), which);
      if (!hasVideo(file)) throw new Failure('missing', 'this item has no video', { reason: 'no-video' });
      const identity = await identify(file);
      const name = nameOf(identity);
      const header = await cache.header(name);
      if (!header) {
        const error = failureOf(name);
        if (error) throw error;
        const { progress } = jobs.ask(name, { isWanted: true, work: work(file, identity) });
        return { is: 'making', progress };
      }
      const etag = `${identity}-${PACK_VERSION}`;
      if (picture.is === 'index')
        return { is: 'ready', type: 'text/vtt', bytes: Buffer.from(indexOf(header, query)), etag };
      const slice = picture.is === 'sheet' ? header.sheets[picture.number] : header.chapters[picture.number];
      const bytes = slice && (await cache.slice(name, slice));
      if (!bytes) throw new Failure('missing', NO_PICTURE, { reason: 'no-picture' });
      return { is: 'ready', type: 'image/jpeg', bytes, etag };
    },
    make: async (file, { progress }, signal) => {
      if (!hasVideo(file)) return 'none';
      const identity = await identify(file);
      const name = nameOf(identity);
      if (await cache.header(name)) return 'there';
      const error = failureOf(name);
      if (error) throw error;
      await jobs.ask(name, { isWanted: false, work: work(file, identity) }).wait(signal, progress);
      return 'made';
    },
    hasRoom: cache.hasRoom,
    trouble: cache.trouble,
    close: () => jobs.close(),
  };
}
