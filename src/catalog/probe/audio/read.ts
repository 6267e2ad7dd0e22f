/**
 * The reader of sound: tags, and for common formats the stream, of a file without video.
 *
 * Promise: never throws because of the content of a file; a stream that is not fully understood is left to ffprobe,
 * and its tags are kept. Work is bounded by `blocks.ts`, by the memory of the helper process and by its deadline.
 */
import { type IAudioMetadata, type ILyricsTag, LyricsContentType, parseFromTokenizer } from 'music-metadata';
import type { ReadAt } from '../../../lib/media/source.ts';
import { bareStream, finish, lastEnd, rounded } from '../shape.ts';
import type { AudioTags, EmbeddedLyrics, MediaChapter, MediaInfo, Stream } from '../types.ts';
import { BlockTokenizer, createBlocks, type FileBlocks } from './blocks.ts';
import { audioContainer, hasCover } from './container.ts';
import { cueSheetOfFlac } from './flac-blocks.ts';
import { readFlac, type SoundMetadata } from './flac.ts';
import { readMp3 } from './mp3.ts';
import { mp4Trim } from './mp4-trim.ts';
import { readMp4 } from './mp4.ts';
import { readOgg } from './ogg.ts';
import { audioTagsOf, freeLyrics } from './tags.ts';
import { trimOf } from './trim.ts';

export interface AudioReading {
  tags: AudioTags;
  /** Everything else about the file; undefined if ffprobe has to tell. */
  info?: MediaInfo;
  /** Chapters that the tags have. */
  chapters: MediaChapter[];
}
const MAX_CHAPTERS = 2_000;
const MAX_LYRICS = 1024 * 1024;
const OPTIONS = { skipCovers: true, duration: false, includeChapters: true } as const;

// The library notes in its options what it finds at the end of a file.
const parse = (blocks: FileBlocks): Promise<IAudioMetadata> =>
  parseFromTokenizer(new BlockTokenizer(blocks, certainType(blocks)), { ...OPTIONS });

/** The media type of the two most common formats that the library reads; it looks for all others by their bytes. */
function certainType(blocks: FileBlocks): string | undefined {
  const start = blocks.upTo(0, 8).toString('latin1');
  return start.startsWith('OggS') ? 'audio/ogg' : start.endsWith('ftyp') ? 'audio/mp4' : undefined;
}

/**
 * Returns what the file says about its sound; undefined if it cannot be read or has video. `head` holds its first
 * bytes if they have been read already.
 */
export async function readAudio(size: number, readAt: ReadAt, head?: Buffer): Promise<AudioReading | undefined> {
  try {
    const blocks = createBlocks(size, readAt, head);
    const quick = readMp3(blocks, readAt) ?? readFlac(blocks, readAt) ?? readOgg(blocks) ?? readMp4(blocks);
    const metadata: SoundMetadata = quick?.metadata ?? (await parse(blocks));
    if (metadata.format.hasVideo === true) return undefined;
    const container = quick ? quick.container : audioContainer(blocks.upTo(0, 64 * 1024));
    const stream = streamOf(metadata, container);
    const own = audioTagsOf(metadata);
    const trim = trimOf(blocks, stream?.codec) ?? own.trim ?? mp4Trim(blocks, metadata.format.sampleRate);
    // The sheet among the comments has titles, which that of a block has not.
    const cueSheet = own.cueSheet ?? (container === 'flac' ? cueSheetOfFlac(blocks) : undefined);
    const tags: AudioTags = {
      ...own,
      ...(trim && { trim }),
      ...(cueSheet !== undefined && { cueSheet }),
      ...((quick?.hasPicture ?? (container !== undefined && hasCover(blocks, container))) && { cover: 1 }),
    };
    const duration = durationOf(metadata.format, size);
    const chapters = chaptersOf(metadata, duration);
    return { tags, chapters, ...infoOf({ container, stream, duration, size, chapters, tags }) };
  } catch {
    // The library throws whatever it likes. What it does not understand, ffprobe decides.
    return undefined;
  }
}

function infoOf(of: {
  container: string | undefined;
  stream: Stream | undefined;
  duration: number | undefined;
  size: number;
  chapters: MediaChapter[];
  tags: AudioTags;
}): Pick<AudioReading, 'info'> {
  const { container, stream, duration, size, chapters, tags } = of;
  if (container === undefined || stream === undefined || duration === undefined) return {};
  return { info: finish({ container, duration, size, streams: [stream], chapters, tags: {}, audio: tags }) };
}

type Format = IAudioMetadata['format'];

/** Codecs that the library names certainly, by ffmpeg's names. */
function codecOf({ codec = '', bitsPerSample, container }: Format, own: string | undefined): string | undefined {
  if (own === 'flac' && codec === 'FLAC') return 'flac';
  if (own === 'mp3') return /^MPEG \S+ Layer 3$/.test(codec) ? 'mp3' : undefined;
  if (own === 'ogg') return { Opus: 'opus', 'Vorbis I': 'vorbis', FLAC: 'flac' }[codec];
  if (own === 'wv' && container === 'WavPack' && codec === 'PCM') return 'wavpack';
  if (own === 'ape') return 'ape';
  const bits = bitsPerSample ?? 0;
  if (own === 'wav' && codec === 'PCM' && [16, 24, 32].includes(bits)) return `pcm_s${bits}le`;
  return undefined;
}

const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo' };
const LOSSLESS = new Set(['flac', 'wavpack', 'ape', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le']);

function streamOf({ format }: SoundMetadata, container: string | undefined): Stream | undefined {
  const codec = codecOf(format, container);
  const { sampleRate, numberOfChannels, bitsPerSample, bitrate } = format;
  if (codec === undefined || !isCount(sampleRate) || !isCount(numberOfChannels) || numberOfChannels > 64)
    return undefined;
  const layout = LAYOUTS[numberOfChannels];
  return {
    ...bareStream(0, 'audio', codec),
    channels: numberOfChannels,
    ...(layout !== undefined && { layout }),
    // The decoder's rate: Opus is decoded at 48 kHz whatever was encoded.
    sampleRate: codec === 'opus' ? 48_000 : sampleRate,
    ...(LOSSLESS.has(codec) && isCount(bitsPerSample) && { bitDepth: bitsPerSample }),
    ...(bitrate !== undefined && Number.isFinite(bitrate) && bitrate > 0 && { bitrate: Math.round(bitrate) }),
  };
}
const isCount = (value: number | undefined): value is number => Number.isInteger(value) && Number(value) > 0;

/** Returns seconds. Without a count of samples the length is that of the bytes at the first frame's rate. */
function durationOf({ duration, bitrate }: Format, size: number): number | undefined {
  const found = duration ?? (bitrate === undefined || !(bitrate > 0) ? undefined : (size * 8) / bitrate);
  const seconds = found !== undefined && Number.isFinite(found) ? rounded(found) : 0;
  return seconds > 0 ? seconds : undefined;
}

function chaptersOf({ format }: SoundMetadata, duration: number | undefined): MediaChapter[] {
  const found = (format.chapters ?? [])
    .slice(0, MAX_CHAPTERS)
    .map(({ start, end, timeScale, title }) => ({
      // Chapters of ID3 are in seconds, and have no scale.
      start: rounded(start / (timeScale ?? 1)),
      end: end === undefined ? undefined : rounded(end / (timeScale ?? 1)),
      title,
    }))
    .filter(({ start }) => Number.isFinite(start) && start >= 0 && start < (duration ?? Infinity))
    .sort((a, b) => a.start - b.start);
  return found.map(({ start, end, title }, i) => ({
    start,
    end: lastEnd(Math.max(start, Math.min(end ?? Infinity, found[i + 1]?.start ?? duration ?? start)), duration),
    ...(title && { title: title.slice(0, 4096) }),
  }));
}

/** Returns the lyrics inside a file; undefined if it has none. */
export async function readLyrics(size: number, readAt: ReadAt): Promise<EmbeddedLyrics | undefined> {
  try {
    const { common, native } = await parse(createBlocks(size, readAt));
    // A USLT frame of an MP3 has no `syncText`, whatever the types of the library say.
    const all = (common.lyrics ?? []).filter(
      ({ contentType }: Partial<ILyricsTag>) => contentType === undefined || contentType <= LyricsContentType.text,
    );
    const best: Partial<ILyricsTag> | undefined =
      all.find(({ syncText }: Partial<ILyricsTag>) => syncText?.length) ?? all[0];
    const free = best ? undefined : freeLyrics(native);
    if (free !== undefined) return { lines: [], text: free.slice(0, MAX_LYRICS) };
    if (!best) return undefined;
    return {
      lines: (best.syncText ?? [])
        .slice(0, 10_000)
        .map(({ text, timestamp }) => ({ at: timestamp ?? 0, text: text.slice(0, 2_000) })),
      ...(best.text !== undefined && { text: best.text.slice(0, MAX_LYRICS) }),
      ...(best.language !== undefined && { language: best.language }),
    };
  } catch {
    return undefined;
  }
}
