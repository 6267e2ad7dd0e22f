/**
 * How a client can play an item: which of its versions, and every file of that version in the same way. Pure.
 *
 * A version that was asked for is taken. Otherwise one whose video is not converted comes before the rest, then the
 * larger picture, then the way that touches less.
 */
import type { PlayableFile, Sidecar, Stream } from '../../catalog/index.ts';
import { belongsTo, tracksOf } from '../../catalog/index.ts';
import type { SubtitleTrack } from '../../contract/catalog/items.ts';
import { Failure } from '../../lib/failure.ts';
import { covers, parseLanguage } from '../../lib/languages.ts';
import { NO_TROUBLE } from './causes.ts';
import { type Decision, decide, type PlayQuestion } from './decide.ts';
import { isQuality, levelOf, shownSize } from './ladder.ts';
import { audiosOf, isEmpty, usualAmong, videoOf } from './support.ts';
import {
  type Client,
  type IndexFacts,
  type Machine,
  type PlanPolicy,
  type PlanSettings,
  type Trouble,
  type PlaybackMethod,
  WAYS,
} from './types.ts';
import type { Reason } from './words.ts';

export interface ItemChoices {
  version?: string | undefined;
  part?: number | undefined;
  /** Index of the audio stream that was chosen. */
  audio?: number | undefined;
  /** Key of the subtitle that was chosen. */
  subtitle?: string | undefined;
  /** Id of the quality that was chosen. */
  quality?: string | undefined;
}

export interface ItemQuestion {
  /** Every file of the item, the best version first. */
  files: readonly PlayableFile[];
  sidecars: readonly Sidecar[];
  choices: ItemChoices;
  client: Client;
  settings: PlanSettings;
  policy: PlanPolicy;
  machine: Machine;
  /** Languages that the Profile prefers to hear, the most preferred first. */
  liked: readonly string[];
  /** Facts of a file's index, and what went wrong with the file before. */
  index?: ((file: PlayableFile) => IndexFacts | undefined) | undefined;
  trouble?: ((file: PlayableFile) => Trouble) | undefined;
}

export interface PlannedPart {
  file: PlayableFile;
  /** Seconds on the timeline of the item. */
  start: number;
  /** Seconds; 0 where it is not known. */
  duration: number;
  audio: Stream | undefined;
  tracks: readonly SubtitleTrack[];
  decision: Decision;
}

export interface PlannedItem {
  version: string;
  why: 'asked' | 'only' | 'best';
  /** Undefined when nothing is left. */
  way: PlaybackMethod | undefined;
  refusal?: Decision['refusal'];
  reasons: Decision['reasons'];
  rejected: Decision['rejected'];
  /** The files of the version, in order. */
  parts: readonly PlannedPart[];
  /** Position in `parts` of the file whose tracks and address the reply has. */
  at: number;
}

/** Plans an item. Fails as `missing` for a version, part, track or quality that it does not have. */
export function planItem(question: ItemQuestion): PlannedItem {
  const { files, choices } = question;
  const versions = [...Map.groupBy(files, ({ id }) => id).values()].map((parts) =>
    parts.toSorted((a, b) => a.part - b.part),
  );
  const asked = versions.filter(([file]) => choices.version === undefined || file?.id === choices.version);
  const there = asked.filter((parts) => parts.every(({ available }) => available));
  const fitting = (there.length > 0 ? there : asked.slice(0, 1)).filter(
    (parts) => choices.part === undefined || parts.some(({ part }) => part === choices.part),
  );
  if (choices.quality !== undefined && !isQuality(choices.quality))
    throw new Failure('missing', 'no such quality', { reason: 'no-such-quality' });
  const why = choices.version !== undefined ? 'asked' : versions.length === 1 ? 'only' : 'best';
  const planned = fitting.flatMap((parts) => {
    try {
      return [planVersion(question, parts, why)];
    } catch (error) {
      // A track that was chosen in one version is not always in another.
      if (error instanceof Failure && fitting.length > 1) return [];
      throw error;
    }
  });
  const [best] = planned.toSorted((a, b) => compare(rankOf(a), rankOf(b)));
  if (!best)
    throw choices.audio !== undefined
      ? new Failure('missing', 'no such audio track', { reason: 'no-such-audio-track' })
      : choices.subtitle !== undefined
        ? new Failure('missing', 'no such subtitle', { reason: 'no-such-subtitle' })
        : new Failure('missing', 'no such item', { reason: 'no-such-item' });
  return best;
}

/** Returns a rank: lower is better, compared member by member. */
function rankOf({ way, parts }: PlannedItem): number[] {
  const [first] = parts;
  const video = videoOf(first?.file.info);
  const level = video ? levelOf(shownSize(video)) : 0;
  if (way === undefined) return [2];
  if (way !== 'transcode') return [0, -level, WAYS.indexOf(way)];
  const made = first?.decision.recipe?.video;
  const converted = made?.action === 'convert' ? made.recipe : undefined;
  // If conversion is needed anyway: the smallest source that is large enough and needs no tone mapping.
  return [1, converted?.toneMap ? 1 : 0, -(converted?.height ?? 0), level];
}
const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((one, at) => one - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

function planVersion(question: ItemQuestion, files: readonly PlayableFile[], why: PlannedItem['why']): PlannedItem {
  const asked = files.map((file) => questionOf(question, file));
  if (question.choices.audio !== undefined && asked.every(({ isAudioThere }) => !isAudioThere))
    throw new Failure('missing', 'no such audio track', { reason: 'no-such-audio-track' });
  if (question.choices.subtitle !== undefined && asked.every(({ play }) => play.subtitle === undefined))
    throw new Failure('missing', 'no such subtitle', { reason: 'no-such-subtitle' });
  const alone = asked.map(({ play }) => decide(play));
  const isRefused = alone.some(({ way }) => way === undefined);
  const least = isRefused ? undefined : WAYS.findLast((way) => alone.some((decision) => decision.way === way));
  // Parts that could be touched less follow the one that cannot, so that the film is played in one way.
  const decisions = alone.map((decision, at) =>
    isRefused || decision.way === least ? decision : decide({ ...(asked[at] as (typeof asked)[number]).play, least }),
  );
  let start = 0;
  const parts = files.map((file, at): PlannedPart => {
    const duration = lengthOf(file, question.index?.(file));
    const { play } = asked[at] as (typeof asked)[number];
    const part = {
      file,
      start,
      duration,
      audio: play.audio,
      tracks: play.subtitles,
      decision: decisions[at] as Decision,
    };
    start += duration;
    return part;
  });
  const refused = alone.filter(({ way }) => way === undefined);
  return {
    version: files[0]?.id ?? '',
    why,
    parts,
    way: decisions.every(({ way }) => way !== undefined) ? decisions[0]?.way : undefined,
    ...(refused.length > 0 && { refusal: refused.every(({ refusal }) => refusal === 'busy') ? 'busy' : 'forbidden' }),
    reasons: merged((refused.length > 0 ? refused : alone).flatMap(({ reasons }) => reasons)),
    rejected: WAYS.flatMap((way) => {
      const reasons = merged(
        alone.flatMap(({ rejected }) => rejected.filter((one) => one.way === way).flatMap((one) => one.reasons)),
      );
      return reasons.length > 0 ? [{ way, reasons }] : [];
    }),
    at: Math.max(
      0,
      files.findIndex(({ part }) => part === question.choices.part),
    ),
  };
}

/** Seconds by which header and index differ without one of them being wrong. */
const MAX_APART = 1;

/** Returns the seconds that a file lasts: a header that is far from what can be cut is wrong. */
function lengthOf({ info }: PlayableFile, index: IndexFacts | undefined): number {
  const { duration = 0 } = info ?? {};
  const found = index?.duration ?? 0;
  return found > 0 && Math.abs(found - duration) > MAX_APART ? found : duration;
}

const merged = (reasons: readonly Reason[]): Reason[] =>
  [...Map.groupBy(reasons, ({ code, stream }) => `${code} ${stream ?? ''}`).values()].flatMap(([first]) => first ?? []);

function questionOf(
  { sidecars, choices, client, settings, policy, machine, liked, index, trouble }: ItemQuestion,
  file: PlayableFile,
): { play: PlayQuestion; isAudioThere: boolean } {
  const tracks = tracksOf(file, sidecars);
  const facts = index?.(file);
  const all = audiosOf(file.info).filter((stream) => !isEmpty(stream, facts));
  const chosen = all.find((stream) => stream.index === choices.audio);
  const audio = chosen ?? audioFor(all, liked);
  // A client that says what it can do plays what it is sent; one that says nothing opens the file and chooses by
  // itself.
  const isTold =
    client.videoCodecs !== undefined || client.audioCodecs !== undefined || client.containers !== undefined;
  const subtitle = tracks.find(({ key }) => key === choices.subtitle);
  const play: PlayQuestion = {
    info: file.info,
    client,
    settings,
    policy,
    machine,
    trouble: trouble?.(file) ?? NO_TROUBLE,
    audio,
    isAudioChosen: chosen !== undefined || isTold,
    quality: choices.quality,
    subtitles: tracks,
    ...(facts && { index: facts }),
    ...(subtitle && { subtitle: subtitle.key, sidecar: sidecarOf(file, sidecars, subtitle.key) }),
  };
  if (chosen !== undefined || decide(play).way !== undefined) return { play, isAudioThere: chosen !== undefined };
  // Playing the film matters more than the preferred language.
  return { play: { ...play, audio: usualAmong(all) }, isAudioThere: false };
}

/** Returns the path of a sidecar. Keys count the sidecars that are shown, as `tracksOf` does. */
const sidecarOf = (file: PlayableFile, sidecars: readonly Sidecar[], key: string): string | undefined =>
  key.startsWith('f')
    ? sidecars.filter((one) => !one.isHidden && belongsTo(one, file))[Number(key.slice(1))]?.relative
    : undefined;

const languageOf = (stream: Stream): string | undefined => parseLanguage(stream.languageTag ?? stream.language ?? '');

/**
 * Returns the track in the first preferred language that there is, without commentaries; otherwise the track that a
 * player starts with.
 */
export function audioFor(all: readonly Stream[], liked: readonly string[]): Stream | undefined {
  for (const language of liked) {
    const fitting = all.filter((stream) => !stream.commentary && covers(languageOf(stream) ?? '', language));
    const best = fitting.find((stream) => stream.default) ?? fitting[0];
    if (best) return best;
  }
  return usualAmong(all);
}
