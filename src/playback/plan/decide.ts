/**
 * How a client can play a file: as it is, with its streams in other packets, with its audio converted, or with its
 * video converted. A pure function: the first way that nothing speaks against is taken, and every way before it keeps
 * its reasons.
 */
import type { MediaInfo, Stream } from '../../catalog/index.ts';
import type { SubtitleTrack } from '../../contract/catalog/items.ts';
import { audioCauses, audioRecipe } from './audio.ts';
import {
  audioOnlyCauses,
  copyCauses,
  directCauses,
  hardwareFailed,
  maxBitrateOf,
  permission,
  protectedCauses,
  type ReasonInput,
  rateOf,
  remuxCauses,
  wholeRate,
} from './causes.ts';
import { type BurnChoice, conversionOf, type Conversion, transcodeCauses, videoRecipe } from './conversion.ts';
import { exceeds, ORIGINAL, shownSize } from './ladder.ts';
import { codecName } from './names.ts';
import { burnOf, subtitleDeliveryOf } from './subtitles.ts';
import { audiosOf, isEmpty, shownRange, videoOf } from './support.ts';
import {
  type AudioPlan,
  type AudioRecipe,
  type QualityOption,
  type FileRecipe,
  type PlaybackMethod,
  WAYS,
} from './types.ts';
import {
  because,
  type Cause,
  causeOnly,
  codecWord,
  megabits,
  type PlanOutcome,
  type Reason,
  when,
  withOutcome,
} from './words.ts';

export interface PlayQuestion extends Omit<ReasonInput, 'isBurned'> {
  subtitles: readonly SubtitleTrack[];
  /** Key of the subtitle that was chosen, and the path of a sidecar below its library. */
  subtitle?: string | undefined;
  sidecar?: string | undefined;
  /** The first way that is looked at: all parts of a film are played in one way. */
  least?: PlaybackMethod | undefined;
}

export interface PlannedVideo {
  action: 'copy' | 'convert';
  codec: string;
  width?: number;
  height?: number;
  bitrate?: number;
  /** The range that the client gets, where it is not standard. */
  hdr?: string;
  toneMap: boolean;
}

export interface Decision {
  /** Undefined when nothing is left. */
  way: PlaybackMethod | undefined;
  /** Present when nothing is left. `busy`: it would play if the machine had a free place. */
  refusal?: 'busy' | 'forbidden';
  reasons: Reason[];
  /** Every way before the one taken, in order; all when nothing is left. */
  rejected: { way: PlaybackMethod; reasons: Reason[] }[];
  recipe?: FileRecipe;
  video?: PlannedVideo;
  /** Qualities that can be asked for, the best first. */
  qualities: QualityOption[];
}

type Causes = Readonly<Record<PlaybackMethod, readonly Cause[]>>;
/** Audio of more bits than this is converted together with the video when the bits are limited. */
const HEAVY_AUDIO = 640_000;

export function decide(asked: PlayQuestion): Decision {
  const { info } = asked;
  if (!info) return unknown();
  const facts = factsOf(asked, info);
  const causes = causesOf(facts);
  const ways = WAYS.slice(WAYS.indexOf(asked.least ?? 'direct'));
  const way = ways.find((one) => causes[one].length === 0);
  const before = way === undefined ? ways : ways.slice(0, ways.indexOf(way));
  const recipe = way && recipeOf(facts, way);
  const outcome = recipe && outcomeOf(recipe, facts);
  const union = unique(before.flatMap((one) => causes[one]));
  const shown = [...union, ...hardwareCauses(facts, recipe), ...emptyCauses(facts), ...qualityCauses(facts, recipe)];
  const isBusy = causes.transcode.length > 0 && causes.transcode.every(({ code }) => code === 'busy');
  return {
    way,
    ...(way === undefined && { refusal: isBusy ? 'busy' : 'forbidden' }),
    reasons: shown.map((cause) => (outcome ? withOutcome(cause, outcome) : causeOnly(cause))),
    rejected: before.map((one) => ({ way: one, reasons: causes[one].map(causeOnly) })),
    ...(recipe && { recipe }),
    ...(recipe && facts.video && { video: plannedVideo(facts, facts.video, recipe) }),
    qualities: qualitiesOf(facts, causes),
  };
}

/**
 * Returns the decision for a file that could not be examined: it is sent as it is, because the player may be able to
 * play it.
 */
const unknown = (): Decision => ({
  way: 'direct',
  reasons: [causeOnly(because('not-analysed', 'This file could not be examined, so it is unknown whether it plays'))],
  rejected: [],
  recipe: { way: 'direct', audio: [], subtitles: [] },
  qualities: [],
});

interface Facts {
  question: ReasonInput & { subtitles: readonly SubtitleTrack[] };
  info: MediaInfo;
  video: Stream | undefined;
  audio: Stream | undefined;
  /** Target of the selected audio when it is converted. */
  converted: AudioRecipe | Cause | undefined;
  /** Whether the heard audio is converted together with the video. */
  isAudioConverted: boolean;
  burn: BurnChoice | undefined;
  conversion: Conversion | undefined;
}

function factsOf({ subtitle, sidecar, ...asked }: PlayQuestion, info: MediaInfo): Facts {
  const video = videoOf(info);
  const track = subtitle === undefined ? undefined : asked.subtitles.find(({ key }) => key === subtitle);
  const isBurned = track !== undefined && video !== undefined && subtitleDeliveryOf(track, asked.client) === 'burn';
  const burn: BurnChoice | undefined = isBurned ? { key: track.key, source: burnOf(track, sidecar) } : undefined;
  const question = { ...asked, isBurned };
  const { audio } = asked;
  const [sealed] = protectedCauses(asked.index, audio);
  const converted = sealed ?? (audio && audioRecipe(audio, audioNeeds(asked)));
  const { isLimited } = audioNeeds(asked);
  const isHeavy = audio !== undefined && isLimited && (rateOf(audio, info, asked.index) ?? 0) > HEAVY_AUDIO;
  const canConvert = converted !== undefined && !('code' in converted);
  const isAudioConverted = audio !== undefined && (copyAudio(question, audio).length > 0 || (isHeavy && canConvert));
  const audioRate =
    isAudioConverted && converted && !('code' in converted)
      ? converted.bitrate
      : ((audio && rateOf(audio, info, asked.index)) ?? 0);
  const conversion = video && conversionOf(question, video, { info, audioRate });
  return { question, info, video, audio, converted, isAudioConverted, burn, conversion };
}

const audioNeeds = (question: Pick<ReasonInput, 'client' | 'machine' | 'settings' | 'policy'>) => {
  const { client, machine, settings } = question;
  return {
    client,
    machine,
    isCompatible: settings.mode === 'compatible',
    isLimited: maxBitrateOf(question) !== undefined,
  };
};

/**
 * Returns why an audio track is not copied into segments. It is cut where the keyframes of the video are, so that it
 * needs an index, and keyframes that are close enough.
 */
function copyAudio(question: ReasonInput, audio: Stream): Cause[] {
  const { client, settings, index } = question;
  const ofFile = index?.obstacles.find((one) => one === 'no-index' || one === 'sparse-keyframes');
  const obstacles = ofFile === undefined ? (index?.tracks.get(audio.index)?.obstacles ?? []) : [ofFile];
  return [
    ...audioCauses(audio, client, true),
    ...when(
      settings.mode === 'compatible' && codecName(audio.codec) !== 'aac',
      'mode',
      'This server is set to send AAC sound only',
      audio.index,
    ),
    ...when(
      obstacles.length > 0,
      ofFile === 'sparse-keyframes' ? ofFile : 'no-index',
      'The sound cannot be taken out of the file as it is',
      audio.index,
    ),
    // A Profile without conversions hears such sound rather than none.
    ...when(
      index?.tracks.get(audio.index)?.hasGaps === true && permission(question).length === 0,
      'no-index',
      'The sound begins late, pauses or ends early, and a player would stop there',
      audio.index,
    ),
  ];
}

function causesOf({ question, info, video, audio, converted, isAudioConverted, burn, conversion }: Facts): Causes {
  const copied = video ? copyCauses(question, video) : [];
  const remux = remuxCauses(question, { copied, video, audio: audio ? copyAudio(question, audio) : [] });
  const unconvertible = isAudioConverted && converted && 'code' in converted ? [converted] : [];
  const own = conversion && video ? transcodeCauses(question, { video, conversion, burn }) : remux;
  return {
    direct: directCauses(question, info, video),
    remux,
    'remux-audio': audioOnlyCauses(question, { copied, remux, video, converted }),
    transcode: [...permission(question), ...unconvertible, ...own],
  };
}

/** Returns the first cause of each code and stream. */
const unique = (causes: readonly Cause[]): Cause[] =>
  [...Map.groupBy(causes, ({ code, stream }) => `${code} ${stream ?? ''}`).values()].flatMap(([first]) => first ?? []);

function recipeOf(facts: Facts, way: PlaybackMethod): FileRecipe {
  const { question, info, video, audio, burn, conversion } = facts;
  const { subtitles, client } = question;
  const copied = video && ({ action: 'copy', stream: video.index } as const);
  const converted = video && conversion && way === 'transcode' ? videoRecipe({ video, conversion, burn }) : undefined;
  return {
    way,
    ...(way === 'transcode' ? converted && { video: converted } : copied && { video: copied }),
    audio: audiosOf(info).flatMap((track) => audioPlan(facts, track, way) ?? []),
    ...(audio && { heard: audio.index }),
    subtitles: subtitles.filter((track) => subtitleDeliveryOf(track, client) === 'text').map(({ key }) => key),
    ...(way === 'transcode' && burn && { burn: burn.key }),
  };
}

/** Returns what happens to an audio track; undefined where this client cannot have it. */
function audioPlan(
  { question, audio, isAudioConverted }: Facts,
  track: Stream,
  way: PlaybackMethod,
): AudioPlan | undefined {
  const { index: stream } = track;
  if (isEmpty(track, question.index) || protectedCauses(question.index, track).length > 0) return undefined;
  const copied: AudioPlan = { action: 'copy', stream };
  const isHeardCopied = way === 'direct' || way === 'remux' || (way === 'transcode' && !isAudioConverted);
  if (track === audio ? isHeardCopied : copyAudio(question, track).length === 0) return copied;
  const recipe = permission(question).length > 0 ? undefined : audioRecipe(track, audioNeeds(question));
  return recipe && !('code' in recipe) ? { action: 'convert', stream, recipe } : undefined;
}

const LAYOUTS = { 1: 'mono', 2: 'stereo', 6: '5.1' } as const;
function outcomeOf({ way, audio, heard, video }: FileRecipe, { conversion }: Facts): PlanOutcome {
  const track = audio.find(({ stream }) => stream === heard);
  return {
    way,
    ...(video?.action === 'convert' &&
      conversion && { video: `${codecWord(video.recipe.codec)} at ${conversion.rung.level}p` }),
    ...(track?.action === 'convert' && {
      audio: `${codecWord(track.recipe.codec)}${track.recipe.downmix ? ` ${LAYOUTS[track.recipe.channels]}` : ''}`,
    }),
  };
}

/**
 * Returns the reason `hardware-failed` when hardware would have converted the video if it had not failed on this file.
 */
function hardwareCauses({ question: { settings, trouble } }: Facts, recipe: FileRecipe | undefined): Cause[] {
  if (recipe?.video?.action !== 'convert' || recipe.video.encoder.accelerator) return [];
  // One that failed is not counted on until it has passed a new test, so that the machine may have none by now.
  const missed = trouble.hardwareFailed.find(
    (name) => settings.accelerator === 'auto' || settings.accelerator === name,
  );
  return missed === undefined ? [] : [hardwareFailed(missed, undefined, recipe.video.stream)];
}

/** Returns why a film is not played in the lower quality that was chosen. */
function qualityCauses({ question, info, video, conversion }: Facts, recipe: FileRecipe | undefined): Cause[] {
  const { quality, index } = question;
  if (!video || !recipe || quality === undefined || !exceeds(video, rateOf(video, info, index), quality)) return [];
  if (permission(question).length > 0)
    return [
      because('quality-refused', 'The chosen quality needs a conversion, which is not allowed here', video.index),
    ];
  return when(
    recipe.video?.action === 'convert' && conversion?.rung.id !== quality,
    'quality-refused',
    'The chosen quality is more than this server or the connection manages, so a lower one is played',
    video.index,
  );
}

/** Returns a reason for each track of sound that is left out because it has none. */
const emptyCauses = ({ question: { index }, info }: Facts): Cause[] =>
  audiosOf(info)
    .filter((track) => isEmpty(track, index))
    .map((track) => because('empty-track', 'The file lists a sound track without any sound', track.index));

function plannedVideo({ question, info }: Facts, video: Stream, { video: planned }: FileRecipe): PlannedVideo {
  if (planned?.action === 'convert') {
    const { codec, width, height, bitrate, toneMap } = planned.recipe;
    return { action: 'convert', codec, width, height, bitrate, toneMap: toneMap !== undefined };
  }
  const range = shownRange(video, question.client);
  const bitrate = rateOf(video, info, question.index);
  return {
    action: 'copy',
    codec: codecName(video.codec),
    toneMap: false,
    ...(video.width !== undefined && video.height !== undefined && shownSize(video)),
    ...(bitrate !== undefined && { bitrate }),
    ...(range !== undefined && range !== 'sdr' && { hdr: range }),
  };
}

function qualitiesOf(
  { question, info, video, conversion, audio, converted, isAudioConverted }: Facts,
  causes: Causes,
): QualityOption[] {
  if (!video) return [];
  const isUntouched = (['direct', 'remux', 'remux-audio'] as const).some((way) =>
    causes[way].every(({ code }) => code === 'quality'),
  );
  const { height } = shownSize(video);
  const original = isUntouched ? [{ id: ORIGINAL, label: 'Original', height, bitrate: wholeRate(info) ?? 0 }] : [];
  if (!conversion || causes.transcode.length > 0) return original;
  const sound =
    isAudioConverted && converted && !('code' in converted)
      ? converted.bitrate
      : ((audio && rateOf(audio, info, question.index)) ?? 0);
  // A rung that the source has too few bits for is no alternative to the source itself.
  const rungs = conversion.rungs.filter(({ isCut }) => !isCut || !isUntouched);
  return [
    ...original,
    ...rungs.map(({ id, level, height: lines, bitrate }) => ({
      id,
      label: `${level}p · ${megabits(bitrate)} Mbit/s`,
      height: lines,
      bitrate: bitrate + sound,
    })),
  ];
}
