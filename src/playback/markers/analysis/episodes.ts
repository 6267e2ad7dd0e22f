/**
 * Analyses the episodes of a season together, or one film.
 *
 * Each file is read on its own; one that cannot be read is noted and takes no part. Episodes are then compared in a
 * separate process.
 */
import type { Subject } from '../../../catalog/index.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Helper } from '../../../lib/process.ts';
import { ProcessFailure } from '../../../lib/process.ts';
import type { AnalysedItem } from '../store.ts';
import { versionTimeline, type VersionTimeline } from '../timeline.ts';
import { type AnalysedMarker, beginnings, endings, mainOf } from './compose.ts';
import { blackSpans, type Brightness, creditsOf, snapped, SNAP_S } from './ends.ts';
import type { MatchLimits, Passage } from './match.ts';
import type { MatchReply, MatchRequest } from './match-helper.ts';
import { brightnessOf, type CreditPictureNeeds } from './pictures.ts';
import { type PrintNeeds, type Prints, printsOf } from './prints.ts';
import { type SharedPassage, sharedPassages } from './season.ts';
import type { SilentSpan } from './silence-detection.ts';

export type EpisodeNeeds = PrintNeeds &
  CreditPictureNeeds & {
    helper: Pick<Helper, 'ask'>;
    limits: MatchLimits;
    /** Resolves when the next step may begin. */
    turn(): Promise<void>;
    /** Called after each file. */
    analysed(): void;
  };

/** Episodes that one is compared with: those that come before and after it. */
const MAX_NEIGHBOURS = 24;
/** Shorter files are trailers and clips. */
const MIN_DURATION_S = 60;
/** Part of a file at its end that is searched for credits, and the most of it. */
const CREDITS_PART = 0.1;
const MAX_CREDITS_S = 1_200;
const PIECE_S = 300;
/** Keyframes before an end may begin the black pictures at it. */
const BEFORE_S = 10;

interface Episode {
  subject: Subject;
  timeline: VersionTimeline;
  duration: number;
  prints: Prints | undefined;
  error: string | undefined;
}

/**
 * Returns what was found of each item. Fails as `unavailable` while a library is away, and as ProcessFailure `missing`
 * without a program.
 */
export async function analyseGroup(
  needs: EpisodeNeeds,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<Omit<AnalysedItem, 'season'>[]> {
  const episodes: Episode[] = [];
  const skipped: Omit<AnalysedItem, 'season'>[] = [];
  for (const subject of subjects) {
    const timeline = versionTimeline(subject);
    if (!timeline) continue;
    const { duration, bytes } = timeline;
    const isReadable = timeline.parts.every(({ file }) => file.available);
    // The scan that can read it again changes the item.
    if (!isReadable && subject.available) continue;
    if (!isReadable) throw new Failure('unavailable', 'this library cannot be reached', { reason: 'library-offline' });
    if (duration === undefined || duration < MIN_DURATION_S) {
      skipped.push({
        item: subject.id,
        bytes,
        error: duration === undefined ? 'its length is not known' : 'it is too short',
        markers: [],
      });
      needs.analysed();
      continue;
    }
    await needs.turn();
    const read =
      subjects.length < 2
        ? { prints: undefined, error: undefined }
        : await fingerprints(needs, timeline, duration, signal);
    episodes.push({ subject, timeline, duration, ...read });
  }
  const heads = sharedPassages(await compareAll(needs, episodes, 'head', signal));
  const tails = sharedPassages(await compareAll(needs, episodes, 'tail', signal));
  const found: Omit<AnalysedItem, 'season'>[] = [];
  const compared = episodes.filter(({ prints }) => prints);
  for (const episode of episodes) {
    await needs.turn();
    const at = compared.indexOf(episode);
    const markers = await orNone(
      () => markersOf(needs, episode, { head: heads[at] ?? [], tail: tails[at] ?? [] }, signal),
      signal,
    );
    found.push({ item: episode.subject.id, bytes: episode.timeline.bytes, error: episode.error ?? null, markers });
    needs.analysed();
  }
  return [...skipped, ...found];
}

/**
 * A file that a program cannot read has no markers. One that is not there may be on a disk that is away, and a program
 * that is not there is no fault of a file.
 */
const isOfFile = (error: unknown): error is Failure =>
  error instanceof Failure &&
  (error instanceof ProcessFailure
    ? ['exit', 'signal', 'timeout', 'quiet', 'output'].includes(error.fault)
    : error.kind === 'conflict');

async function orNone(work: () => Promise<AnalysedMarker[]>, signal: AbortSignal): Promise<AnalysedMarker[]> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (isOfFile(error)) return [];
    throw error;
  }
}

async function fingerprints(
  needs: EpisodeNeeds,
  { parts }: VersionTimeline,
  duration: number,
  signal: AbortSignal,
): Promise<Pick<Episode, 'prints' | 'error'>> {
  const [first, last] = [parts[0]?.file, parts.at(-1)?.file];
  if (!first || !last) return { prints: undefined, error: undefined };
  try {
    return { prints: await printsOf(needs, { first, last, duration }, signal), error: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (isOfFile(error)) return { prints: undefined, error: error.message };
    throw error;
  }
}

async function compareAll(
  { helper, limits, turn }: EpisodeNeeds,
  episodes: readonly Episode[],
  part: keyof Prints,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly Passage[]>[]> {
  const prints = episodes.flatMap(({ prints: own }) => (own ? [own[part].items] : []));
  const pairs = prints.map(() => new Map<number, Passage[]>());
  for (const [i, one] of prints.entries()) {
    const others = prints.slice(i + 1, i + 1 + MAX_NEIGHBOURS);
    if (others.length === 0) continue;
    await turn();
    const request: MatchRequest = { one, others, limits };
    const reply = await helper.ask<MatchReply>(request, signal);
    for (const [n, passages] of reply.entries()) {
      pairs[i]?.set(i + 1 + n, passages);
      pairs[i + 1 + n]?.set(
        i,
        passages.map(({ start, end, otherStart, otherEnd }) => ({
          start: otherStart,
          end: otherEnd,
          otherStart: start,
          otherEnd: end,
        })),
      );
    }
  }
  return pairs;
}

async function markersOf(
  needs: EpisodeNeeds,
  { timeline, duration, prints }: Episode,
  shared: { head: SharedPassage[]; tail: SharedPassage[] },
  signal: AbortSignal,
): Promise<AnalysedMarker[]> {
  const last = timeline.parts.at(-1);
  const first = timeline.parts[0];
  if (!first || !last) return [];
  const intro = mainOf(shared.head);
  const exact = intro && {
    ...intro,
    ...snapped(intro, {
      silences: prints?.head.silences ?? [],
      blacks: await blacksAt(needs, first.file, [intro.start, intro.end], signal),
    }),
  };
  const from = (prints?.tail.from ?? 0) + last.offset;
  const onTimeline = <S extends SilentSpan>(one: S, by: number): S => ({
    ...one,
    start: one.start + by,
    end: one.end + by,
  });
  const keyframes = (await lastKeyframes(needs, last.file, signal)).map(({ time, dark }) => ({
    time: time + last.offset,
    dark,
  }));
  const sound = mainOf(shared.tail);
  const silences = (prints?.tail.silences ?? []).map((one) => onTimeline(one, from));
  const heard = sound && onTimeline(sound, from);
  const exactSound = heard && { ...heard, ...snapped(heard, { silences, blacks: blackSpans(keyframes, duration) }) };
  return [...beginnings(exact, shared.head), ...endings(exactSound, creditsOf(keyframes, duration), duration)];
}

/** Black keyframes around some times. */
async function blacksAt(
  needs: EpisodeNeeds,
  file: Subject['files'][number],
  times: readonly number[],
  signal: AbortSignal,
): Promise<SilentSpan[]> {
  const spans: SilentSpan[] = [];
  for (const time of times) {
    const from = Math.max(0, time - BEFORE_S);
    const length = time - from + SNAP_S + 1;
    spans.push(...blackSpans(await brightnessOf(needs, file, { from, length }, signal), from + length));
  }
  return spans;
}

async function lastKeyframes(
  needs: EpisodeNeeds,
  file: Subject['files'][number],
  signal: AbortSignal,
): Promise<Brightness[]> {
  const duration = file.info?.duration ?? 0;
  const keyframes: Brightness[] = [];
  for (let from = duration - Math.min(MAX_CREDITS_S, duration * CREDITS_PART); from < duration; from += PIECE_S) {
    await needs.turn();
    const piece = await brightnessOf(needs, file, { from, length: Math.min(PIECE_S, duration - from) + 1 }, signal);
    keyframes.push(...piece.filter(({ time }) => time > (keyframes.at(-1)?.time ?? -1)));
  }
  return keyframes;
}
