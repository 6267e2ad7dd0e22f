/**
 * The qualities that a video can be converted to, and who converts it. Pure.
 *
 * A rung is offered when it is no larger than the source, takes at most 0.9 of its rate, stays below the caps of the
 * client, and this machine converts it at 1.5 times real time. One rung is always offered: where even decoding the
 * source takes too long, the best one that adds little to it.
 */
import { PRESETS } from '../../lib/media/encoding.ts';
import type { Stream } from '../../catalog/index.ts';
import { codecName } from './names.ts';
import {
  type EncoderChoice,
  type Machine,
  type PlanSettings,
  type Preset,
  type Trouble,
  type VideoCodec,
} from './types.ts';

/** For H.264, up to 30 frames per second. Heights are those of a 16:9 picture. */
const RUNGS = [
  { id: '2160p-20', height: 2160, megabits: 20 },
  { id: '1440p-12', height: 1440, megabits: 12 },
  { id: '1080p-8', height: 1080, megabits: 8 },
  { id: '1080p-5', height: 1080, megabits: 5 },
  { id: '720p-3', height: 720, megabits: 3 },
  { id: '480p-1.5', height: 480, megabits: 1.5 },
  { id: '360p-0.8', height: 360, megabits: 0.8 },
  { id: '240p-0.4', height: 240, megabits: 0.4 },
] as const;
type LadderRung = (typeof RUNGS)[number];
export const ORIGINAL = 'original';
export const isQuality = (id: string): boolean => id === ORIGINAL || RUNGS.some((rung) => rung.id === id);

/** Bits that a codec needs for the same picture, relative to H.264. */
const CODEC_RATE: Readonly<Record<VideoCodec, number>> = { h264: 1, hevc: 0.6, av1: 0.5, vp9: 0.65 };
const HIGH_FRAME_RATE = 1.4;
const OF_SOURCE = 0.9;
/** Minimum for every rung, also when the source has fewer bits or its header says so. */
const MIN_RATE = 200_000;
/** Factor by which a conversion has to be faster than real time. */
const HEADROOM = 1.5;
/** Part of real time that encoding a rung may take where decoding alone takes too long. */
const LITTLE = 0.2;
/** Factor by which a height may differ from a rung and still count as that rung: 1916 x 1076 is 1080p. */
const TOLERANCE = 1.02;
/** Time that software encoders take, relative to H.264. */
const ENCODE_COST: Readonly<Record<VideoCodec, number>> = { h264: 1, hevc: 5, vp9: 6, av1: 8 };
/** Time that decoding takes, relative to H.264. */
const DECODE_COST: Readonly<Record<string, number>> = { hevc: 1.5, av1: 1.5, mpeg2video: 0.5, mpeg4: 0.5 };

export interface PictureSize {
  width: number;
  height: number;
}

/** Returns the size at which a picture is seen: with square pixels and turned upright. */
export function shownSize({
  width = 1920,
  height = 1080,
  sampleAspect = 1,
  rotation = 0,
}: Pick<Stream, 'width' | 'height' | 'sampleAspect' | 'rotation'>): PictureSize {
  const wide = Math.round(width * sampleAspect);
  return turnOf(rotation) % 180 === 0 ? { width: wide, height } : { width: height, height: wide };
}
export const turnOf = (rotation = 0): 0 | 90 | 180 | 270 =>
  ((((Math.round(rotation / 90) * 90) % 360) + 360) % 360) as 0 | 90 | 180 | 270;

/** Returns the lines of the 16:9 picture that a picture fits into, landscape or portrait: 1080 for 1920 x 800. */
export const levelOf = ({ width, height }: PictureSize): number =>
  Math.max(Math.min(width, height), (Math.max(width, height) * 9) / 16);

/** Returns the lines of a landscape picture, and the columns of a portrait one. */
export const verticalLines = ({ width, height }: PictureSize): number => Math.min(width, height);

const even = (size: number, scale: number): number =>
  Math.max(2, Math.min(2 * Math.round((size * scale) / 2), 2 * Math.floor(size / 2)));
const fit = ({ width, height }: PictureSize, scale: number): PictureSize => ({
  width: even(width, scale),
  height: even(height, scale),
});

export interface LadderNeeds {
  video: Stream;
  /** Bits per second of the video; undefined where that is not known. */
  rate: number | undefined;
  codec: VideoCodec;
  isToneMapped: boolean;
  /** Bits per second that are left for the video, and lines. */
  maxRate: number | undefined;
  maxHeight: number | undefined;
  machine: Machine;
  settings: PlanSettings;
  trouble: Trouble;
}

export interface Rung extends PictureSize {
  id: string;
  /** Lines in the label. */
  level: number;
  /** Rate in the ladder, for H.264 and up to 30 frames per second. */
  megabits: number;
  bitrate: number;
  /** Whether the source allows less than the rung has. */
  isCut: boolean;
  encoder: EncoderChoice;
}

/** Returns the rungs that are offered, the best first; never empty. */
export function ladder(needs: LadderNeeds): Rung[] {
  const { video, rate, codec, maxRate = Infinity, maxHeight = Infinity } = needs;
  const shown = shownSize(video);
  const level = levelOf(shown);
  const factor = CODEC_RATE[codec] * (isFast(video) ? HIGH_FRAME_RATE : 1);
  const limit = rate === undefined ? Infinity : rate * OF_SOURCE;
  const sized = eligible(level).map((rung) => ({
    rung,
    size: fit(shown, Math.min(1, rung.height / level)),
    bitrate: Math.round(rung.megabits * 1e6 * factor),
    isCut: false,
  }));
  const low = sized.filter(({ rung }) => Math.min(rung.height, Math.round(level)) <= maxHeight);
  const allowed: Omit<Rung, 'encoder'>[] = [];
  for (const group of Map.groupBy(low, ({ rung }) => rung.height).values()) {
    const fitting = group.filter(({ bitrate }) => bitrate <= limit);
    // A source with few bits keeps its size, at the rate that it allows.
    const all =
      fitting.length > 0
        ? fitting
        : group.slice(-1).map((one) => ({ ...one, bitrate: Math.max(MIN_RATE, Math.round(limit)), isCut: true }));
    for (const { rung, size, bitrate, isCut } of all)
      if (bitrate <= maxRate) allowed.push({ ...named(rung, level), ...size, bitrate, isCut });
  }
  const offered = withEncoder(allowed, (size) => encoderFor(size, needs));
  if (offered.length > 0) return offered;
  const [little] = withEncoder(allowed, (size) =>
    timeOf(size, needs, 'ultrafast').making <= LITTLE ? { preset: 'ultrafast' } : undefined,
  );
  return [
    little ?? lowest(needs, { shown, level, bitrate: Math.min(limit, maxRate, sized.at(-1)?.bitrate ?? MIN_RATE) }),
  ];
}

const withEncoder = (
  rungs: readonly Omit<Rung, 'encoder'>[],
  encoderOf: (size: PictureSize) => EncoderChoice | undefined,
): Rung[] =>
  rungs.flatMap((rung) => {
    const encoder = encoderOf(rung);
    return encoder ? [{ ...rung, encoder }] : [];
  });

const isFast = ({ frameRate = 0 }: Pick<Stream, 'frameRate'>): boolean => frameRate > 30.5;
const named = (rung: LadderRung, level: number) => ({
  id: rung.id,
  level: Math.min(rung.height, Math.round(level)),
  megabits: rung.megabits,
});

/**
 * Returns the rungs of a source's own size and below. A size between two rungs takes the rates of the next larger one.
 */
function eligible(level: number): readonly LadderRung[] {
  const own = RUNGS.findLast(({ height }) => height * TOLERANCE >= level)?.height ?? RUNGS[0].height;
  return RUNGS.filter(({ height }) => height <= own);
}

function lowest(
  needs: LadderNeeds,
  { shown, level, bitrate }: { shown: PictureSize; level: number; bitrate: number },
): Rung {
  const rung = RUNGS[RUNGS.length - 1] as LadderRung;
  const scale = Math.min(1, rung.height / level, (needs.maxHeight ?? Infinity) / verticalLines(shown));
  const size = fit(shown, scale);
  const encoder = encoderFor(size, needs) ?? { preset: needs.settings.quality === 'quality' ? 'fast' : 'ultrafast' };
  return { ...named(rung, level), ...size, bitrate: Math.max(MIN_RATE, Math.round(bitrate)), isCut: true, encoder };
}

/** Returns the accelerators that the settings allow and that passed their test. */
export function acceleratorsOf({ accelerators }: Machine, { accelerator }: PlanSettings): Machine['accelerators'] {
  return accelerator === 'none'
    ? []
    : accelerators.filter(({ name }) => accelerator === 'auto' || name === accelerator);
}

/**
 * Returns the encoder that converts to that size at 1.5 times real time: hardware that has not failed on the file,
 * otherwise software. Undefined when there is none.
 */
function encoderFor(size: PictureSize, needs: LadderNeeds): EncoderChoice | undefined {
  const { codec, machine, settings, trouble } = needs;
  const isHeld = (preset: Preset) => {
    const { decoding, making } = timeOf(size, needs, preset);
    return decoding + making <= 1 / HEADROOM;
  };
  const preset = machine.software.codecs.includes(codec) ? presetsOf(settings).find(isHeld) : undefined;
  const { source, made } = samplesOf(size, needs);
  const working = acceleratorsOf(machine, settings).filter(
    ({ name, codecs }) => codecs.includes(codec) && !trouble.hardwareFailed.includes(name),
  );
  const hardware = working.find(
    ({ rate, toneMapRate = 0 }) => Math.max(source, made) / (needs.isToneMapped ? toneMapRate : rate) <= 1 / HEADROOM,
  );
  if (!hardware) return preset === undefined ? undefined : { preset };
  const { name, device } = hardware;
  return { accelerator: { name, ...(device !== undefined && { device }) }, preset: preset ?? 'ultrafast' };
}

/** Returns luma samples per second of the source and of the output. */
function samplesOf(size: PictureSize, { video }: Pick<LadderNeeds, 'video'>): { source: number; made: number } {
  const frames = video.frameRate ?? 25;
  return { source: (video.width ?? 1920) * (video.height ?? 1080) * frames, made: size.width * size.height * frames };
}

/** Returns the seconds that software takes for one second of the film. */
function timeOf(
  size: PictureSize,
  {
    video,
    codec,
    isToneMapped,
    machine: { software },
  }: Pick<LadderNeeds, 'video' | 'codec' | 'isToneMapped' | 'machine'>,
  preset: Preset,
): { decoding: number; making: number } {
  const { source, made } = samplesOf(size, { video });
  const deep = (video.bitDepth ?? 8) > 8 ? 1.5 : 1;
  return {
    decoding: (source * (DECODE_COST[codecName(video.codec)] ?? 1) * deep) / software.decodeRate,
    making: (isToneMapped ? made / software.toneMapRate : 0) + (made * ENCODE_COST[codec]) / software.rates[preset],
  };
}

const FULL_HD: Stream = {
  index: 0,
  type: 'video',
  codec: 'h264',
  width: 1920,
  height: 1080,
  frameRate: 24,
  default: true,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
};

/** Returns the preset that software uses for 1080p with 24 frames a second, and how many times real time that is. */
export function softwareSpeed(machine: Machine, settings: PlanSettings): { preset: Preset; speed: number } {
  const speedOf = (preset: Preset): number => {
    const { decoding, making } = timeOf(
      { width: 1920, height: 1080 },
      { video: FULL_HD, codec: 'h264', isToneMapped: false, machine },
      preset,
    );
    return 1 / (decoding + making);
  };
  const preset =
    presetsOf(settings).find((one) => speedOf(one) >= HEADROOM) ?? presetsOf(settings).at(-1) ?? 'ultrafast';
  return { preset, speed: speedOf(preset) };
}

/** Returns the presets that the settings allow, the preferred one first. */
function presetsOf({ quality }: PlanSettings): readonly Preset[] {
  if (quality === 'speed') return ['ultrafast'];
  return quality === 'quality' ? ['fast'] : PRESETS.toReversed();
}

/**
 * Returns the offered rung for a quality that was asked for: that rung, otherwise the best one that is not above it.
 */
export function rungFor(offered: readonly Rung[], quality: string | undefined): Rung {
  const asked = RUNGS.find(({ id }) => id === quality);
  const below = (rung: Rung) => rung.level <= (asked?.height ?? 0) && rung.megabits <= (asked?.megabits ?? 0);
  const same = asked && (offered.find(({ id }) => id === asked.id) ?? offered.find(below) ?? offered.at(-1));
  return same ?? (offered[0] as Rung);
}

/** Returns whether a source is above a quality that was asked for, and so has to be converted. */
export function exceeds(video: Stream, rate: number | undefined, quality: string): boolean {
  const asked = RUNGS.find(({ id }) => id === quality);
  if (!asked) return false;
  const most = asked.megabits * 1e6 * (isFast(video) ? HIGH_FRAME_RATE : 1);
  return levelOf(shownSize(video)) > asked.height * TOLERANCE || (rate !== undefined && rate > most * TOLERANCE);
}
