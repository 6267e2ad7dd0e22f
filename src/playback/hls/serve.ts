/** One file of a session: a playlist, an initialisation segment, or a segment, made from the session's streams. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Failure } from '../../lib/failure.ts';
import type { RenditionBytes, SegmentSpan } from '../rendition.ts';
import type { CueReader } from './vtt.ts';
import { cueSegment } from './vtt.ts';
import type { HlsFile, ListedStream, MediaStream } from './names.ts';
import {
  findSegment,
  masterPlaylist,
  mediaPlaylist,
  type PlaylistPart,
  subtitleParts,
  targetDurationOf,
} from './playlists.ts';
import { shifted, timescaleOf } from './shift.ts';
import type { OpenVariant, SessionStreams } from './streams.ts';

export interface HlsReply extends RenditionBytes {
  /** A playlist, packed for those who accept it. */
  packed?: { gzip: Uint8Array };
  /** Seconds of the whole that a segment of picture or sound plays. */
  span?: { from: number; to: number };
  type: 'application/vnd.apple.mpegurl' | 'video/mp4' | 'audio/mp4' | 'text/vtt';
}

export interface HlsRequest {
  streams: SessionStreams;
  /** The session, by which converted streams know who listens. */
  who: string;
  /** Query of the addresses in playlists: empty, or from `?` on. */
  query: string;
  /** Cues of a subtitle of one part that are complete until `to`, on the part's timeline. */
  cuesOf(key: string, part: number, to: number): Promise<Pick<CueReader, 'head' | 'cues'>>;
  signal: AbortSignal;
}

const none = (): never => {
  throw new Failure('missing', 'no such file in this session', { reason: 'no-such-file' });
};
const beyond = (): never => {
  throw new Failure('missing', 'this is beyond the end', { reason: 'no-such-segment' });
};
/** Every line has the same session and ticket: packed, the playlist of a long film takes a twentieth. */
async function playlist(text: string): Promise<HlsReply> {
  const bytes = Buffer.from(text);
  return {
    type: 'application/vnd.apple.mpegurl',
    size: bytes.length,
    bytes,
    ...(bytes.length > WORTH_PACKING && { packed: { gzip: await packed(bytes, { level: 1 }) } }),
  };
}
const WORTH_PACKING = 4_096;
const packed = promisify(gzip);
const typeOf = ({ kind }: MediaStream): HlsReply['type'] => (kind === 'video' ? 'video/mp4' : 'audio/mp4');

/** Fails as `missing` for what the session does not list and beyond the end, and as a rendition fails. */
export async function serveHls(file: HlsFile, request: HlsRequest): Promise<HlsReply> {
  if (file.is === 'master') return serveMaster(request);
  if (file.is === 'playlist') return servePlaylist(file.stream, request);
  if (file.is === 'init') {
    const { parts } = await openStream(file.stream, request);
    const rendition = (parts[file.part - 1] ?? none()).rendition;
    return { type: typeOf(file.stream), bytes: await rendition.init(request.signal) };
  }
  if (file.stream.kind === 'subtitle') return serveCues(file.stream.key, file.number, request);
  if (file.stream.kind === 'keyframes') return serveKeyframe(file.number, request);
  const stream = await openStream(file.stream, request);
  const place = findSegment(stream.parts, file.number) ?? beyond();
  const part = stream.parts[place.part] ?? beyond();
  const segment = await part.rendition.segment(place.number, request.who, request.signal);
  const { start, duration } = part.segments[place.number] ?? beyond();
  const from = part.start + start;
  const bytes = await placed(segment, part, request.signal);
  return { type: typeOf(file.stream), ...bytes, span: { from, to: from + duration } };
}

async function openStream(of: MediaStream, { streams }: HlsRequest): Promise<OpenVariant> {
  return (await streams.stream(of)) ?? none();
}

/** A segment at the time of its part. */
async function placed(
  segment: RenditionBytes,
  { start, rendition }: OpenVariant['parts'][number],
  signal: AbortSignal,
): Promise<RenditionBytes> {
  return start === 0 ? segment : shifted(segment, Math.round(start * timescaleOf(await rendition.init(signal))));
}

async function serveMaster({ streams, query }: HlsRequest): Promise<HlsReply> {
  const { videos, audios } = await streams.listed();
  const keyframes = await keyframeStream(streams);
  return playlist(
    masterPlaylist({
      videos,
      audios: audios.map(({ number, facts, name, language, isDefault, isCommentary }) => ({
        number,
        facts,
        name,
        language,
        isDefault,
        isCommentary,
      })),
      subtitles: streams.recipe.subtitles.map(({ key, name, language, role, isDefault }) => ({
        key,
        name,
        language,
        role,
        isDefault,
      })),
      ...(keyframes && { keyframes: keyframes.facts }),
      query,
    }),
  );
}

async function servePlaylist(stream: ListedStream, request: HlsRequest): Promise<HlsReply> {
  const { streams, query } = request;
  if (stream.kind === 'keyframes') {
    const { stream: video, parts } = (await keyframeStream(streams)) ?? none();
    return playlist(mediaPlaylist({ stream, init: video, parts, target: targetDurationOf([parts]), query }));
  }
  if (stream.kind === 'subtitle') {
    const parts = await cueParts(stream.key, request);
    return playlist(mediaPlaylist({ stream, parts, target: targetDurationOf([parts]), query }));
  }
  const [{ parts }, { target }] = await Promise.all([openStream(stream, request), streams.listed()]);
  // A stream of an earlier plan may have longer segments than those that are listed now.
  return playlist(
    mediaPlaylist({ stream, init: stream, parts, target: Math.max(target, targetDurationOf([parts])), query }),
  );
}

interface KeyframeStream {
  stream: MediaStream;
  parts: readonly (OpenVariant['parts'][number] & { segments: readonly SegmentSpan[] })[];
  facts: OpenVariant['facts'];
}

/** The first listed video whose keyframes can be shown alone. */
async function keyframeStream(streams: SessionStreams): Promise<KeyframeStream | undefined> {
  const { videos } = await streams.listed();
  const video = videos.find(({ parts }) =>
    parts.every(({ rendition }) => rendition.keyframe && rendition.keyframes && rendition.keyframes.length > 0),
  );
  return (
    video && {
      stream: { kind: 'video', number: video.number },
      facts: video.facts,
      parts: video.parts.map((part) => ({ ...part, segments: part.rendition.keyframes ?? [] })),
    }
  );
}

async function serveKeyframe(number: number, { streams, signal }: HlsRequest): Promise<HlsReply> {
  const { parts } = (await keyframeStream(streams)) ?? none();
  const place = findSegment(parts, number) ?? beyond();
  const part = parts[place.part] ?? beyond();
  const segment = await (part.rendition.keyframe ?? none())(place.number, signal);
  return { type: 'video/mp4', ...(await placed(segment, part, signal)) };
}

/** Subtitles are cut where the first stream of the session is. */
async function cueParts(key: string, { streams }: HlsRequest): Promise<readonly PlaylistPart[]> {
  if (!streams.recipe.subtitles.some((one) => one.key === key)) none();
  const { videos, audios } = await streams.listed();
  const [first] = [...videos, ...audios];
  return subtitleParts((first ?? none()).parts);
}

async function serveCues(key: string, number: number, request: HlsRequest): Promise<HlsReply> {
  const parts = await cueParts(key, request);
  const place = findSegment(parts, number) ?? beyond();
  const part = parts[place.part] ?? beyond();
  const span = part.segments[place.number] ?? beyond();
  const to = place.number === part.segments.length - 1 ? Number.POSITIVE_INFINITY : span.start + span.duration;
  const own = request.streams.recipe.subtitles.find((one) => one.key === key)?.parts[place.part] ?? null;
  const { head, cues } = own === null ? { head: [], cues: [] } : await request.cuesOf(own, place.part, to);
  const text = cueSegment({ head, cues, from: span.start, to, partStart: part.start });
  return { type: 'text/vtt', size: Buffer.byteLength(text), bytes: Buffer.from(text) };
}
