/** Converting the video of a file: to what, and why not. Pure. */
import type { MediaInfo, Stream } from '../../catalog/index.ts';
import { maxBitrateOf, type Question, rateOf } from './causes.ts';
import { encodedCodec } from './encoding.ts';
import { ladder, type Rung, rungFor, turnOf } from './ladder.ts';
import { baseRangeOf } from './support.ts';
import type { HdrSource, Machine, Recipe, VideoCodec, VideoRecipe } from './types.ts';
import { because, type Cause, HDR_WORDS } from './words.ts';

/** The subtitle that shall be drawn into the video. */
export interface Burn {
  key: string;
  /** Undefined where it cannot be drawn. */
  source: VideoRecipe['burn'];
}

export interface Conversion {
  /** Undefined where the client plays nothing that can be made. */
  codec: VideoCodec | undefined;
  /** As what the high range is read; `none` where the base layer is ordinary, `impossible` where this machine cannot map it. */
  toneMap: HdrSource | 'none' | 'impossible';
  /** The qualities that are offered, the best first, and the one that is taken. */
  rungs: readonly Rung[];
  rung: Rung;
}

/** What the video would be converted to, whether or not it may. */
export function conversionOf(question: Question, video: Stream, { info, audioRate }: { info: MediaInfo; audioRate: number }): Conversion {
  const { client, machine, settings, trouble, index, quality } = question;
  const codec = encodedCodec({ client, machine, settings, trouble });
  const toneMap = toneMapOf(video, machine);
  const most = maxBitrateOf(question);
  const rungs = ladder({
    video, rate: rateOf(video, info, index), codec: codec ?? 'h264', isToneMapped: toneMap !== 'none', machine, settings, trouble,
    maxRate: most === undefined ? undefined : Math.max(0, most - audioRate), maxHeight: client.maxHeight,
  });
  return { codec, toneMap, rungs, rung: rungFor(rungs, quality) };
}

function toneMapOf(video: Stream, machine: Machine): Conversion['toneMap'] {
  const base = baseRangeOf(video);
  if (base === 'sdr') return 'none';
  const source: HdrSource = base ?? 'dolby-vision';
  return machine.toneMaps.includes(source) ? source : 'impossible';
}

/** Why the video is not converted, apart from what the Profile and the settings allow. */
export function transcodeCauses({ settings, machine, trouble }: Question, { video, conversion, burn }: { video: Stream; conversion: Conversion; burn: Burn | undefined }): Cause[] {
  const { codec, toneMap, rung } = conversion;
  const { index: stream, hdr, dolbyVision } = video;
  const causes: Cause[] = [];
  if (trouble.cannotDecode) causes.push(because('cannot-decode', 'This video could not be decoded when it was tried before', stream));
  if (!codec) causes.push(because('video-codec-not-supported', 'This player plays none of the video formats that the server can make', stream));
  if (toneMap === 'impossible' && baseRangeOf(video) === undefined) causes.push(because('dolby-vision-profile', `This server cannot convert the colours of Dolby Vision profile ${dolbyVision?.profile ?? ''}`.trimEnd(), stream));
  else if (toneMap === 'impossible') causes.push(because('hdr-not-supported', `This server cannot convert the colours of ${HDR_WORDS[hdr ?? 'hdr10']}`, stream));
  else if (toneMap !== 'none' && !settings.toneMap) causes.push(because('hdr-not-supported', 'This server is set not to convert the colours of HDR films', stream));
  if (burn && !burn.source) causes.push(because('subtitle-burn-in', 'The server cannot draw this kind of subtitles into the video', stream));
  if (machine.isBusy && !rung.encoder.accelerator) causes.push(because('busy', 'This server is converting as many films as it can'));
  return causes;
}

/** The complete recipe of the rung that is taken. */
export function videoRecipe({ video, conversion: { codec = 'h264', toneMap, rung }, burn }: { video: Stream; conversion: Conversion; burn: Burn | undefined }): NonNullable<Recipe['video']> {
  const { width, height, bitrate, encoder } = rung;
  const recipe: VideoRecipe = {
    kind: 'video', stream: video.index, codec, width, height, bitrate,
    ...(toneMap !== 'none' && toneMap !== 'impossible' && { toneMap }), ...(burn?.source && { burn: burn.source }),
    deinterlace: video.interlaced === true, rotate: turnOf(video.rotation),
  };
  return { action: 'convert', stream: video.index, recipe, encoder };
}
