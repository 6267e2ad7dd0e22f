/**
 * Which subtitles of a film are indexed, and their text. Hidden files, pictures and commentaries are left out. A video
 * is read only if it has a text in a language that no file next to it covers: reading one takes minutes.
 */
import { createHash } from 'node:crypto';
import { type PlayableFile, type Sidecar, type Subject, tracksOf } from '../catalog/index.ts';
import { LIMITS } from '../cues/index.ts';
import type { Ffmpeg, TextFormat } from '../lib/ffmpeg/index.ts';
import { inRoot, readBounded, type Root } from '../lib/files.ts';
import { isPictureFile } from '../contract/subtitles/picture-files.ts';
import type { ReadText } from './store/types.ts';

/** Tracks of one video that are read at once. */
const MAX_TRACKS = 16;
const MAX_FILES = 32;
/** Subtitles for everyone come first: of lines that several have, the first one is shown. */
const ROLES = ['normal', 'sdh', 'forced'] as const;

interface EmbeddedSource {
  stream: number;
  codec: string;
  language: string | undefined;
}
/** The texts of one file of a film. */
export interface FileSources {
  file: PlayableFile;
  /** Milliseconds of the parts before it. */
  offset: number;
  sidecars: readonly Sidecar[];
  embedded: readonly EmbeddedSource[];
}

/** Returns the texts of a film's best version, which is the one that is played. */
export function sourcesOf(subject: Subject): FileSources[] {
  const [best] = subject.files;
  if (!best || subject.gone) return [];
  let offset = 0;
  return subject.files
    .filter(({ id }) => id === best.id)
    .sort((a, b) => a.part - b.part)
    .map((file) => {
      const sidecars = readable(subject.sidecars, file);
      const found = { file, offset, sidecars, embedded: embeddedOf(file, sidecars) };
      offset += Math.round((file.info?.duration ?? 0) * 1000);
      return found;
    });
}

const byRole = <T extends { role: (typeof ROLES)[number] }>(texts: readonly T[]): T[] =>
  texts.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));

const readable = (sidecars: readonly Sidecar[], { id, part }: PlayableFile): Sidecar[] =>
  byRole(
    sidecars.filter(
      (one) =>
        one.version === id && one.part === part && !one.isHidden && !one.isUnreadable && !isPictureFile(one.format),
    ),
  ).slice(0, MAX_FILES);

function embeddedOf(file: PlayableFile, sidecars: readonly Sidecar[]): EmbeddedSource[] {
  const covered = new Set(sidecars.filter(({ role }) => role !== 'forced').map(({ language }) => language));
  const commentaries = new Set(
    (file.info?.streams ?? []).filter(({ commentary }) => commentary).map(({ index }) => `s${index}`),
  );
  const texts = tracksOf(file, []).filter(({ picture, key }) => !picture && !commentaries.has(key));
  const needed = texts.filter(({ language, role }) => !covered.has(language) && role !== 'forced');
  // A forced text counts where it is the only one in its language.
  const languages = new Set(needed.map(({ language }) => language));
  const forced = texts.filter(
    ({ language, role }) => role === 'forced' && !covered.has(language) && !languages.has(language),
  );
  return byRole([...needed, ...forced])
    .slice(0, MAX_TRACKS)
    .map(({ key, format, language }) => ({ stream: Number(key.slice(1)), codec: format, language }));
}

/** Returns a text that changes when one of the subtitles does; empty without any. */
export function textsSignature(sources: readonly FileSources[]): string {
  const facts = sources.flatMap(({ file, offset, sidecars, embedded }) => [
    ...sidecars.map(({ relative, size, modifiedMs, language, role }) => [relative, size, modifiedMs, language, role]),
    ...(embedded.length > 0 ? [[file.relative, file.size, file.modifiedMs, offset, embedded]] : []),
  ]);
  return facts.length === 0 ? '' : createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);
}

export interface SourceReader {
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  root(path: string): Promise<Root>;
}

/** Reads all texts of a file. One that cannot be read is left out; the others are still found. */
export async function readSources(
  { ffmpeg, root: open }: SourceReader,
  { file, offset, sidecars, embedded }: FileSources,
  failed: (error: unknown) => void,
  signal: AbortSignal,
): Promise<ReadText[]> {
  const root = await open(file.root);
  const texts: ReadText[] = [];
  for (const { relative, name, language } of sidecars) {
    signal.throwIfAborted();
    try {
      const bytes = await readBounded(inRoot(root, relative), LIMITS.bytes);
      texts.push({ language, offset, content: { bytes, extension: name.slice(name.lastIndexOf('.') + 1) } });
    } catch (error) {
      failed(error);
    }
  }
  if (embedded.length === 0) return texts;
  try {
    const bytes = await readEmbedded(ffmpeg, { file, root, embedded }, signal);
    for (const [i, { language, codec }] of embedded.entries())
      if (bytes[i])
        texts.push({ language, offset, content: { bytes: bytes[i], extension: EXTENSIONS[formatOf(codec)] } });
  } catch (error) {
    signal.throwIfAborted();
    failed(error);
  }
  return texts;
}

const EXTENSIONS: Readonly<Record<TextFormat, string>> = { ass: 'ass', webvtt: 'vtt', srt: 'srt' };
const formatOf = (codec: string): TextFormat =>
  codec === 'ass' || codec === 'ssa' ? 'ass' : codec === 'webvtt' ? 'webvtt' : 'srt';

/** Reads text tracks in one pass. One that is too large is undefined. */
async function readEmbedded(
  ffmpeg: Pick<Ffmpeg, 'extractText'>,
  { file, root, embedded }: { file: PlayableFile; root: Root; embedded: readonly EmbeddedSource[] },
  signal: AbortSignal,
): Promise<(Uint8Array | undefined)[]> {
  const extraction = await ffmpeg.extractText(
    {
      media: inRoot(root, file.relative),
      tracks: embedded.map(({ stream, codec }) => ({ stream, codec, format: formatOf(codec) })),
      priority: 'background',
      isFromZero: file.info?.container === 'mpegts',
    },
    signal,
  );
  // Its failure is handled where it is awaited; this covers an early return.
  extraction.done.catch(() => {});
  try {
    const texts = await Promise.all(extraction.tracks.map(collected));
    await extraction.done;
    return texts;
  } finally {
    extraction.stop();
  }
}

async function collected(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    // The others continue, so this one is read to its end.
    if (size <= LIMITS.bytes) parts.push(part);
  }
  return size <= LIMITS.bytes ? Buffer.concat(parts) : undefined;
}
