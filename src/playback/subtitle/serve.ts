/**
 * One subtitle of an item in the form that was asked for: WebVTT made safe for a browser, ASS, or the bytes
 * as they are. An embedded track that is not at hand yet comes as a stream, the first cues at once.
 */
import type { SubtitleTrack } from '../../contract/catalog/items.ts';
import {
  type Catalog,
  type PlayableFile,
  type VisibleCatalog,
  type Sidecar,
  belongsTo,
  tracksOf,
} from '../../catalog/index.ts';
import type { createInFlight } from '../../lib/coalesce.ts';
import type { TextFormat } from '../../lib/ffmpeg/index.ts';
import { Failure, found } from '../../lib/failure.ts';
import { inRoot, type OpenFile } from '../../lib/files.ts';
import { SUBTITLE_FORMATS } from '../../contract/subtitles/formats.ts';
import { createVttStream, type Format, LIMITS, mediaType } from '../../cues/index.ts';
import type { Subtitles } from '../../subtitles/index.ts';
import { extensionOf, type FileChoice, openMedia } from '../opening.ts';
import { cacheName, type SubtitleCache, type SubtitleSource } from './cache.ts';
import { bestOf, numberOf } from './choose.ts';
import type { Extractor, ExtractionPass } from './extract.ts';
import type { PictureSubtitles } from './pictures.ts';

export interface SubtitleQuery extends FileChoice {
  language?: string | undefined;
  track?: string | undefined;
  format: 'vtt' | 'ass' | 'sup' | 'original';
}
/** Whole and with a validator, a file as it is, or text that is still coming. */
export type SubtitleReply =
  | { is: 'whole'; type: string; bytes: Buffer; etag: string }
  | { is: 'file'; type: string; file: OpenFile }
  | { is: 'stream'; type: string; bytes: AsyncIterable<Uint8Array> };

export interface SubtitleServerNeeds {
  catalog: Pick<Catalog, 'root'>;
  extractor: Extractor;
  cache: SubtitleCache;
  /** Converts in another process what is large. */
  convert: Subtitles['delivery']['convert'];
  pictures: PictureSubtitles;
  /** Joins conversions under way, by the name of what they make. */
  converting: ReturnType<typeof createInFlight<Buffer>>;
}

const VTT = mediaType('vtt');
const PGS = 'application/octet-stream';
/** How long the first cue is waited for before the head of the reply is sent: until then a failure has a status. */
const PATIENCE_MS = 2_000;
const FORMATS: Readonly<Record<TextFormat, Format>> = { srt: 'srt', webvtt: 'vtt', ass: 'ass' };
const PICTURES: Readonly<Record<string, string>> = { vobsub: 'text/plain; charset=utf-8' };

/**
 * Finds a subtitle and returns it. Fails as missing, as conflict if it is not available in that form, or as
 * unavailable.
 */
export async function serveSubtitle(
  needs: SubtitleServerNeeds,
  seen: Pick<VisibleCatalog, 'file' | 'subject'>,
  query: SubtitleQuery,
  signal: AbortSignal,
): Promise<SubtitleReply> {
  const { language, track: key, format } = query;
  if (key === undefined && language === undefined)
    throw new Failure('invalid', 'track: give a track or a language', { reason: 'track-or-language' });
  const [file, subject] = await Promise.all([seen.file(query.id, query.version, query.part), seen.subject(query.id)]);
  if (!file || !subject) throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
  const tracks = tracksOf(file, subject.sidecars);
  const track = found(
    key === undefined ? bestOf(tracks, language ?? '') : tracks.find((one) => one.key === key),
    'no such subtitle',
    'no-such-subtitle',
  );
  const isPgs = track.format === 'sup' || track.format === 'hdmv_pgs_subtitle';
  if (track.picture && (format === 'sup' || (format === 'original' && isPgs)))
    return servePictures(needs, { file, sidecars: subject.sidecars, track }, signal);
  if (track.picture && (format !== 'original' || track.source === 'embedded'))
    throw new Failure('conflict', 'this subtitle is made of pictures and cannot be turned into text here', {
      reason: 'subtitle-is-pictures',
    });
  if (format === 'sup')
    throw new Failure('conflict', 'this subtitle is text, not pictures', { reason: 'subtitle-is-text' });
  return track.source === 'sidecar'
    ? serveSidecar(needs, { file, sidecars: subject.sidecars, track, format })
    : serveEmbedded(needs, { file, track, format }, signal);
}

/** Pictures as PGS. What is not at hand yet comes as a stream. */
async function servePictures(
  { catalog, cache, pictures }: SubtitleServerNeeds,
  { file, sidecars, track }: Omit<Beside, 'format'>,
  signal: AbortSignal,
): Promise<SubtitleReply> {
  const relative = track.source === 'sidecar' ? sidecarOf(file, sidecars, track).relative : undefined;
  const open = await openMedia(catalog, file, relative ?? file.relative);
  if (track.format === 'sup') return { is: 'file', type: PGS, file: open };
  const { size, mtimeMs, ino } = open;
  await open.close();
  const name = cacheName(
    { root: file.root, relative: relative ?? file.relative, size, mtimeMs, ino },
    `${track.key} pictures`,
    'sup',
  );
  const kept = await cache.get(name);
  if (kept) return { is: 'whole', type: PGS, bytes: kept, etag: etagOf(name) };
  return { is: 'stream', type: PGS, bytes: begun(pictures.pieces(name, { file, track, relative }, signal)) };
}

/** The same pieces, with nothing as the first when there is a long wait for it: the head of the reply is then sent. */
async function* begun(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const first = pieces.next();
    if (await isSlow(first)) yield new Uint8Array(0);
    for (let piece = await first; !piece.done; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return();
  }
}

type TextFormatAsked = Exclude<SubtitleQuery['format'], 'sup'>;
interface Beside {
  file: PlayableFile;
  sidecars: readonly Sidecar[];
  track: SubtitleTrack;
  format: TextFormatAsked;
}

/** The keys of sidecars count those that are shown, as `tracksOf` does. */
const sidecarOf = (file: PlayableFile, sidecars: readonly Sidecar[], track: SubtitleTrack): Sidecar =>
  found(
    sidecars.filter((one) => !one.isHidden && belongsTo(one, file))[numberOf(track.key)],
    'no such subtitle',
    'no-such-subtitle',
  );

async function serveSidecar(
  needs: SubtitleServerNeeds,
  { file, sidecars, track, format }: Beside,
): Promise<SubtitleReply> {
  const { catalog, cache } = needs;
  const sidecar = sidecarOf(file, sidecars, track);
  const open = await openMedia(catalog, file, sidecar.relative);
  if (format === 'original') return { is: 'file', type: originalType(sidecar.format), file: open };
  try {
    const name = cacheName(
      { root: file.root, relative: sidecar.relative, size: open.size, mtimeMs: open.mtimeMs, ino: open.ino },
      track.language ?? '',
      format,
    );
    const kept = await cache.get(name);
    if (kept) return whole(format, kept, name);
    const frameRate = file.info?.streams.find(({ type, cover }) => type === 'video' && !cover)?.frameRate;
    const options = {
      extension: extensionOf(sidecar.relative),
      ...(track.language !== undefined && { language: track.language }),
      ...(frameRate !== undefined && { frameRate }),
    };
    return whole(
      format,
      await converted(needs, name, async () => ({ bytes: await readAll(open), to: format, options })),
      name,
    );
  } finally {
    await open.close();
  }
}

async function readAll(file: OpenFile): Promise<Buffer> {
  if (file.size > LIMITS.bytes)
    throw new Failure('conflict', 'the subtitle is larger than 4 MiB', { reason: 'subtitle-too-large' });
  const bytes = Buffer.alloc(file.size);
  for (let at = 0; at < bytes.length;) {
    const got = await file.read(bytes.subarray(at), at);
    if (got === 0) return bytes.subarray(0, at);
    at += got;
  }
  return bytes;
}

interface Within {
  file: PlayableFile;
  track: SubtitleTrack;
  format: TextFormatAsked;
}

async function serveEmbedded(
  needs: SubtitleServerNeeds,
  { file, track, format }: Within,
  signal: AbortSignal,
): Promise<SubtitleReply> {
  const { catalog, cache, extractor } = needs;
  const stream = numberOf(track.key);
  const { source, pass } = await passOf(catalog, cache, file);
  const of = (what: string, extension: string) => cacheName(source, `${stream} ${what}`, extension);
  const rawFormat = nativeOf(pass, stream);
  const rawName = of('raw', rawFormat);

  const madeName = format === 'original' ? rawName : of('made', format);
  const made = await cache.get(madeName);
  if (made) return whole(format === 'original' ? FORMATS[rawFormat] : format, made, madeName);
  const raw = format === 'original' ? undefined : await cache.get(rawName);
  if (!raw && format === 'vtt')
    return { is: 'stream', type: VTT, bytes: streamed(extractor, source, pass, stream, signal) };

  const bytes = raw ?? Buffer.from(await wholeText(extractor, source, pass, stream, signal));
  if (format === 'original') return whole(FORMATS[rawFormat], bytes, rawName);
  return whole(
    format,
    await converted(needs, madeName, async () => ({ bytes, to: format, from: FORMATS[rawFormat] })),
    madeName,
  );
}

/** Extracts every text track of a file, and stores each when the pass is complete. */
async function passOf(
  catalog: Pick<Catalog, 'root'>,
  cache: SubtitleCache,
  file: PlayableFile,
): Promise<{ source: SubtitleSource; pass: ExtractionPass }> {
  const open = await openMedia(catalog, file, file.relative);
  const { size, mtimeMs, ino } = open;
  await open.close();
  const source: SubtitleSource = { root: file.root, relative: file.relative, size, mtimeMs, ino };
  const tracks = tracksOf(file, [])
    .filter(({ picture }) => !picture)
    .map(({ key, format }) => ({ stream: numberOf(key), codec: format }));
  const media = inRoot(await catalog.root(file.root), file.relative);
  const keepTrack: ExtractionPass['keep'] = (stream, format, text) =>
    cache.put(cacheName(source, `${stream} raw`, format), Buffer.from(text));
  // The times of a transport stream begin anywhere; players count from its first picture.
  return { source, pass: { media, tracks, isFromZero: file.info?.container === 'mpegts', keep: keepTrack } };
}

const nativeOf = ({ tracks }: ExtractionPass, stream: number): TextFormat => {
  const codec = tracks.find((track) => track.stream === stream)?.codec ?? '';
  return codec === 'ass' || codec === 'ssa' ? 'ass' : codec === 'webvtt' ? 'webvtt' : 'srt';
};
const keyOf = ({ root, relative, size, mtimeMs, ino }: SubtitleSource): string =>
  JSON.stringify([root, relative, size, mtimeMs, ino]);

async function wholeText(
  extractor: Extractor,
  source: SubtitleSource,
  pass: ExtractionPass,
  stream: number,
  signal: AbortSignal,
): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of extractor.text(keyOf(source), pass, { stream, isLive: false }).pieces(signal))
    pieces.push(piece);
  return pieces.join('');
}

/** WebVTT while the text comes. Begins to work when the first piece is asked for. */
async function* streamed(
  extractor: Extractor,
  source: SubtitleSource,
  pass: ExtractionPass,
  stream: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const arriving = extractor.text(keyOf(source), pass, { stream, isLive: true });
  const writer = createVttStream({ from: arriving.format === 'webvtt' ? 'vtt' : 'srt' });
  const pieces = arriving.pieces(signal);
  try {
    const first = pieces.next();
    if (await isSlow(first)) yield Buffer.from(writer.push(''));
    for (let piece = await first; !piece.done; piece = await pieces.next()) {
      const text = writer.push(piece.value);
      if (text !== '') yield Buffer.from(text);
      // Pieces that have come already would be read in one turn.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const rest = writer.end();
    if (rest !== '') yield Buffer.from(rest);
  } finally {
    await pieces.return();
  }
}

/** Whether something takes longer than a client likes to wait for the head of a reply. */
async function isSlow(work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(true), PATIENCE_MS);
  return Promise.race([
    late.promise,
    work.then(
      () => false,
      () => false,
    ),
  ]).finally(() => clearTimeout(timer));
}

/**
 * Converts a text once for all who ask meanwhile, and keeps it. A caller that leaves does not end it: the others wait
 * for it, and the cache gets it.
 */
function converted(
  { convert, cache, converting }: SubtitleServerNeeds,
  name: string,
  given: () => Promise<Parameters<Subtitles['delivery']['convert']>[0]>,
): Promise<Buffer> {
  const make = async (): Promise<Buffer> => {
    const bytes = await convert(await given(), new AbortController().signal);
    await cache.put(name, bytes);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  return converting(name, () => plain(make()));
}

const whole = (format: Format, bytes: Buffer, name: string): SubtitleReply => ({
  is: 'whole',
  type: mediaType(format),
  bytes,
  etag: etagOf(name),
});
const etagOf = (name: string): string => name.replace('.', '-');

/** Converts parse errors: the fault is in the file, not in the request. */
async function plain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Failure && error.kind === 'invalid'
      ? new Failure('conflict', error.message, { reason: 'subtitle-unreadable' }, { cause: error })
      : error;
  }
}

function originalType(format: string): string {
  const one = SUBTITLE_FORMATS.find(({ extensions }) => extensions[0] === format);
  // The bytes are as they are on the disk, so nothing is claimed about their character set.
  return one?.mediaType ?? PICTURES[format] ?? 'application/octet-stream';
}
