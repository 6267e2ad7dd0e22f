/**
 * How well a work of a metadata service fits an item, from 0 to 100, and what speaks for it and against it. Pure
 * functions.
 *
 * An id that a file states is certain. Otherwise the title counts 45, the year 30, the length 15 and the seasons of a
 * show 10; a film gets those 10 by its number of parts, which is one. What is not known on either side counts nothing.
 * A length that is far off, more seasons than the work has, and another item that is the work already count against it.
 * A file without a year is certain by the only work of its title if the length or the episodes agree.
 */

import { fold } from '../catalog/index.ts';

/** Lowest confidence at which a candidate is certain enough, and the distance to the next one. */
export const CERTAIN = 75;
export const MIN_LEAD = 8;

const POINTS = { id: 100, title: 45, year: 30, nearYear: 20, runtime: 15, counts: 10, onlyTitle: 20 } as const;
/** Points that count against a work. */
const LOSSES = { farLength: 40, otherLength: 5, tooManySeasons: 40, taken: 20 } as const;
const RUNTIME_TOLERANCE = 0.05;
/** The length of an episode is often stated with the advertisements around it. */
const FAR_RUNTIME = { movie: 0.3, show: 0.5 } as const;
/** The service states whole minutes, and nothing that is shorter is a film. */
const MIN_LENGTH_S = 60;
/** Seasons that are numbered by years are counted otherwise by the service. */
const FIRST_YEAR = 1888;

export interface WorkQuestion {
  kind: 'movie' | 'show';
  titles: readonly string[];
  year?: number | undefined;
  /** Seconds: of a film, or of most episodes of a show. */
  duration?: number | undefined;
  /** Number of the last season that has files. */
  seasons?: number | undefined;
  /** Number of the last episode of each season that has files. */
  episodes?: ReadonlyMap<number, number> | undefined;
  /** Id in the service, if a file or an Owner states it. */
  id?: string | undefined;
  /** Ids in other databases, from NFO files and names. */
  foreign?: Readonly<Record<string, string>> | undefined;
  /** Whether a file or an Owner states one of these ids. Otherwise the id is that of an earlier match. */
  isIdStated?: boolean | undefined;
}
export interface WorkOffer {
  id: string;
  titles: readonly string[];
  year?: number | undefined;
  /** Seconds. The episodes of a show may have several lengths. */
  durations?: readonly number[];
  seasons?: number | undefined;
  episodes?: ReadonlyMap<number, number>;
}
export type MatchEvidence =
  | 'id'
  | 'title'
  | 'year'
  | 'near-year'
  | 'duration'
  | 'counts'
  | 'only-title'
  | 'far-duration'
  | 'too-many-seasons'
  | 'taken';

/** Returns the confidence with its evidence. `isOnlyTitle` says that the service has no other work of the title. */
export function confidenceOf(
  wanted: WorkQuestion,
  offered: WorkOffer,
  { isOnlyTitle = false }: { isOnlyTitle?: boolean } = {},
): { confidence: number; evidence: MatchEvidence[] } {
  if (wanted.id !== undefined && wanted.id === offered.id) return { confidence: POINTS.id, evidence: ['id'] };
  const evidence: MatchEvidence[] = [];
  let confidence = 0;
  const add = (is: boolean, kind: MatchEvidence, points: number): void => {
    if (!is) return;
    evidence.push(kind);
    confidence += points;
  };
  const hasTitle = hasTitleOf(wanted, offered.titles);
  add(hasTitle, 'title', POINTS.title);
  const years = wanted.year === undefined || offered.year === undefined ? NaN : Math.abs(wanted.year - offered.year);
  add(years === 0, 'year', POINTS.year);
  add(years === 1, 'near-year', POINTS.nearYear);
  const off = lengthDifference(wanted, offered);
  const isAsLong = off <= RUNTIME_TOLERANCE;
  add(isAsLong, 'duration', POINTS.runtime);
  const areCounted = wanted.kind === 'movie' || haveCounts(wanted, offered);
  add(areCounted, 'counts', POINTS.counts);
  const isAlone = hasTitle && isOnlyTitle && wanted.year === undefined;
  add(isAlone && (isAsLong || (wanted.kind === 'show' && areCounted)), 'only-title', POINTS.onlyTitle);
  add(off > FAR_RUNTIME[wanted.kind], 'far-duration', -LOSSES.farLength);
  if (off > RUNTIME_TOLERANCE && wanted.kind === 'movie') confidence -= LOSSES.otherLength;
  add(hasTooManySeasons(wanted, offered), 'too-many-seasons', -LOSSES.tooManySeasons);
  return { confidence: Math.max(0, confidence), evidence };
}

/** Whether one of the titles of a work is one of the wanted ones. */
export function hasTitleOf({ titles }: Pick<WorkQuestion, 'titles'>, offered: readonly string[]): boolean {
  const wanted = new Set(titles.map(fold).filter((title) => title !== ''));
  return offered.some((title) => wanted.has(fold(title)));
}

/** Returns how far the length is off, as a part of that of the work; NaN if one of them is not known. */
function lengthDifference({ duration }: WorkQuestion, { durations = [] }: WorkOffer): number {
  if (duration === undefined || duration < MIN_LENGTH_S || durations.length === 0) return NaN;
  return Math.min(...durations.map((one) => Math.abs(duration - one) / one));
}

const isYear = (season: number): boolean => season >= FIRST_YEAR;
const hasTooManySeasons = ({ kind, seasons }: WorkQuestion, { seasons: theirs }: WorkOffer): boolean =>
  kind === 'show' && seasons !== undefined && theirs !== undefined && !isYear(seasons) && seasons > theirs;

/** Whether a work has all seasons and episodes that have files. */
function haveCounts({ seasons, episodes }: WorkQuestion, offered: WorkOffer): boolean {
  if (seasons === undefined || seasons > (offered.seasons ?? 0)) return false;
  return [...(episodes ?? [])].every(
    ([season, last]) => season === 0 || last <= (offered.episodes?.get(season) ?? Infinity),
  );
}

/** Returns a work as it fits an item when another item of the library is that work already. */
export const lessFor = <T extends { confidence: number; evidence: MatchEvidence[] }>(work: T): T => ({
  ...work,
  confidence: Math.max(0, work.confidence - LOSSES.taken),
  evidence: [...work.evidence, 'taken'],
});

/** Returns whether the first of these confidences, the highest first, is certain. */
export const isCertain = ([first = 0, second = 0]: readonly number[]): boolean =>
  first >= CERTAIN && first - second >= MIN_LEAD;
