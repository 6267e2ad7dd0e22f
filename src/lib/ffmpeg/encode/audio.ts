/** The argument list of audio encoding, as a pure function. */
import { INPUT_PATH } from '../../process.ts';
import { GUARDS, QUIET, integerArgument } from '../args.ts';
import type { EncodedAudioCodec, AudioRequest } from './types.ts';
import { looseMargin, seekArgs, TIME_SHIFT } from './video.ts';

export const SAMPLE_RATE = 48_000;
/** Samples in a frame, and those that the encoder puts in front. */
export const FRAMES: Record<EncodedAudioCodec, { size: number; priming: number }> = {
  aac: { size: 1024, priming: 1024 },
  eac3: { size: 1536, priming: 256 },
};

/** Audio that the filters process before the first encoded sample, so that the limiter settles. */
const LEAD_SECONDS = 1;
/** Holes from this length on are filled with silence, and what overlaps as much is left out. */
const HOLE_SECONDS = 0.03;
/** Rounding of a container that counts in milliseconds, with some room. */
const ROUNDING_SECONDS = 0.0016;
const IN_MILLISECONDS: ReadonlySet<string> = new Set(['matroska', 'webm']);
/** Codecs whose frames all have the same length, so that rounded times can be put right. */
const EVEN: ReadonlySet<string> = new Set(['aac', 'mp3', 'mp2', 'ac3', 'eac3', 'dts', 'opus', 'flac', 'alac']);

export function encodeAudioArgs(request: AudioRequest): string[] {
  const { source, firstSample, endSample, container, containerStart } = request;
  const { sampleRate } = source;
  // The resampler begins at a sample that has the same place on both grids, so that two runs give the same samples:
  // what is missing before it is filled first.
  const step = sampleRate / gcd(sampleRate, SAMPLE_RATE);
  const lead = Math.floor((((firstSample - LEAD_SECONDS * SAMPLE_RATE) / SAMPLE_RATE) * sampleRate) / step) * step;
  const leadTime = lead / sampleRate;
  const codec = request.codec === 'aac' ? ['-c:a', 'aac'] : ['-c:a', 'eac3'];
  const filters = [
    ...regrid(request),
    `atrim=start_pts=${integer(lead)}`,
    `aresample=async=1:min_hard_comp=${HOLE_SECONDS}:first_pts=${integer(lead)}`,
    ...mixing(request),
    ...(sampleRate === SAMPLE_RATE ? [] : [`aresample=${SAMPLE_RATE}`]),
    // A track that ends early is silent to the end of the film.
    'apad',
    `atrim=start_pts=${integer(firstSample)}:end_pts=${integer(endSample)}`,
  ];
  return [
    '-nostdin',
    ...QUIET,
    '-copyts',
    ...GUARDS,
    '-noaccurate_seek',
    ...seekArgs(leadTime - looseMargin(container) - ROUNDING_SECONDS, containerStart),
    '-i',
    `file:${INPUT_PATH}`,
    '-map',
    `0:${integerArgument(request.stream)}`,
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-af',
    filters.join(','),
    ...codec,
    '-b:a',
    String(integerArgument(request.bitrate)),
    '-ar',
    String(SAMPLE_RATE),
    '-ac',
    String(request.channels),
    '-avoid_negative_ts',
    'disabled',
    '-output_ts_offset',
    String(TIME_SHIFT),
    '-f',
    'mp4',
    // The header of E-AC-3 is known only once a frame is there.
    '-movflags',
    `${request.codec === 'aac' ? 'empty_moov' : 'delay_moov'}+default_base_moof+frag_discont`,
    '-frag_duration',
    '500000',
    'pipe:1',
  ];
}

/**
 * Puts the times of frames back on the grid of the codec. Counting in milliseconds moves each run by up to half of
 * one against the next, which is heard where they join.
 */
function regrid({ container, source }: AudioRequest): string[] {
  if (!IN_MILLISECONDS.has(container) || !EVEN.has(source.codec)) return [];
  const origin = integer(Math.round(source.start * source.sampleRate));
  const most = Math.round(ROUNDING_SECONDS * source.sampleRate);
  const shift = `${origin}+NB_SAMPLES*round((PTS-${origin})/NB_SAMPLES)-PTS`;
  return [`asetpts='PTS+st(0,${shift})*lte(abs(ld(0)),${most})*gt(NB_SAMPLES,${3 * most})'`];
}

/**
 * Filters that bring the channels of the source to those that are wanted. Gains are those of ITU-R BS.775, without
 * lowering the whole.
 */
function mixing({ channels, source }: AudioRequest): string[] {
  if (source.channels === channels)
    return channels === 6 ? [`pan=5.1|FL=FL|FR=FR|FC=FC|LFE=LFE|BL=BL+SL|BR=BR+SR`] : [];
  if (source.channels === 1) return channels === 2 ? ['pan=stereo|FL=FC|FR=FC'] : [];
  if (source.channels === 2) return channels === 1 ? ['pan=mono|FC=0.5*FL+0.5*FR'] : [];
  if (channels === 6)
    return ['pan=5.1|FL=FL|FR=FR|FC=FC|LFE=LFE|BL=0.707*BL+0.707*SL+0.707*BC|BR=0.707*BR+0.707*SR+0.707*BC', LIMITER];
  const side = (at: 'L' | 'R'): string => `F${at}+0.707*FC+0.5*S${at}+0.5*B${at}+0.354*BC`;
  if (channels === 2) return [`pan=stereo|FL=${side('L')}|FR=${side('R')}`, LIMITER];
  return ['pan=mono|FC=0.5*FL+0.5*FR+0.707*FC+0.25*SL+0.25*SR+0.25*BL+0.25*BR+0.354*BC', LIMITER];
}

/**
 * Holds peaks below full scale. The gain before it is what channels that are mixed lose against each other (measured:
 * 0.2 to 2.6 LU without it).
 */
const LIMITER = 'alimiter=level_in=1.12:limit=0.97:attack=5:release=50:level=false:latency=true';

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Sample positions may lie before the beginning of the file. */
function integer(number: number): string {
  if (!Number.isSafeInteger(number)) throw new TypeError('ffmpeg is given whole samples only');
  return String(number);
}
