/**
 * Which of the markers that were found are shown. Pure.
 *
 * The sources rank: user, chapter name, edit list, analysis. Of each kind the highest source wins, and a marker that
 * lies mostly over one of a higher source is left out. Commercials come in numbers, so those of several sources are
 * shown together where they do not overlap.
 */
import { MARKER_SOURCES, type MarkerKind } from '../../contract/playback/markers.ts';
import type { FoundMarker } from './types.ts';

/** The part of an item that a source may mark. A list of cuts that takes more is for an Owner to look at first. */
const MAX_MARKED_PART = 0.2;
/** The part of the shorter of two markers from which on they mark the same passage. */
const SAME_PART = 0.5;
/** A marker shorter than this is not worth a button, in seconds. */
const MIN_SECONDS = 1;

export interface Ranking {
  /** Kinds that an Owner removed: only their own markers of it are shown. */
  removed: ReadonlySet<MarkerKind>;
  /** Seconds of the item, where they are known. */
  duration: number | undefined;
}

/** Returns what is shown, in the order of time. */
export function rankMarkers(found: readonly FoundMarker[], { removed, duration }: Ranking): FoundMarker[] {
  const shown: FoundMarker[] = [];
  for (const source of MARKER_SOURCES) {
    const own = found
      .filter((one) => one.source === source && (source === 'user' || !removed.has(one.kind)))
      .flatMap((one) => within(one, duration));
    const taken = own.filter((one) => !shown.some((other) => isReplaced(one, other)));
    shown.push(...(source === 'user' ? taken : suggestedIfMuch(taken, duration)));
  }
  return shown.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Cuts a marker to the item. Returns nothing where too little is left. */
function within(marker: FoundMarker, duration: number | undefined): FoundMarker[] {
  const end = duration === undefined ? marker.end : Math.min(marker.end, duration);
  const start = Math.max(0, marker.start);
  return end - start < MIN_SECONDS ? [] : [{ ...marker, start, end }];
}

function isReplaced(marker: FoundMarker, higher: FoundMarker): boolean {
  if (marker.kind === higher.kind && marker.kind !== 'commercial') return true;
  const overlap = Math.min(marker.end, higher.end) - Math.max(marker.start, higher.start);
  return overlap > SAME_PART * Math.min(marker.end - marker.start, higher.end - higher.start);
}

function suggestedIfMuch(markers: readonly FoundMarker[], duration: number | undefined): FoundMarker[] {
  const marked = markers
    .filter(({ state }) => state === 'published')
    .reduce((sum, { start, end }) => sum + end - start, 0);
  const isMuch = duration !== undefined && marked > duration * MAX_MARKED_PART;
  return markers.map((one) => (isMuch ? { ...one, state: 'suggested' } : one));
}
