/**
 * Artwork: a picture next to the media, a photo, or a frame of the video, resized to one of several fixed widths.
 *
 * It is made once and cached under a digest of its source, so a changed picture is another file. The cache may be
 * deleted at any moment. Few are made at a time: a grid that is scrolled through asks for hundreds.
 */
import { createHash } from 'node:crypto';
import { ART_WIDTHS } from '../../contract/catalog/cards.ts';
import { createInFlight, untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/types.ts';
import {
  ensurePrivateFolder,
  inRoot,
  isThere,
  listFolder,
  readBounded,
  type Root,
  sweepStray,
  writeWhole,
} from '../../lib/files.ts';
import { createLimit } from '../../lib/limit.ts';
import type { PhotoPictures } from './photo-pictures/index.ts';
import type { Log } from '../../lib/log.ts';
import type { ArtworkSource } from '../types.ts';
import { loadPictureReader } from '../../lib/picture-reader.ts';

const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
const MAX_PICTURE_PIXELS = 40_000_000;
/** Photos are looked at more closely than posters. */
const PHOTO_WIDTHS = [...ART_WIDTHS, 3840] as const;
/** Above this width JPEG takes a third of the time of WebP. */
const MAX_WEBP_PHOTO_WIDTH = 720;
const PICTURES_AT_ONCE = 2;
const QUALITY = 78;
const FRAME_WIDTH = 1280;

export interface ResizedPicture {
  bytes: Uint8Array;
  type: string;
  etag: string;
}
export interface Art {
  /** Returns the picture at the next of the fixed widths. Fails as `missing` if the file is no picture. */
  make(picture: ArtworkSource, width: number, signal: AbortSignal): Promise<ResizedPicture>;
  /** Removes every resized picture; each is made again when it is requested. */
  clear(): Promise<void>;
}
export interface ArtNeeds {
  cache: string;
  ffmpeg: Pick<Ffmpeg, 'extractFrame'>;
  log: Log;
  rootFor(path: string): Promise<Root>;
  clearFolder(path: string): Promise<void>;
  photos: Pick<PhotoPictures, 'make'>;
  /** Returns a picture inside a file, such as the cover in a book. */
  embedded(file: Pick<ArtworkSource, 'root' | 'relative'>, entry: string, signal: AbortSignal): Promise<Uint8Array>;
}

export function createArt({ cache, ffmpeg, log, rootFor, clearFolder, photos, embedded }: ArtNeeds): Art {
  const limit = createLimit(PICTURES_AT_ONCE);
  const join = createInFlight<Uint8Array>();
  /** Removes unfinished files before the first picture is written. No other process writes there. */
  let swept: Promise<void> | undefined;
  let isKept = true;

  const original = async (picture: ArtworkSource, signal: AbortSignal): Promise<Uint8Array> => {
    if (picture.entry !== undefined) return embedded(picture, picture.entry, signal);
    if (picture.frameAt !== undefined)
      return ffmpeg.extractFrame(
        {
          media: inRoot(await rootFor(picture.root), picture.relative),
          at: picture.frameAt,
          width: FRAME_WIDTH,
          ...(picture.stream !== undefined && { stream: picture.stream }),
        },
        signal,
      );
    return readBounded(inRoot(await rootFor(picture.root), picture.relative), MAX_PICTURE_BYTES);
  };
  const resized = async (picture: ArtworkSource, width: number, signal: AbortSignal): Promise<Uint8Array> => {
    const bytes = await original(picture, signal);
    const sharp = await loadPictureReader();
    try {
      return await sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1 })
        .rotate()
        .resize({ width, withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .timeout({ seconds: 20 })
        .toBuffer();
    } catch (error) {
      throw new Failure('missing', 'this picture cannot be read', { reason: 'picture-unreadable' }, { cause: error });
    }
  };

  const shrunk = async (
    { root, relative }: ArtworkSource,
    { width, format }: { width: number; format: 'jpeg' | 'webp' },
    signal: AbortSignal,
  ): Promise<Uint8Array> => {
    // Fails as unavailable while the library is away.
    await rootFor(root);
    return photos.make({ path: `${root}/${relative}`, root, width, format }, signal);
  };

  /** Caches a picture. If the cache cannot be written, the picture is made again for the next request. */
  const keep = async (folder: string, path: string, bytes: Uint8Array): Promise<void> => {
    try {
      await (swept ??= sweepAll(`${cache}/art`));
      await ensurePrivateFolder(folder);
      await writeWhole(path, bytes);
      isKept = true;
    } catch (error) {
      // Logged once, not for every picture of a page.
      if (isKept) log.warn('art.not-kept', { reason: error instanceof Failure ? error.message : String(error) });
      isKept = false;
    }
  };

  return {
    make: async (picture, asked, signal) => {
      const widths = picture.isPhoto === true ? PHOTO_WIDTHS : ART_WIDTHS;
      const width = widths.find((one) => one >= asked) ?? widths.at(-1) ?? 1920;
      const format = picture.isPhoto === true && width > MAX_WEBP_PHOTO_WIDTH ? 'jpeg' : 'webp';
      const type = `image/${format}`;
      const etag = createHash('sha256')
        .update(
          [picture.root, picture.relative, picture.version, picture.frameAt ?? '', picture.entry ?? '', width].join(
            '\0',
          ),
        )
        .digest('hex')
        .slice(0, 32);
      const folder = `${cache}/art/${etag.slice(0, 2)}`;
      const path = `${folder}/${etag}.${format}`;
      if (await isThere(path)) return { bytes: await readBounded(path, MAX_PICTURE_BYTES), type, etag };
      // Continues if the first caller leaves: others may wait for the same picture.
      const work = join(etag, () =>
        limit(async () => {
          const deadline = AbortSignal.timeout(30_000);
          const bytes = await (picture.isPhoto === true
            ? shrunk(picture, { width, format }, deadline)
            : resized(picture, width, deadline));
          await keep(folder, path, bytes);
          return bytes;
        }),
      );
      return { bytes: await untilAborted(work, signal), type, etag };
    },
    clear: () => clearFolder(`${cache}/art`),
  };
}

/** Removes files that a killed process left unfinished. If that fails, pictures are still shown. */
async function sweepAll(folder: string): Promise<void> {
  const folders = await listFolder(folder).catch(() => []);
  for (const { name, kind } of folders) if (kind === 'folder') await sweepStray(`${folder}/${name}`).catch(() => 0);
}
