/**
 * Why each way of playing a file is not taken: one list of causes a way, empty where it can be taken. Pure.
 *
 * `interlaced` and `quality` count only while the server may convert: a picture with comb lines, or of more quality
 * than was asked for, is better than none.
 */
import type { MediaInfo, Stream } from '../../catalog/index.ts';
import type { PlayReasonCode } from '../../contract/playback/reasons.ts';
import { audioCauses } from './audio.ts';
import { exceeds, verticalLines, shownSize } from './ladder.ts';
import { codecName } from './names.ts';
import { baseRangeOf, hasFeature, opens, showsInterlaced, shownRange, supportOf, usualAudio } from './support.ts';
import type {
  AcceleratorName,
  AudioRecipe,
  Client,
  IndexFacts,
  Machine,
  CopyObstacle,
  PlanPolicy,
  PlanSettings,
  Trouble,
} from './types.ts';
import { because, type Cause, codecWord, containerWord, HDR_WORDS, megabits, when } from './words.ts';

export interface ReasonInput {
  /** Undefined where the file could not be examined. */
  info: MediaInfo | undefined;
  /** Undefined: not read yet, and taken for one that can be cut. */
  index?: IndexFacts | undefined;
  client: Client;
  settings: PlanSettings;
  policy: PlanPolicy;
  machine: Machine;
  trouble: Trouble;
  /** The audio stream that shall be heard, and whether a player must be asked to select it. */
  audio?: Stream | undefined;
  isAudioChosen?: boolean;
  /** Id of the quality that was asked for. */
  quality?: string | undefined;
  /** Whether the chosen subtitle has to be drawn into the video. */
  isBurned?: boolean;
}

/** Codecs that our fragmented MP4 carries. */
const IN_HLS: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp9', 'av1']);
/**
 * Returns the reason for a video that software converts because an accelerator failed on it; `why` is a sentence
 * fragment.
 */
export const hardwareFailed = (accelerator: AcceleratorName, why?: string, stream?: number): Cause =>
  because(
    'hardware-failed',
    `The graphics hardware failed on this film${why === undefined ? '' : ` (${accelerator}: ${why})`}, so the ` +
      'processor converts it',
    stream,
  );

export const NO_TROUBLE: Trouble = { hardwareFailed: [], cannotDecode: false };

/** Returns why the server may convert nothing for this Profile. */
export const permission = ({ settings, policy }: Pick<ReasonInput, 'settings' | 'policy'>): Cause[] => [
  ...when(settings.mode === 'direct', 'mode', 'This server is set to play films without converting them'),
  ...when(!policy.transcode, 'policy-transcode', 'This Profile may not have media converted'),
];

/** Returns the maximum of bits per second that client and connection allow; undefined for no maximum. */
export function maxBitrateOf({
  client,
  settings,
  policy,
}: Pick<ReasonInput, 'client' | 'settings' | 'policy'>): number | undefined {
  const most = Math.min(
    client.maxBitrate ?? Infinity,
    (policy.isRemote ? settings.remoteBitrate : undefined) ?? Infinity,
  );
  return most === Infinity ? undefined : most;
}

/** Returns the bits per second of the whole file; undefined where they are not known. */
export function wholeRate({ bitrate, duration, size }: MediaInfo): number | undefined {
  if (bitrate !== undefined || duration === undefined || duration <= 0) return bitrate;
  return Math.round((size * 8) / duration);
}

/**
 * Returns the bits per second of one stream: from the index, from the file's header, or as the rest of the whole file.
 */
export function rateOf(stream: Stream, info: MediaInfo, index: IndexFacts | undefined): number | undefined {
  const known = (one: Stream) => index?.tracks.get(one.index)?.bandwidth?.average ?? one.bitrate;
  const own = known(stream);
  const whole = wholeRate(info);
  if (own !== undefined || whole === undefined || stream.type !== 'video') return own;
  const others = info.streams.filter(({ type }) => type === 'audio').reduce((sum, one) => sum + (known(one) ?? 0), 0);
  return others < whole ? whole - others : undefined;
}

/** Returns why the client cannot play the video itself, in any container. */
export function videoCauses(question: ReasonInput, video: Stream): Cause[] {
  const { client, info, index, quality, machine, trouble } = question;
  const { index: stream, codec, profile = 'used' } = video;
  const word = codecWord(codec);
  const support = supportOf(video, client.videoCodecs);
  const lines = verticalLines(shownSize(video));
  const { maxHeight = Infinity } = client;
  const own = [
    ...when(support === 'none', 'video-codec-not-supported', `This player does not play ${word} video`, stream),
    ...when(
      support === 'other-profile',
      'video-profile-not-supported',
      hasFeature(video, client, 'converted')
        ? `This player could not play the ${word} video of this file`
        : `This player does not play the ${profile} profile of ${word} video`,
      stream,
    ),
    ...rangeCauses(video, client),
    ...when(
      lines > maxHeight,
      'resolution',
      `The picture has ${lines} lines and this player takes at most ${maxHeight}`,
      stream,
    ),
  ];
  if (permission(question).length > 0) return own;
  const isLowerAsked =
    quality !== undefined && info !== undefined && exceeds(video, rateOf(video, info, index), quality);
  const isCombed = video.interlaced === true && !showsInterlaced(video, client);
  const canDeinterlace = !machine.isBusy && !trouble.cannotDecode;
  return [
    ...own,
    ...when(isLowerAsked, 'quality', 'A lower quality was chosen', stream),
    ...when(
      isCombed && canDeinterlace,
      'interlaced',
      'The video is interlaced, and this player would show comb lines',
      stream,
    ),
  ];
}

function rangeCauses(video: Stream, client: Client): Cause[] {
  const { hdr, dolbyVision, index } = video;
  if (hdr === undefined || shownRange(video, client) !== undefined) return [];
  if (hdr === 'dolby-vision' && dolbyVision !== undefined && baseRangeOf(video) === undefined) {
    return [
      because(
        'dolby-vision-profile',
        `The video is in Dolby Vision profile ${dolbyVision.profile}, which this player does not show`,
        index,
      ),
    ];
  }
  return [because('hdr-not-supported', `This player does not show ${HDR_WORDS[hdr]} pictures`, index)];
}

function rateCauses(rate: number | undefined, question: ReasonInput): Cause[] {
  const most = maxBitrateOf(question);
  if (rate === undefined || most === undefined || rate <= most) return [];
  const where = question.client.maxBitrate === most ? '' : ' away from home';
  return [because('bitrate', `This takes ${megabits(rate)} Mbit/s and at most ${megabits(most)} are allowed${where}`)];
}

const burnCauses = ({ isBurned = false }: ReasonInput): Cause[] =>
  when(isBurned, 'subtitle-burn-in', 'The chosen subtitles are pictures that this player cannot draw');

/** Returns why the file is not played as it is. */
export function directCauses(question: ReasonInput, info: MediaInfo, video: Stream | undefined): Cause[] {
  const { client, settings, audio, isAudioChosen = false } = question;
  const isOtherTrack = isAudioChosen && audio !== undefined && audio !== usualAudio(info);
  return [
    ...[video, audio].flatMap((stream) => protectedCauses(question.index, stream)),
    ...when(
      settings.mode === 'compatible',
      'mode',
      'This server is set to send the most compatible form of everything',
    ),
    ...when(
      !opens(info.container, client),
      'container-not-supported',
      `This player does not open ${containerWord(info.container)} files`,
    ),
    ...(video ? videoCauses(question, video) : []),
    ...rateCauses(wholeRate(info), question),
    ...(audio ? audioCauses(audio, client, false) : []),
    ...when(isOtherTrack, 'audio-track', 'The chosen sound is not the one that the file starts with', audio?.index),
    ...burnCauses(question),
  ];
}

const PROTECTED = 'The file is protected against copying, and only an app of its shop plays it';
/** Returns why nothing plays a stream, in any way: it is encrypted. */
export const protectedCauses = (index: IndexFacts | undefined, stream: Stream | undefined): Cause[] =>
  when(
    stream !== undefined && index?.tracks.get(stream.index)?.obstacles.includes('protected') === true,
    'protected',
    PROTECTED,
    stream?.index,
  );

/** Obstacles with their own reason code; the others become `no-index`. */
const REASONS_OF: Readonly<Partial<Record<CopyObstacle, PlayReasonCode>>> = {
  'open-gop': 'open-gop',
  'sparse-keyframes': 'sparse-keyframes',
  'edit-list': 'edit-list',
  protected: 'protected',
};
const OBSTACLES: Readonly<Record<CopyObstacle, string>> = {
  'open-gop': 'The video has too few points at which this player can start',
  'sparse-keyframes': 'The video has more than 20 seconds between points at which playing can start',
  'edit-list': 'The file was trimmed in a way that only converting shows exactly',
  'no-index': 'The server does not know yet where this video can be cut',
  codec: 'This kind of video can only be played from the file itself',
  encoded: 'The file is compressed or protected in a way that only converting undoes',
  protected: PROTECTED,
  empty: 'The server found no pictures in this video',
};

/** Returns why the video is not copied into segments. */
export function copyCauses(question: ReasonInput, video: Stream): Cause[] {
  const { client, index, settings } = question;
  const { index: stream, codec, rotation } = video;
  const name = codecName(codec);
  const own = videoCauses(question, video);
  const isPlayed = !own.some(({ code }) => code === 'video-codec-not-supported');
  const found = [...(index?.obstacles ?? []), ...(index?.tracks.get(stream)?.obstacles ?? [])];
  const obstacles = new Set(found.filter((one) => one !== 'open-gop' || !hasFeature(video, client, 'opengop')));
  const isTurned = rotation !== undefined && !hasFeature(video, client, 'rotated');
  return [
    ...own,
    ...when(
      isPlayed && !IN_HLS.has(name),
      'video-codec-not-supported',
      `${codecWord(codec)} video can only be played from the file itself`,
      stream,
    ),
    ...when(
      settings.mode === 'compatible' && name !== 'h264',
      'mode',
      'This server is set to send H.264 video only',
      stream,
    ),
    ...[...obstacles].map((one) => because(REASONS_OF[one] ?? 'no-index', OBSTACLES[one], stream)),
    ...when(isTurned, 'rotated', `The picture is stored turned by ${rotation} degrees`, stream),
    ...burnCauses(question),
  ];
}

interface CopyCauses {
  copied: readonly Cause[];
  video: Stream | undefined;
}

/**
 * Returns why video and audio are not both copied into segments. `copied` are the causes of the video, `audio` those of
 * the audio.
 */
export function remuxCauses(
  question: ReasonInput,
  { copied, audio: own, video }: CopyCauses & { audio: readonly Cause[] },
): Cause[] {
  const { audio, info, index } = question;
  const rates = info ? [video, audio].filter((one) => one !== undefined).map((one) => rateOf(one, info, index)) : [];
  const sum = rates.reduce<number | undefined>(
    (total, rate) => (total === undefined || rate === undefined ? undefined : total + rate),
    0,
  );
  return [...copied, ...own, ...rateCauses(sum ?? (info && wholeRate(info)), question)];
}

interface ConvertCauses extends CopyCauses {
  remux: readonly Cause[];
  /** Returns the target of the audio conversion, or why it is impossible. */
  converted: AudioRecipe | Cause | undefined;
}

/** Returns why copying the video and converting the audio is not enough. */
export function audioOnlyCauses(question: ReasonInput, { copied, remux, video, converted }: ConvertCauses): Cause[] {
  const { info, index } = question;
  const own = [...permission(question), ...copied];
  if (!converted) return [...own, ...remux.filter((cause) => !copied.includes(cause))];
  if ('code' in converted) return [...own, converted];
  const rate = video && info ? rateOf(video, info, index) : 0;
  return [...own, ...rateCauses(rate === undefined ? info && wholeRate(info) : rate + converted.bitrate, question)];
}
