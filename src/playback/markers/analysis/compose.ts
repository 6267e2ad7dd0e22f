/** Markers of an episode or film, out of what the season shares and what its keyframes show. Pure. */
import type { FoundMarker } from '../types.ts';
import type { SharedPassage } from './season.ts';
import type { SilentSpan } from './silence-detection.ts';

export type AnalysedMarker = Omit<FoundMarker, 'source'>;

/** How far two finders may be apart, in seconds. */
const MAX_APART_S = 5;
/** Maximum rest after credits that still counts as credits. */
const LAST_S = 5;

/**
 * Chooses of the passages of the beginning the intro: the longest that the season agrees on, else the best suggestion.
 */
export function mainOf(shared: readonly SharedPassage[]): SharedPassage | undefined {
  const agreed = shared.filter(({ isAgreed }) => isAgreed).toSorted((a, b) => b.end - b.start - (a.end - a.start));
  return agreed[0] ?? shared[0];
}

const stateOf = (isSure: boolean): FoundMarker['state'] => (isSure ? 'published' : 'suggested');
const passage = (
  kind: FoundMarker['kind'],
  { start, end }: SilentSpan,
  confidence: number | undefined,
  isSure: boolean,
): AnalysedMarker => ({ kind, start, end, state: stateOf(isSure), ...(confidence !== undefined && { confidence }) });

/**
 * The intro, and what else the season agrees on near it: before the intro it may be a recap, after it a commercial.
 * Those two are never more than suggested.
 */
export function beginnings(
  main: (SharedPassage & SilentSpan) | undefined,
  shared: readonly SharedPassage[],
): AnalysedMarker[] {
  if (!main) return [];
  const others = shared.filter((one) => one.isAgreed && (one.end <= main.start || one.start >= main.end));
  return [
    passage('intro', main, main.confidence, main.isAgreed),
    ...others.map((one) => passage(one.end <= main.start ? 'recap' : 'commercial', one, one.confidence, false)),
  ];
}

/** The credits by sound, by pictures, or by both. Finders that do not agree are an Owner's business. */
export function endings(
  sound: SharedPassage | undefined,
  black: (SilentSpan & { isClear: boolean }) | undefined,
  duration: number,
): AnalysedMarker[] {
  const toEnd = (end: number): number => (duration - end <= LAST_S ? duration : end);
  if (!sound)
    return black ? [passage('credits', { start: black.start, end: toEnd(black.end) }, undefined, black.isClear)] : [];
  if (!black)
    return [passage('credits', { start: sound.start, end: toEnd(sound.end) }, sound.confidence, sound.isAgreed)];
  const isOne = Math.abs(sound.start - black.start) <= MAX_APART_S;
  return [
    passage(
      'credits',
      { start: sound.start, end: toEnd(isOne ? Math.max(sound.end, black.end) : sound.end) },
      sound.confidence,
      isOne && (sound.isAgreed || black.isClear),
    ),
  ];
}
