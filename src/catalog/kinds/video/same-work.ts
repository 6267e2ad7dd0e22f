/**
 * Whether two video files that are placed alike hold the same work. A rule that misreads names would otherwise make a
 * whole season versions of one episode.
 */
import type { PlacedFile } from '../../core/scan/placement.ts';
import { isSameLead } from '../show/leads.ts';
import { fold, stemOf } from '../../naming/text.ts';
import type { Guess } from '../../naming/types.ts';
import { parseReleaseText } from '../../../lib/release-name.ts';
import { blankNoise } from '../../../lib/release/noise.ts';

type VideoFile = PlacedFile<Guess>;

/** Versions may differ by the speed-up of PAL (4 %) and by a few seconds of titles. */
const MAX_DURATION_DIFFERENCE = 0.05;
const YEAR = /^(?:18|19|20)\d\d$/;

export const isSameWork = (a: VideoFile, b: VideoFile): boolean =>
  haveSameTitle(a, b) && (arePartsOfOne(a, b) || areMarkedAsVersions(a, b) || areEquallyLong(a, b));

/** Titles of an episode agree if one of them is missing or begins with the other. Films with one key have one title. */
function haveSameTitle(a: VideoFile, b: VideoFile): boolean {
  if (a.guess.kind !== 'episode') return true;
  const [one, other] = [a.guess.episodeTitle ?? '', b.guess.episodeTitle ?? ''].map(fold) as [string, string];
  const areAlike = one === '' || other === '' || one.startsWith(other) || other.startsWith(one);
  return areAlike && haveSameLead(a.guess, b.guess) && partOfSeason(a) === partOfSeason(b) && haveSameNumbers(a, b);
}

const haveSameLead = ({ lead: one, season }: Guess, { lead: other }: Guess): boolean =>
  one === undefined || other === undefined || isSameLead(one, other, season);

/** `Part 2` or `Cour 2` of a season whose episodes are counted from one again. */
const PART_OF_SEASON = /(?<!\p{L})(?:part|cour)[ ._-]{0,2}(\d{1,2})(?!\d)/iu;
const partOfSeason = ({ row, guess }: VideoFile): string | undefined =>
  guess.part === undefined ? PART_OF_SEASON.exec(row.name)?.[1] : undefined;

/** A number that differs between two names, and that neither is placed by, may be that of the episode. */
function haveSameNumbers(a: VideoFile, b: VideoFile): boolean {
  const [one, other] = [freeNumbers(a), freeNumbers(b)];
  return one === '' || other === '' || one === other;
}

function freeNumbers({ row, guess }: VideoFile): string {
  const stem = stemOf(row.name);
  const text = blankNoise(stem).slice(0, parseReleaseText(stem).wordsAt);
  const own = new Set([guess.season, guess.episode, guess.episodeEnd, guess.absolute, guess.part].map(Number));
  return [...text.matchAll(/\d{1,9}/g)]
    .map(([digits]) => digits)
    .filter((digits) => !own.has(Number(digits)) && !YEAR.test(digits))
    .join(' ');
}

const arePartsOfOne = (a: VideoFile, b: VideoFile): boolean =>
  a.guess.part !== undefined && b.guess.part !== undefined && a.guess.part !== b.guess.part;

const areMarkedAsVersions = ({ guess: a }: VideoFile, { guess: b }: VideoFile): boolean =>
  a.version !== b.version ||
  a.edition !== b.edition ||
  a.release.threeD !== b.release.threeD ||
  (a.release.source !== b.release.source && a.release.source !== undefined && b.release.source !== undefined);

/** A file whose length is not known says nothing against the other. */
function areEquallyLong({ info: a }: VideoFile, { info: b }: VideoFile): boolean {
  if (a?.duration === undefined || b?.duration === undefined) return true;
  return Math.abs(a.duration - b.duration) <= MAX_DURATION_DIFFERENCE * Math.max(a.duration, b.duration) + 2;
}
