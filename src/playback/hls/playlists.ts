/**
 * HLS playlists (RFC 8216 and its second edition) as text. Pure: the same streams give the same bytes.
 *
 * Playlists are complete at once. The times of a film in several parts continue over its parts: each part begins with
 * EXT-X-DISCONTINUITY and a new EXT-X-MAP. Addresses are relative and end in `query`, which carries session and ticket.
 */
import { MIN_LAST_SEGMENT, type Rendition, type SegmentSpan } from '../rendition.ts';
import { initName, type ListedStream, type MediaStream, playlistName, segmentName } from './names.ts';

/** One part of a film in a stream: `segments` are counted from the start of the part. */
export interface PlaylistPart {
  /** Seconds on the timeline of the film. */
  start: number;
  duration: number;
  segments: readonly SegmentSpan[];
}

/** Version 7: EXT-X-MAP in playlists with segments of fragmented MP4. */
const HEAD = '#EXTM3U\n#EXT-X-VERSION:7\n';
const INDEPENDENT = '#EXT-X-INDEPENDENT-SEGMENTS\n';
const MICROSECONDS = 1_000_000;

/**
 * Returns the length of each segment of a part in microseconds. They add up to the length of the part: each segment
 * lasts until the next begins, and rounding does not accumulate.
 */
function lengthsOf({ duration, segments }: PlaylistPart): number[] {
  const last = segments.at(-1);
  // A stream may be longer than the part that it belongs to, and its last segment must not become a short one.
  const isCut = last !== undefined && duration - last.start < MIN_LAST_SEGMENT;
  const end = isCut ? Math.max(duration, last.start + last.duration) : duration;
  const marks = [...segments.map(({ start }, n) => (n === 0 ? 0 : start)), end].map((seconds) =>
    Math.round(seconds * MICROSECONDS),
  );
  return segments.map((_, n) => Math.max(1, (marks[n + 1] ?? 0) - (marks[n] ?? 0)));
}

/** EXT-X-TARGETDURATION: no segment of these streams is longer. It is the same for all media streams of a session. */
export function targetDurationOf(streams: readonly (readonly PlaylistPart[])[]): number {
  let longest = 1;
  for (const part of streams.flat()) for (const length of lengthsOf(part)) longest = Math.max(longest, length);
  return Math.max(1, Math.ceil(longest / MICROSECONDS));
}

export interface MediaPlaylist {
  stream: ListedStream;
  parts: readonly PlaylistPart[];
  /** Seconds, from `targetDurationOf`. */
  target: number;
  /** Empty, or begins with `?`. */
  query: string;
  /** The stream whose initialisation segments these need; WebVTT needs none. */
  init?: MediaStream;
}

export function mediaPlaylist({ stream, parts, target, query, init }: MediaPlaylist): string {
  const lines = [
    `${HEAD}#EXT-X-TARGETDURATION:${target}\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n` +
      `${stream.kind === 'keyframes' ? '#EXT-X-I-FRAMES-ONLY\n' : INDEPENDENT}`,
  ];
  let number = 0;
  for (const [n, part] of parts.entries()) {
    if (n > 0) lines.push('#EXT-X-DISCONTINUITY\n');
    if (init) lines.push(`#EXT-X-MAP:URI="${initName(init, n + 1)}${query}"\n`);
    for (const length of lengthsOf(part))
      lines.push(`#EXTINF:${(length / MICROSECONDS).toFixed(6)},\n${segmentName(stream, number++)}${query}\n`);
  }
  lines.push('#EXT-X-ENDLIST\n');
  return lines.join('');
}

/** Returns which part has segment `number` of a stream, and its number there; undefined beyond the end. */
export function findSegment(
  parts: readonly Pick<PlaylistPart, 'segments'>[],
  number: number,
): { part: number; number: number } | undefined {
  let left = number;
  for (const [part, { segments }] of parts.entries()) {
    if (left < segments.length) return { part, number: left };
    left -= segments.length;
  }
  return undefined;
}

/** Text takes few bytes, and one request for half a minute is enough. */
const SUBTITLE_SECONDS = 30;

/** Gathers the segments of a media stream into longer ones for subtitles, which begin where one of those begins. */
export function subtitleParts(parts: readonly PlaylistPart[]): PlaylistPart[] {
  return parts.map((part) => {
    const segments: { start: number; duration: number }[] = [];
    let begin = 0;
    for (const { start } of part.segments.slice(1)) {
      if (start - begin < SUBTITLE_SECONDS || start > part.duration - MIN_LAST_SEGMENT) continue;
      segments.push({ start: begin, duration: start - begin });
      begin = start;
    }
    segments.push({ start: begin, duration: Math.max(0.001, part.duration - begin) });
    return { ...part, segments };
  });
}

/** Attributes of a stream in the master playlist. */
export type VariantFacts = Pick<
  Rendition,
  'codecs' | 'supplemental' | 'bandwidth' | 'width' | 'height' | 'frameRate' | 'range' | 'channels'
>;

export interface AudioEntry {
  number: number;
  facts: VariantFacts;
  name: string;
  language: string | undefined;
  isDefault: boolean;
  /** Commentary is heard by choice only. */
  isCommentary: boolean;
}
export interface SubtitleEntry {
  key: string;
  name: string;
  language: string | undefined;
  role: 'normal' | 'forced' | 'sdh';
  isDefault: boolean;
}
export interface Master {
  videos: readonly { number: number; facts: VariantFacts }[];
  audios: readonly AudioEntry[];
  subtitles: readonly SubtitleEntry[];
  /** The video stream whose keyframes `i.m3u8` lists. */
  keyframes?: VariantFacts | undefined;
  query: string;
}

/** For people who do not hear: all that is said, and the sounds. */
const SDH = 'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound';

export function masterPlaylist({ videos, audios, subtitles, keyframes, query }: Master): string {
  const hasVideo = videos.length > 0;
  const uri = (stream: ListedStream): string => quoted(`${playlistName(stream)}${query}`);
  const lines = [HEAD + INDEPENDENT];
  const names = { audio: uniqueNames(audios), subtitle: uniqueNames(subtitles) };
  for (const [n, { number, facts, language, isDefault, isCommentary }] of audios.entries()) {
    const isYes = isDefault || !isCommentary;
    lines.push(
      tag('EXT-X-MEDIA', {
        TYPE: 'AUDIO',
        'GROUP-ID': '"audio"',
        NAME: quoted(names.audio[n] ?? ''),
        LANGUAGE: language === undefined ? undefined : quoted(language),
        DEFAULT: yes(isDefault),
        AUTOSELECT: yes(isYes),
        CHANNELS: facts.channels === undefined ? undefined : quoted(String(facts.channels)),
        URI: hasVideo ? uri({ kind: 'audio', number }) : undefined,
      }),
    );
  }
  for (const [n, { key, language, role, isDefault }] of subtitles.entries()) {
    lines.push(
      tag('EXT-X-MEDIA', {
        TYPE: 'SUBTITLES',
        'GROUP-ID': '"subtitles"',
        NAME: quoted(names.subtitle[n] ?? ''),
        LANGUAGE: language === undefined ? undefined : quoted(language),
        DEFAULT: yes(isDefault),
        AUTOSELECT: 'YES',
        FORCED: yes(role === 'forced'),
        CHARACTERISTICS: role === 'sdh' ? quoted(SDH) : undefined,
        URI: uri({ kind: 'subtitle', key }),
      }),
    );
  }
  const groups = {
    ...(audios.length > 0 && { AUDIO: '"audio"' }),
    ...(subtitles.length > 0 && { SUBTITLES: '"subtitles"' }),
    'CLOSED-CAPTIONS': 'NONE',
  };
  for (const { number, facts } of videos) {
    lines.push(
      tag('EXT-X-STREAM-INF', {
        ...rates(facts, audios),
        ...codecs([facts, ...audios.map((one) => one.facts)]),
        ...pictures(facts),
        ...groups,
      }),
    );
    lines.push(`${playlistName({ kind: 'video', number })}${query}\n`);
  }
  // If there is no video, each audio stream is a separate variant, the chosen one first.
  for (const { number, facts } of hasVideo
    ? []
    : audios.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))) {
    lines.push(
      tag('EXT-X-STREAM-INF', { ...rates(undefined, [{ facts }]), ...codecs([facts]), ...groups, AUDIO: undefined }),
      `${playlistName({ kind: 'audio', number })}${query}\n`,
    );
  }
  if (keyframes)
    lines.push(
      tag('EXT-X-I-FRAME-STREAM-INF', {
        ...rates(keyframes, []),
        ...codecs([keyframes]),
        ...pictures(keyframes),
        'FRAME-RATE': undefined,
        URI: uri({ kind: 'keyframes' }),
      }),
    );
  return lines.filter((line) => hasVideo || !line.startsWith('#EXT-X-MEDIA:TYPE=AUDIO')).join('');
}

/** The variant together with the audio stream that takes most: no combination takes more. */
function rates(video: VariantFacts | undefined, audios: readonly { facts: VariantFacts }[]): Record<string, string> {
  const sum = (which: 'peak' | 'average') =>
    Math.max(
      1,
      Math.ceil((video?.bandwidth[which] ?? 0) + Math.max(0, ...audios.map(({ facts }) => facts.bandwidth[which]))),
    );
  return { BANDWIDTH: String(Math.max(sum('peak'), sum('average'))), 'AVERAGE-BANDWIDTH': String(sum('average')) };
}

function codecs(all: readonly VariantFacts[]): Record<string, string | undefined> {
  const supplemental = all.map((facts) => facts.supplemental).filter((one) => one !== undefined);
  return {
    CODECS: quoted([...new Set(all.map((facts) => facts.codecs))].join(',')),
    'SUPPLEMENTAL-CODECS': supplemental.length === 0 ? undefined : quoted([...new Set(supplemental)].join(',')),
  };
}

function pictures({ width, height, frameRate, range }: VariantFacts): Record<string, string | undefined> {
  return {
    RESOLUTION: width === undefined || height === undefined ? undefined : `${width}x${height}`,
    'FRAME-RATE': frameRate === undefined ? undefined : frameRate.toFixed(3),
    'VIDEO-RANGE': range ?? 'SDR',
  };
}

const yes = (is: boolean): string => (is ? 'YES' : 'NO');
const tag = (name: string, attributes: Record<string, string | undefined>): string =>
  `#${name}:${Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')}\n`;

/** A quoted string of a playlist: it has no way to write a quotation mark, or the end of a line. */
// eslint-disable-next-line no-control-regex -- control characters are what is replaced
const CONTROLS = /[\u0000-\u001f\u007f\u2028\u2029]/g;
const quoted = (text: string): string => `"${text.replace(/"/g, "'").replace(CONTROLS, ' ').slice(0, 300)}"`;

/** NAME has to differ within a group. */
function uniqueNames(all: readonly { name: string }[]): string[] {
  const seen = new Map<string, number>();
  return all.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
