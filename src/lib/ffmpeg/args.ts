/**
 * The argument lists, as pure functions. Nothing that a caller or a file chose gets in but numbers, names of
 * our own lists, and of what is written the absolute path behind `file:`, which is never read as an option.
 */
import { INPUT_PATH } from '../process.ts';
import { DECODERS, DEMUXERS } from './lists.ts';
import type { PictureCodec, TextTrack } from './types.ts';

/**
 * Options of every input: which protocols, containers and decoders, and how far ffmpeg may look for streams. `decoders`
 * are allowed in addition.
 */
export const guardsWith = (decoders: readonly string[]): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  DEMUXERS.join(','),
  '-codec_whitelist',
  [...DECODERS, ...decoders].join(','),
  '-max_streams',
  '100',
  '-probesize',
  '10M',
  '-analyzeduration',
  '10M',
];
export const GUARDS: readonly string[] = guardsWith([]);
export const QUIET: readonly string[] = ['-hide_banner', '-v', 'error'];

/**
 * The media file, which every command is given open: its name could lead elsewhere by the time that ffmpeg opens it.
 */
const INPUT = `file:${INPUT_PATH}`;

/** `file:/abs/name`, for what is written; a path that is not absolute is a bug. */
export function fileUrl(path: string): string {
  if (!path.startsWith('/') || path.includes('\0')) throw new TypeError('ffmpeg is given absolute paths only');
  return `file:${path}`;
}

/** The guarded input of an ffmpeg command: `before` are options of the input, such as where to begin. */
export const inputArgs = (before: readonly string[] = []): string[] => [
  '-nostdin',
  ...QUIET,
  ...GUARDS,
  ...before,
  '-i',
  INPUT,
];

/** The same for what comes through standard input. */
export const pipeArgs = (before: readonly string[]): string[] => [...QUIET, ...GUARDS, ...before, '-i', 'pipe:0'];

/** ffprobe's list for the streams, format and chapters of a file as JSON. */
export const probeArgs = (): string[] => [
  ...QUIET,
  ...GUARDS,
  '-print_format',
  'json',
  '-show_format',
  '-show_streams',
  '-show_chapters',
  '-i',
  INPUT,
];

const NATIVE: Record<TextTrack['format'], { codec: string; same: readonly string[] }> = {
  webvtt: { codec: 'webvtt', same: ['webvtt'] },
  srt: { codec: 'srt', same: ['subrip', 'srt'] },
  ass: { codec: 'ass', same: ['ass', 'ssa'] },
};

/**
 * Writes every track to a separate pipe (1, 3, 4, …), each cue as soon as it is read; progress to the pipe after them.
 * `zero` is the time on the clock of the file that counts as the beginning: left to itself, ffmpeg takes the first cue
 * of a transport stream for it when nothing else is read, and does so again when the same is asked for before the
 * input.
 */
export function textArgs({ tracks, zero = 0 }: { tracks: readonly TextTrack[]; zero?: number }): string[] {
  const shift = zero === 0 ? [] : ['-output_ts_offset', `-${secondsArgument(zero)}`];
  const outputs = tracks.flatMap(({ stream, format, codec }, i) => {
    const { codec: writer, same } = NATIVE[format];
    const isSame = codec !== undefined && same.includes(codec);
    return [
      '-map',
      `0:${integerArgument(stream)}`,
      '-c:s',
      isSame ? 'copy' : writer,
      ...shift,
      '-flush_packets',
      '1',
      '-f',
      format,
      `pipe:${pipeOf(i)}`,
    ];
  });
  return [...inputArgs(['-copyts']), '-progress', `pipe:${pipeOf(tracks.length)}`, '-stats_period', '1', ...outputs];
}

/** The file descriptor of the `i`th output. */
const pipeOf = (i: number): number => (i === 0 ? 1 : i + 2);

/**
 * One track of subtitles that are pictures on standard output; progress to pipe 3. PGS comes as a `.sup`, DVD
 * pictures as Matroska, which keeps their colours and times; DVB and DivX pictures are converted to DVD ones.
 * Times are always those of the file: to count from zero ffmpeg would take the first picture for the beginning.
 */
export function picturesArgs({ stream, codec }: { stream: number; codec: PictureCodec }): string[] {
  const isCopied = codec === 'hdmv_pgs_subtitle' || codec === 'dvd_subtitle';
  // The size is room enough for every picture: nothing is scaled, and without one the encoder refuses.
  const coding = isCopied ? ['-c:s', 'copy'] : ['-c:s', 'dvdsub', '-s', '1920x1080'];
  return [
    ...inputArgs(['-copyts']),
    '-progress',
    'pipe:3',
    '-stats_period',
    '1',
    '-map',
    `0:${integerArgument(stream)}`,
    '-map_chapters',
    '-1',
    ...coding,
    '-f',
    codec === 'hdmv_pgs_subtitle' ? 'sup' : 'matroska',
    'pipe:1',
  ];
}

/** One picture as JPEG or PNG on standard output. */
export function frameArgs({
  at,
  width,
  format = 'jpeg',
  stream,
}: {
  at: number;
  width: number;
  format?: 'jpeg' | 'png';
  stream?: number;
}): string[] {
  const coding = format === 'jpeg' ? ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'] : ['-c:v', 'png'];
  return [
    ...inputArgs(['-threads', '2', '-ss', secondsArgument(at)]),
    '-map',
    stream === undefined ? '0:V:0' : `0:${integerArgument(stream)}`,
    '-an',
    '-sn',
    '-dn',
    '-frames:v',
    '1',
    '-vf',
    `scale=w='min(${integerArgument(width)},iw)':h=-2:flags=bicubic`,
    ...coding,
    '-threads',
    '1',
    '-f',
    'image2pipe',
    'pipe:1',
  ];
}

export const AUDIO_RATE = 16_000;

/**
 * Selection of audio. `from` and `length` are in seconds; `zero` is the time of the first sample on the clock of the
 * file.
 */
export interface AudioSelection {
  stream?: number;
  from?: number;
  length?: number;
  zero?: number;
}

/** Sound as one channel of 16-bit samples on standard output. */
export const audioArgs = (sound: AudioSelection): string[] => [...soundArgs(sound), '-f', 's16le', 'pipe:1'];

/** The same as a WAV file, which is not there yet; how far it is comes on standard output. */
export const waveArgs = ({ to, ...sound }: AudioSelection & { to: string }): string[] => [
  ...soundArgs(sound),
  '-progress',
  'pipe:1',
  '-stats_period',
  '1',
  '-f',
  'wav',
  fileUrl(to),
];

function soundArgs({ stream, from, length, zero = 0 }: AudioSelection): string[] {
  return [
    ...inputArgs(from === undefined ? ['-copyts'] : ['-ss', secondsArgument(from)]),
    ...(stream === undefined ? ['-vn', '-sn', '-dn'] : ['-map', `0:${integerArgument(stream)}`]),
    ...(length === undefined ? [] : ['-t', secondsArgument(length)]),
    // A track that begins late or has holes is filled with silence, so that every sample keeps its time.
    '-af',
    `aformat=sample_rates=${AUDIO_RATE}:channel_layouts=mono:sample_fmts=s16,aresample=async=1:` +
      `first_pts=${from === undefined ? Math.round(Number(secondsArgument(zero)) * AUDIO_RATE) : 0}`,
    '-c:a',
    'pcm_s16le',
    '-ac',
    '1',
    '-ar',
    String(AUDIO_RATE),
  ];
}

export function integerArgument(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0) throw new TypeError('ffmpeg is given whole numbers only');
  return String(number);
}

export function secondsArgument(number: number): string {
  if (!Number.isFinite(number) || number < 0) throw new TypeError('ffmpeg is given times from zero on');
  return number.toFixed(3);
}
