/** Chooses what the video of a file is converted to, and says why it cannot be. Pure. */
import type { MediaInfo, Stream } from '../../catalog/index.ts';
import { maxBitrateOf, protectedCauses, type ReasonInput, rateOf } from './causes.ts';
import { encodedCodec } from './encoding.ts';
import { ladder, type Rung, rungFor, turnOf } from './ladder.ts';
import { baseRangeOf } from './support.ts';
import type { HdrSource, Machine, FileRecipe, VideoCodec, VideoRecipe } from './types.ts';
import { because, type Cause, HDR_WORDS, when } from './words.ts';

/** The subtitle that shall be drawn into the video. */
export interface BurnChoice {
  key: string;
  /** Undefined where it cannot be drawn. */
  source: VideoRecipe['burn'];
}

export interface Conversion {
  /** Undefined where the client plays nothing that can be made. */
  codec: VideoCodec | undefined;
  /**
   * Kind of high dynamic range that is mapped; `none` where the base layer has standard range, `impossible` where this
   * machine cannot map it.
   */
  toneMap: HdrSource | 'none' | 'impossible';
  /** The qualities that are offered, the best first, and the one that is taken. */
  rungs: readonly Rung[];
  rung: Rung;
}

/** Returns what the video would be converted to, whether or not that is allowed. */
export function conversionOf(
  question: ReasonInput,
  video: Stream,
  { info, audioRate }: { info: MediaInfo; audioRate: number },
): Conversion {
  const { client, settings, trouble, index, quality } = question;
  const toneMap = toneMapOf(video, question.machine);
  // Its colours are mapped by Vulkan, whose pictures no accelerator takes over.
  const machine = toneMap === 'dolby-vision' ? { ...question.machine, accelerators: [] } : question.machine;
  const codec = encodedCodec({ client, machine, settings, trouble });
  const most = maxBitrateOf(question);
  const rungs = ladder({
    video,
    rate: rateOf(video, info, index),
    codec: codec ?? 'h264',
    isToneMapped: toneMap !== 'none',
    machine,
    settings,
    trouble,
    maxRate: most === undefined ? undefined : Math.max(0, most - audioRate),
    maxHeight: client.maxHeight,
  });
  return { codec, toneMap, rungs, rung: rungFor(rungs, quality) };
}

function toneMapOf(video: Stream, machine: Machine): Conversion['toneMap'] {
  const base = baseRangeOf(video);
  if (base === 'sdr') return 'none';
  const source: HdrSource = base ?? 'dolby-vision';
  return machine.toneMaps.includes(source) ? source : 'impossible';
}

interface ConversionNeeds {
  video: Stream;
  conversion: Conversion;
  burn: BurnChoice | undefined;
}

/** Returns why the video cannot be converted, apart from what Profile and settings allow. */
export function transcodeCauses(
  { index, settings, machine, trouble }: ReasonInput,
  { video, conversion, burn }: ConversionNeeds,
): Cause[] {
  const { codec, rung } = conversion;
  const { index: stream } = video;
  const sealed = protectedCauses(index, video);
  if (sealed.length > 0) return sealed;
  const isFull = machine.isBusy && !rung.encoder.accelerator;
  return [
    ...when(trouble.cannotDecode, 'cannot-decode', 'This video could not be decoded when it was tried before', stream),
    ...when(
      !codec,
      'video-codec-not-supported',
      'This player plays none of the video formats that the server can make',
      stream,
    ),
    ...colourCauses(video, conversion, settings.toneMap),
    ...when(
      burn !== undefined && !burn.source,
      'subtitle-burn-in',
      'The server cannot draw this kind of subtitles into the video',
      stream,
    ),
    ...when(isFull, 'busy', 'This server is converting as many films as it can'),
  ];
}

function colourCauses(video: Stream, { toneMap }: Conversion, isWanted: boolean): Cause[] {
  const { index, hdr = 'hdr10', dolbyVision } = video;
  if (toneMap !== 'impossible')
    return when(
      toneMap !== 'none' && !isWanted,
      'hdr-not-supported',
      'This server is set not to convert the colours of HDR films',
      index,
    );
  if (baseRangeOf(video) !== undefined)
    return [because('hdr-not-supported', `This server cannot convert the colours of ${HDR_WORDS[hdr]}`, index)];
  return [
    because(
      'dolby-vision-profile',
      `This server cannot convert the colours of Dolby Vision profile ${dolbyVision?.profile ?? 'unknown'}`,
      index,
    ),
  ];
}

/** Returns the complete recipe of the rung that was chosen. */
export function videoRecipe({ video, conversion, burn }: ConversionNeeds): NonNullable<FileRecipe['video']> {
  const { codec = 'h264', toneMap, rung } = conversion;
  const { width, height, bitrate, encoder } = rung;
  const recipe: VideoRecipe = {
    kind: 'video',
    stream: video.index,
    codec,
    width,
    height,
    bitrate,
    ...(toneMap !== 'none' && toneMap !== 'impossible' && { toneMap }),
    ...(burn?.source && { burn: burn.source }),
    deinterlace: video.interlaced === true,
    rotate: turnOf(video.rotation),
  };
  return { action: 'convert', stream: video.index, recipe, encoder };
}
