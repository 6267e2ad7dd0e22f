/** Finds the picture track of a film for a language, and loads its pictures. */
import { type PlayableFile, type Subject } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { type Ffmpeg, PICTURE_CODECS, type PictureCodec } from '../../lib/ffmpeg/index.ts';
import { inRoot, listFolder, readBounded, type Root } from '../../lib/files.ts';
import { baseLanguage, covers, parseLanguage } from '../../lib/languages.ts';
import type { InventoryTrack } from '../store/rows.ts';
import {
  inTurns,
  pgsSteps,
  PICTURE_LIMITS,
  type PictureDocument,
  readMatroskaTrack,
  readVobSub,
  readVobSubBlocks,
  supSteps,
  type VobSubIndex,
  vobSubIndexSteps,
  type VobSubTrack,
} from '../../cues/index.ts';
import { tracksIn } from '../inventory/item.ts';

export interface PictureTrack {
  source: 'sidecar' | 'embedded';
  /** `sup`, `vobsub`, or the codec as ffprobe names it. */
  format: string;
  role: InventoryTrack['role'];
  /** Language stated by the file name or the video. */
  language?: string;
  /** Path below the library's root, for a sidecar. */
  relative?: string;
  /** Number of the stream, for an embedded track. */
  stream?: number;
}

const FORMATS: readonly string[] = ['sup', 'hdmv_pgs_subtitle', 'vobsub', 'dvd_subtitle', 'dvb_subtitle', 'xsub'];
const ROLES: readonly InventoryTrack['role'][] = ['normal', 'sdh', 'forced'];

/**
 * Returns the picture track for a language: in that language, else in its base language, else without a stated
 * language. Full subtitles come before those for the hard of hearing, and forced ones last. Better pictures come before
 * worse ones, and a file before a track inside the video.
 */
export function pictureTrackFor(subject: Subject, file: PlayableFile, language: string): PictureTrack | undefined {
  const ranked = tracksIn(subject, file)
    .filter((track) => track.picture && !track.hidden && FORMATS.includes(track.format))
    .flatMap((track) => {
      const likeness = likenessOf(track.language, language);
      return likeness === undefined
        ? []
        : [
            {
              track,
              rank: [
                track.role === 'forced' ? 1 : 0,
                track.commentary ? 1 : 0,
                likeness,
                ROLES.indexOf(track.role),
                FORMATS.indexOf(track.format),
              ],
            },
          ];
    })
    .toSorted((a, b) => a.rank.map((value, n) => value - (b.rank[n] ?? 0)).find((difference) => difference !== 0) ?? 0);
  const best = ranked[0]?.track;
  if (!best) return undefined;
  const { source, format, role, relative, stream } = best;
  return {
    source,
    format,
    role,
    ...(best.language !== undefined && { language: best.language }),
    ...(relative !== undefined && { relative }),
    ...(stream !== undefined && { stream }),
  };
}

function likenessOf(has: string | undefined, wanted: string): number | undefined {
  if (has === undefined) return 2;
  if (covers(has, wanted)) return 0;
  return baseLanguage(parseLanguage(has) ?? '') === baseLanguage(parseLanguage(wanted) ?? '-') ? 1 : undefined;
}

export interface PictureLoading {
  ffmpeg: Pick<Ffmpeg, 'extractPictures' | 'probe'>;
  file: PlayableFile;
  root: Root;
  language: string;
  /** 0 to 1. */
  progress(part: number): void;
}

/**
 * Loads the pictures of a track. Throws `Failure('conflict')` if it has none, is too large, or is in another language.
 */
export async function loadPictures(
  track: PictureTrack,
  loading: PictureLoading,
  signal: AbortSignal,
): Promise<PictureDocument> {
  const document =
    track.relative === undefined
      ? await embedded(track, loading, signal)
      : track.format === 'sup'
        ? await sidecarSup(track.relative, loading, signal)
        : await sidecarVobSub(track.relative, { ...loading, named: track.language }, signal);
  if (document.pictures.length === 0)
    throw new Failure('conflict', 'the track holds no pictures that can be read', { reason: 'pictures-unreadable' });
  return document;
}

/**
 * Returns a track as a `.sup` file for a player. DVD and broadcast pictures are encoded as PGS. If nothing states its
 * language, the first one in the file is used. Throws as `loadPictures` does.
 */
export async function pgsOf(
  track: PictureTrack,
  loading: Omit<PictureLoading, 'language' | 'progress'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return inTurns(
    supSteps(await loadPictures(track, { ...loading, language: track.language ?? '', progress: () => {} }, signal)),
    signal,
  );
}

const sidecarSup = async (relative: string, { root }: PictureLoading, signal: AbortSignal): Promise<PictureDocument> =>
  supPictures(await readBounded(inRoot(root, relative), PICTURE_LIMITS.bytes), signal);

/** Reads a `.sup` file, which has one of two formats: Blu-ray files begin with `PG`, HD DVD files with `SP`. */
export async function supPictures(bytes: Uint8Array, signal: AbortSignal): Promise<PictureDocument> {
  if (bytes[0] === 0x53 && bytes[1] === 0x50)
    throw new Failure('conflict', 'pictures of HD DVDs are not supported; those of Blu-ray discs and DVDs are', {
      reason: 'pictures-unreadable',
    });
  return inTurns(pgsSteps(bytes), signal);
}

const MAX_INDEX_BYTES = 8 * 1024 * 1024;

async function sidecarVobSub(
  relative: string,
  { root, language, named }: PictureLoading & { named: string | undefined },
  signal: AbortSignal,
): Promise<PictureDocument> {
  const index = await inTurns(
    vobSubIndexSteps(new TextDecoder().decode(await readBounded(inRoot(root, relative), MAX_INDEX_BYTES))),
    signal,
  );
  const chosen = inLanguage(index, language, named);
  if (!chosen) throw new Failure('conflict', 'these pictures are in other languages', { reason: 'no-pictures' });
  const slash = relative.lastIndexOf('/') + 1;
  const folder = relative.slice(0, Math.max(0, slash - 1));
  const wanted = folded(`${relative.slice(slash).replace(/\.idx$/i, '')}.sub`);
  const names = await listFolder(inRoot(root, folder));
  const name = names.find((entry) => entry.kind === 'file' && folded(entry.name) === wanted)?.name;
  if (name === undefined)
    throw new Failure('conflict', 'the .sub file that belongs to the .idx is missing', {
      reason: 'pictures-unreadable',
    });
  return readVobSub(
    index,
    chosen,
    await readBounded(inRoot(root, relative.slice(0, slash) + name), PICTURE_LIMITS.bytes),
  );
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * Returns the track of a language in an index. If the index has a single track and the file name states a language,
 * that track is it.
 */
function inLanguage(index: VobSubIndex, language: string, named: string | undefined): VobSubTrack | undefined {
  const tracks = index.tracks.filter(({ entries }) => entries.length > 0);
  const [only] = tracks;
  if (language === '' || (tracks.length === 1 && named !== undefined)) return only;
  const ranked = tracks.map((track) => ({
    track,
    likeness: likenessOf(parseLanguage(track.language ?? ''), language),
  }));
  return ranked
    .filter(({ likeness }) => likeness !== undefined)
    .toSorted((a, b) => (a.likeness ?? 3) - (b.likeness ?? 3))[0]?.track;
}

/** Containers whose time stamps begin anywhere. Players count from the first picture. */
const CONTAINERS_WITH_OFFSET: readonly string[] = ['mpegts', 'mpeg'];

async function embedded(
  { stream, format }: PictureTrack,
  { ffmpeg, file, root, progress }: PictureLoading,
  signal: AbortSignal,
): Promise<PictureDocument> {
  const codec = PICTURE_CODECS.find((name): name is PictureCodec => name === format);
  if (stream === undefined || codec === undefined)
    throw new Failure('conflict', 'pictures of this kind cannot be read', { reason: 'pictures-unreadable' });
  const media = inRoot(root, file.relative);
  const zero = CONTAINERS_WITH_OFFSET.includes(file.info?.container ?? '')
    ? Number((await ffmpeg.probe(media, signal)).format.start_time ?? 0) * 1000 || 0
    : 0;
  const duration = file.info?.duration ?? 0;
  const extraction = await ffmpeg.extractPictures(
    {
      media,
      stream,
      codec,
      onTime: (seconds) => progress(duration > 0 ? Math.min(1, Math.max(0, (seconds - zero / 1000) / duration)) : 0),
    },
    signal,
  );
  try {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of extraction.bytes) {
      parts.push(part as Uint8Array);
      size += (part as Uint8Array).byteLength;
      if (size > PICTURE_LIMITS.bytes)
        throw new Failure('conflict', 'the track is too large', { reason: 'track-too-large' });
    }
    await extraction.done;
    return shifted(await decoded(codec, Buffer.concat(parts), signal), Math.round(zero));
  } finally {
    extraction.stop();
  }
}

async function decoded(codec: PictureCodec, bytes: Uint8Array, signal: AbortSignal): Promise<PictureDocument> {
  if (codec === 'hdmv_pgs_subtitle') return inTurns(pgsSteps(bytes), signal);
  const { header, blocks } = readMatroskaTrack(bytes);
  return readVobSubBlocks(new TextDecoder().decode(header), blocks);
}

/** Moves all pictures so that the video begins at 0. A picture that was shown before begins with it. */
function shifted(document: PictureDocument, zero: number): PictureDocument {
  if (zero === 0) return document;
  const pictures = document.pictures.flatMap((picture) =>
    picture.end <= zero ? [] : [{ ...picture, start: Math.max(0, picture.start - zero), end: picture.end - zero }],
  );
  return { ...document, pictures };
}
