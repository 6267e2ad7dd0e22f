/** The argument lists of video encoding, as pure functions. */
import { INPUT_PATH, SECOND_INPUT_PATH } from '../../process.ts';
import { GUARDS, guardsWith, QUIET, integerArgument } from '../args.ts';
import { ACCELERATOR_SETS } from './accelerators.ts';
import { bitstreamArgs, SOFTWARE } from './encoders.ts';
import { videoFilters } from './filters.ts';
import type { Accelerator, BurnedSubtitle, EncodedPictures, Preset, VideoRequest } from './types.ts';

/** Seconds that are added to all times of the output, which fragmented MP4 cannot have below zero. */
export const TIME_SHIFT = 10;
/**
 * All times of encoded video are counted in this many units a second; ffmpeg's own choice shifts pictures by up to 21
 * ms.
 */
export const VIDEO_TIMESCALE = 90_000;

/** Pictures just before the first one wanted are encoded too: rounding must not decide which one it is. */
const MARGIN = 0.1;
/** Containers without an exact index: seeking may land behind the keyframe that is needed. */
const LOOSE: ReadonlySet<string> = new Set(['mpegts', 'mpeg', 'avi', 'asf', 'flv', 'ogg', 'wtv', 'rm', 'dv', 'nsv']);
const LOOSE_MARGIN = 5;
/** Deinterlacing looks at the pictures around each. */
const FIELDS_MARGIN = 0.5;
/** How much earlier the second input begins, so that a drawing which is already shown is known. */
const BURN_MARGIN = 30;

/** Seconds before the first sample wanted at which reading begins. */
export const looseMargin = (container: string): number => (LOOSE.has(container) ? LOOSE_MARGIN : 0);

/** `-ss` for a time on the clock of the file; none for its beginning. */
export function seekArgs(time: number, containerStart: number): string[] {
  const after = time - containerStart;
  if (!Number.isFinite(after)) throw new TypeError('ffmpeg is given times only');
  return after <= 0 ? [] : ['-ss', after.toFixed(6)];
}

const FRAGMENTS = ['-avoid_negative_ts', 'disabled', '-output_ts_offset', String(TIME_SHIFT), '-f', 'mp4'];

export function videoArgs(request: VideoRequest): string[] {
  const { from, containerStart, stream, accelerator, burn } = request;
  const margin = Math.max(looseMargin(request.container), request.deinterlace === true ? FIELDS_MARGIN : 0, MARGIN);
  const isTrimmed = from !== undefined && margin > MARGIN;
  const { option, graph } = videoFilters({ ...request, ...(isTrimmed && { trimmed: from - MARGIN }) });
  return [
    '-nostdin',
    ...QUIET,
    '-copyts',
    ...(request.toneMap === 'dolby-vision' ? ['-init_hw_device', 'vulkan=v', '-filter_hw_device', 'v'] : []),
    ...(accelerator ? acceleratedInput(accelerator) : GUARDS),
    '-noautorotate',
    ...(from === undefined ? [] : seekArgs(from - margin, containerStart)),
    '-i',
    `file:${INPUT_PATH}`,
    ...(burn ? burnInput(request, burn) : []),
    option,
    graph,
    '-map',
    burn ? '[out]' : `0:${integerArgument(stream)}`,
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-vsync',
    'passthrough',
    '-enc_time_base',
    `1/${VIDEO_TIMESCALE}`,
    ...encoderArgs(request),
    ...colourArgs(request),
    '-force_key_frames',
    request.keyframes.map(exact).join(','),
    '-to',
    exact(request.until),
    ...bitstreamArgs(request.codec),
    ...FRAGMENTS,
    '-video_track_timescale',
    String(VIDEO_TIMESCALE),
    '-movflags',
    'frag_keyframe+empty_moov+default_base_moof+frag_discont',
    'pipe:1',
  ];
}

/** Input for the subtitle: the video's file again or a separate file, started earlier than the pictures. */
function burnInput({ from = 0, containerStart }: VideoRequest, { sidecar }: BurnedSubtitle): string[] {
  const earlier = from - BURN_MARGIN;
  if (!sidecar) return [...GUARDS, ...seekArgs(earlier, containerStart), '-i', `file:${INPUT_PATH}`];
  return [
    ...GUARDS,
    '-itsoffset',
    exact(sidecar.zero),
    '-seek_timestamp',
    '1',
    ...seekArgs(earlier, sidecar.zero),
    '-i',
    `file:${SECOND_INPUT_PATH}`,
  ];
}

/** Allow-lists with the decoders of an accelerator, and the options that make it decode. */
export function acceleratedInput({ name, device }: Accelerator): string[] {
  const { input, decoders = [] } = ACCELERATOR_SETS[name];
  return [...guardsWith(decoders), ...input(device)];
}

/**
 * Using an accelerator that has no encoder for the codec is a bug, and so is one for Dolby Vision, whose filters need
 * another device.
 */
function encoderArgs(request: VideoRequest): string[] {
  if (request.accelerator && request.toneMap === 'dolby-vision')
    throw new TypeError('Dolby Vision is mapped and encoded without an accelerator');
  if (!request.accelerator) return SOFTWARE[request.codec](request);
  const encoder = ACCELERATOR_SETS[request.accelerator.name].encoders[request.codec];
  if (!encoder) throw new TypeError(`${request.accelerator.name} has no encoder for ${request.codec}`);
  return encoder(request);
}

const colourArgs = ({ toneMap }: VideoRequest): string[] =>
  toneMap === undefined
    ? []
    : ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];

function exact(time: number): string {
  if (!Number.isFinite(time)) throw new TypeError('ffmpeg is given times only');
  return time.toFixed(6);
}

/**
 * One black picture of standard input (PNG) encoded in software: its header is that of every run with these pictures.
 */
export const blankArgs = (pictures: EncodedPictures & { preset: Preset }): string[] => [
  '-nostdin',
  ...QUIET,
  ...GUARDS,
  '-f',
  'png_pipe',
  '-i',
  'pipe:0',
  '-vf',
  `scale=w=${integerArgument(pictures.width)}:h=${integerArgument(pictures.height)}:out_range=tv,setsar=1,` +
    'format=yuv420p',
  '-frames:v',
  '1',
  '-vsync',
  'passthrough',
  '-enc_time_base',
  `1/${VIDEO_TIMESCALE}`,
  ...SOFTWARE[pictures.codec](pictures),
  '-f',
  'mp4',
  '-video_track_timescale',
  String(VIDEO_TIMESCALE),
  '-movflags',
  'frag_keyframe+delay_moov+default_base_moof',
  'pipe:1',
];
