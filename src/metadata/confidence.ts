/**
 * How well a work of a metadata service fits an item, from 0 to 100, and what speaks for it. Pure functions.
 *
 * An id that a file states is certain. Otherwise the title counts 45, the year 30, the length 15 and the seasons of a
 * show 10; a film gets those 10 by its number of parts, which is one. What is not known on either side counts nothing.
 */

import { fold } from '../catalog/index.ts';

/** Lowest confidence at which a candidate is certain enough, and the distance to the next one. */
export const CERTAIN = 75;
export const MIN_LEAD = 8;

const POINTS = { id: 100, title: 45, year: 30, nearYear: 20, runtime: 15, counts: 10 } as const;
const RUNTIME_TOLERANCE = 0.05;

export interface WorkQuestion {
  kind: 'movie' | 'show';
  titles: readonly string[];
  year?: number | undefined;
  /** Seconds. */
  duration?: number | undefined;
  /** Number of the last season that has files. */
  seasons?: number | undefined;
  /** Id in the service, if a file or an Owner states it. */
  id?: string | undefined;
  /** Ids in other databases, from NFO files and names. */
  foreign?: Readonly<Record<string, string>> | undefined;
}
export interface WorkOffer {
  id: string;
  titles: readonly string[];
  year?: number | undefined;
  /** Seconds. */
  duration?: number | undefined;
  seasons?: number | undefined;
}
export type MatchEvidence = 'id' | 'title' | 'year' | 'near-year' | 'duration' | 'counts';

/** Returns the confidence with its evidence. */
export function confidenceOf(
  wanted: WorkQuestion,
  offered: WorkOffer,
): { confidence: number; evidence: MatchEvidence[] } {
  if (wanted.id !== undefined && wanted.id === offered.id) return { confidence: POINTS.id, evidence: ['id'] };
  const evidence: MatchEvidence[] = [];
  let confidence = 0;
  const add = (is: boolean, kind: MatchEvidence, points: number): void => {
    if (!is) return;
    evidence.push(kind);
    confidence += points;
  };
  const titles = new Set(wanted.titles.map(fold).filter((title) => title !== ''));
  add(
    offered.titles.some((title) => titles.has(fold(title))),
    'title',
    POINTS.title,
  );
  const years = wanted.year === undefined || offered.year === undefined ? NaN : Math.abs(wanted.year - offered.year);
  add(years === 0, 'year', POINTS.year);
  add(years === 1, 'near-year', POINTS.nearYear);
  if (wanted.duration && offered.duration)
    add(
      Math.abs(wanted.duration - offered.duration) <= offered.duration * RUNTIME_TOLERANCE,
      'duration',
      POINTS.runtime,
    );
  add(
    wanted.kind === 'movie' || (wanted.seasons !== undefined && wanted.seasons <= (offered.seasons ?? 0)),
    'counts',
    POINTS.counts,
  );
  return { confidence, evidence };
}

/** Returns whether the first of these confidences, the highest first, is certain. */
export const isCertain = ([first = 0, second = 0]: readonly number[]): boolean =>
  first >= CERTAIN && first - second >= MIN_LEAD;
