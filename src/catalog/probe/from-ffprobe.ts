/**
 * Converts ffprobe's JSON reply (`-show_format -show_streams -show_chapters -of json`) to a `MediaInfo`.
 *
 * Promise: never throws on any JSON value; returns undefined if the reply has no stream.
 */

import { captureFromTags } from './mp4/capture.ts';
import type { MediaChapter, MediaInfo, Stream, StreamType } from './types.ts';
import {
  attachmentCodec,
  bareStream,
  bitDepthOf,
  finish,
  hdrOf,
  keepTags,
  languageOf,
  lastEnd,
  put,
  rotationOf,
  rounded,
  sampleAspectOf,
  seconds,
  streamTitle,
  cutText,
} from './shape.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Facts that the caller knows in addition to ffprobe's reply. `container` is derived from the first bytes. */
export interface ProbedFile {
  size: number;
  container?: string | undefined;
  /** Seconds, where ffprobe cannot know them. */
  duration?: number | undefined;
}

export const fromFfprobe = (reply: unknown, known: ProbedFile): MediaInfo | undefined => {
  const top = fields(reply);
  const format = fields(top['format']);
  const container = known.container ?? containerOf(string(format['format_name']) ?? 'unknown');
  const streams = list(top['streams']).map((raw, place) => streamFrom(fields(raw), place, container));
  if (streams.length === 0) return undefined;
  const duration = known.duration ?? number(format['duration']);
  const capture = MOVIES.has(container) ? captureFromTags(new Map(pairs(format['tags']))) : {};
  return finish({
    container,
    ...(duration === undefined || duration <= 0 ? {} : { duration: seconds(duration) }),
    size: known.size,
    streams,
    chapters: list(top['chapters']).map((raw) => chapterFrom(fields(raw), duration)),
    tags: keepTags(pairs(format['tags'])),
    ...(Object.keys(capture).length > 0 && { capture }),
  });
};

/** Containers of cameras. */
const MOVIES: ReadonlySet<string> = new Set(['mp4', 'mov']);

const containerOf = (names: string): string => {
  const first = names.split(',')[0] ?? names;
  return first === 'mov' ? 'mp4' : first;
};

const chapterFrom = (raw: Fields, duration: number | undefined): MediaChapter => {
  const title = cutText(lowered(raw['tags'])['title']);
  return {
    start: seconds(number(raw['start_time']) ?? 0),
    end: lastEnd(seconds(number(raw['end_time']) ?? 0), duration === undefined ? undefined : seconds(duration)),
    ...(title === undefined ? {} : { title }),
  };
};

/** MPEG audio in Matroska: ffprobe averages only the frames that it read. */
const isGuessed = (codec: string, container: string): boolean =>
  (codec === 'mp3' || codec === 'mp2') && (container === 'matroska' || container === 'webm');

const types: ReadonlySet<string> = new Set(['video', 'audio', 'subtitle', 'attachment', 'data']);

const streamFrom = (raw: Fields, place: number, container: string): Stream => {
  const named = string(raw['codec_type']) ?? 'data';
  const type = (types.has(named) ? named : 'data') as StreamType;
  const tags = lowered(raw['tags']);
  const disposition = fields(raw['disposition']);
  const stream = bareStream(number(raw['index']) ?? place, type, string(raw['codec_name']) ?? 'unknown');
  stream.default = disposition['default'] === 1;
  stream.forced = disposition['forced'] === 1;
  stream.hearingImpaired = disposition['hearing_impaired'] === 1;
  stream.commentary = disposition['comment'] === 1;
  stream.original = disposition['original'] === 1;
  stream.cover = disposition['attached_pic'] === 1;
  put(stream, 'language', languageOf(tags['language']));
  put(stream, 'title', streamTitle(tags['title'], tags['handler_name']));
  if (stream.cover || type === 'attachment') {
    put(stream, 'fileName', cutText(tags['filename']));
    put(stream, 'mimeType', cutText(tags['mimetype']));
    if (type === 'attachment') stream.codec = attachmentCodec(stream.mimeType);
  } else if (type === 'video') video(stream, raw);
  else if (type === 'audio') audio(stream, raw);
  if ((type === 'video' || type === 'audio') && !stream.cover) {
    const said = positive(tags['bps'] ?? tags['bps-eng']);
    put(stream, 'bitrate', said ?? (isGuessed(stream.codec, container) ? undefined : positive(raw['bit_rate'])));
  }
  return stream;
};

const video = (stream: Stream, raw: Fields): void => {
  put(stream, 'profile', string(raw['profile']));
  const level = number(raw['level']);
  if (level !== undefined && level >= 0) stream.level = level;
  put(stream, 'width', positive(raw['width']));
  put(stream, 'height', positive(raw['height']));
  const [wide, high] = ratio(raw['sample_aspect_ratio'], ':');
  put(stream, 'sampleAspect', sampleAspectOf(wide, high));
  const [frames, per] = ratio(raw['avg_frame_rate'], '/');
  if (frames > 0 && per > 0) stream.frameRate = rounded(frames / per);
  const pixelFormat = string(raw['pix_fmt']);
  if (pixelFormat !== undefined) {
    stream.pixelFormat = pixelFormat;
    stream.bitDepth = bitDepthOf(pixelFormat);
  }
  if (['tt', 'bb', 'tb', 'bt'].includes(string(raw['field_order']) ?? '')) stream.interlaced = true;
  const side = list(raw['side_data_list']).map(fields);
  const dolbyVision = side.find((one) => string(one['side_data_type'])?.startsWith('DOVI') === true);
  put(stream, 'hdr', hdrOf(string(raw['color_transfer']), dolbyVision !== undefined));
  if (dolbyVision)
    stream.dolbyVision = {
      profile: number(dolbyVision['dv_profile']) ?? 0,
      compatibility: number(dolbyVision['dv_bl_signal_compatibility_id']) ?? 0,
    };
  const turn = side.map((one) => number(one['rotation'])).find((value) => value !== undefined);
  if (turn !== undefined) put(stream, 'rotation', rotationOf(-turn));
};

const audio = (stream: Stream, raw: Fields): void => {
  put(stream, 'profile', string(raw['profile']));
  put(stream, 'channels', positive(raw['channels']));
  put(stream, 'layout', string(raw['channel_layout']));
  put(stream, 'sampleRate', positive(raw['sample_rate']));
};

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const string = (value: unknown): string | undefined => (typeof value === 'string' ? cutText(value) : undefined);

const number = (value: unknown): number | undefined => {
  const found = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : NaN;
  return Number.isFinite(found) ? found : undefined;
};

const positive = (value: unknown): number | undefined => {
  const found = number(value);
  return found !== undefined && found > 0 ? Math.round(found) : undefined;
};

const ratio = (value: unknown, mark: string): [number, number] => {
  const [left, right] = (string(value) ?? '').split(mark);
  return [number(left) ?? 0, number(right) ?? 0];
};

const pairs = (value: unknown): [string, string][] =>
  Object.entries(fields(value)).filter((pair): pair is [string, string] => typeof pair[1] === 'string');

const lowered = (value: unknown): Record<string, string> =>
  Object.fromEntries(pairs(value).map(([name, said]) => [name.toLowerCase(), said]));
