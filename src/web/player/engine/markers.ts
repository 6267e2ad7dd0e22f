/** Passages of a film that may be skipped: which one a time is in, and whether it is skipped without asking. Pure. */
import { playerWords as m } from '../../messages/player.ts';
import type { PlanReply } from '../../parts/playback/plan.ts';

export type PlanMarker = PlanReply['markers'][number];
export type PlanMarkerKind = PlanMarker['kind'];
export const skipLabel = ({ kind }: Pick<PlanMarker, 'kind'>): string =>
  ({
    intro: m.skipIntro,
    recap: m.skipRecap,
    commercial: m.skipCommercial,
    outro: m.skipOutro,
    credits: m.skipCredits,
  })[kind];
export const skippedWords = ({ kind }: Pick<PlanMarker, 'kind'>): string =>
  ({
    intro: m.skippedIntro,
    recap: m.skippedRecap,
    commercial: m.skippedCommercial,
    outro: m.skippedOutro,
    credits: m.skippedCredits,
  })[kind];

/** Not offered any more so close to its end. */
const MIN_S = 1;
/** A passage that ends this close to the end of the film is its last. */
const LAST_S = 3;

/** The passage that a time is in; of several the one that ends last. */
export function markerAt<M extends Pick<PlanMarker, 'start' | 'end'>>(
  markers: readonly M[],
  time: number,
): M | undefined {
  let found: M | undefined;
  for (const marker of markers)
    if (marker.start <= time && time < marker.end - MIN_S && marker.end > (found?.end ?? 0)) found = marker;
  return found;
}
/** Whether nothing of the film comes after a passage. */
export const isLast = ({ end }: Pick<PlanMarker, 'end'>, duration: number): boolean =>
  duration > 0 && end >= duration - LAST_S;

/**
 * Returns the start of the closing credits, from which the next episode is offered: `usual` seconds before the end if
 * they are not marked.
 */
export function closingAt(markers: readonly PlanMarker[], duration: number, usual: number): number {
  const closing = markers
    .filter((marker) => (marker.kind === 'credits' || marker.kind === 'outro') && isLast(marker, duration))
    .map(({ start }) => start);
  const marked = Math.min(...closing);
  if (Number.isFinite(marked)) return marked;
  return duration > 2 * usual ? duration - usual : Infinity;
}

/** Playing into a passage skips it; jumping into one, or having undone the skip, does not. */
export function skipOf({
  markers,
  autoSkip,
  undone,
  from,
  to,
}: {
  markers: readonly PlanMarker[];
  autoSkip: readonly PlanMarkerKind[];
  undone: ReadonlySet<PlanMarker>;
  from: number;
  to: number;
}): PlanMarker | undefined {
  const marker = markerAt(markers, to);
  if (!marker || undone.has(marker) || !autoSkip.includes(marker.kind)) return undefined;
  const isPlayedInto = from <= marker.start + MIN_S && to - from < 2 && to >= from;
  return isPlayedInto ? marker : undefined;
}
