/** Recognises trailers, samples and discs copied as folders by their names. */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../contract/catalog/clues.ts';
import { findNumbers, seasonFolder } from '../../lib/release/numbers.ts';
import { endingOf, fold } from './text.ts';
import type { ExtraType } from './types.ts';

const FOLDERS: ReadonlyMap<string, ExtraType | 'sample'> = new Map([
  ['extras', 'other'],
  ['extra', 'other'],
  ['bonus', 'other'],
  ['bonus features', 'other'],
  ['special features', 'other'],
  ['specials features', 'other'],
  ['other', 'other'],
  ['others', 'other'],
  ['trailers', 'trailer'],
  ['trailer', 'trailer'],
  ['teasers', 'trailer'],
  ['featurettes', 'featurette'],
  ['featurette', 'featurette'],
  ['behind the scenes', 'behind the scenes'],
  ['making of', 'behind the scenes'],
  ['deleted scenes', 'deleted scene'],
  ['deleted', 'deleted scene'],
  ['interviews', 'interview'],
  ['interview', 'interview'],
  ['scenes', 'scene'],
  ['shorts', 'short'],
  ['clips', 'clip'],
  ['theme music', 'theme'],
  ['backdrops', 'theme'],
  ['samples', 'sample'],
  ['sample', 'sample'],
  ['proof', 'sample'],
  ['bonusmaterial', 'other'],
  ['bonus material', 'other'],
]);
const SUFFIX =
  /[-](trailer|teaser|sample|scene|clip|interview|behindthescenes|deleted|deletedscene|featurette|short|other|extra|theme|making-?of)[ ._-]?\d{0,2}$/i;
const LOOSE_SUFFIX = /[ ._](trailer|sample)[ ._-]?\d{0,2}$/i;
const PREFIX = /^sample[-_.]/i;
const SUFFIX_TYPES: Readonly<Record<string, ExtraType | 'sample'>> = {
  trailer: 'trailer',
  teaser: 'trailer',
  sample: 'sample',
  scene: 'scene',
  clip: 'clip',
  interview: 'interview',
  behindthescenes: 'behind the scenes',
  deleted: 'deleted scene',
  deletedscene: 'deleted scene',
  featurette: 'featurette',
  short: 'short',
  other: 'other',
  extra: 'other',
  theme: 'theme',
  makingof: 'behind the scenes',
  'making-of': 'behind the scenes',
};

export interface FoundExtra {
  type: ExtraType | 'sample';
  /** The name without the mark. */
  title: string;
  /** Number of leading folders that belong to the item of the extra. */
  depth: number;
  evidence: PlacementClueText;
}

/**
 * Finds the mark of an extra. `hasMain`: the folder has another video, which an extra with a mark in its name belongs
 * to.
 */
export function findExtra(dirs: readonly string[], stem: string, hasMain: boolean): FoundExtra | undefined {
  const numbered = findNumbers(stem)?.form === 'sxxeyy';
  for (let at = dirs.length - 1; at >= 1; at--) {
    const type = FOLDERS.get(fold(dirs[at] ?? ''));
    if (type === undefined) continue;
    // A show may be called Extras: it then has seasons below it, or numbered episodes with its name in it.
    const isShow =
      dirs.slice(at + 1).some((dir) => seasonFolder(dir) !== undefined) ||
      (numbered && fold(stem).startsWith(`${fold(dirs[at] ?? '')} s`));
    if (!isShow)
      return {
        type,
        title: stem,
        depth: at,
        evidence: type === 'sample' ? PLACEMENT_CLUES.inSamplesFolder : PLACEMENT_CLUES.inExtrasFolder,
      };
  }
  const lower = stem.toLowerCase();
  const whole = SUFFIX_TYPES[lower];
  if ((lower === 'trailer' || lower === 'sample' || lower === 'movie-trailer') && dirs.length > 0) {
    return { type: whole ?? 'trailer', title: stem, depth: dirs.length, evidence: PLACEMENT_CLUES.namedAsExtra };
  }
  if (PREFIX.test(stem) && hasMain)
    return { type: 'sample', title: stem, depth: dirs.length, evidence: PLACEMENT_CLUES.namedAsSample };
  const match = SUFFIX.exec(stem.slice(-40)) ?? LOOSE_SUFFIX.exec(stem.slice(-40));
  const mark = match?.[1]?.toLowerCase() ?? '';
  const type = match && Object.hasOwn(SUFFIX_TYPES, mark) ? SUFFIX_TYPES[mark] : undefined;
  if (!match || type === undefined || !hasMain) return undefined;
  return {
    type,
    title: stem.slice(0, stem.length - match[0].length).trim() || stem,
    depth: dirs.length,
    evidence: PLACEMENT_CLUES.markedAsExtra,
  };
}

/**
 * Returns which of the folders is a disc that was copied as a folder or an image. It is listed once, and cannot be
 * played as it is.
 */
export function findDisc(
  dirs: readonly string[],
  file: string,
): { depth: number; kind: 'dvd' | 'bluray' | 'image' } | undefined {
  const at = dirs.findIndex((dir) => /^(?:VIDEO_TS|BDMV|AVCHD|HVDVD_TS)$/i.test(dir));
  if (at >= 0) return { depth: at, kind: /^(?:VIDEO_TS|HVDVD_TS)$/i.test(dirs[at] ?? '') ? 'dvd' : 'bluray' };
  if (/^(?:VIDEO_TS|VTS_\d\d_\d)\.(?:IFO|BUP|VOB)$/i.test(file)) return { depth: dirs.length, kind: 'dvd' };
  if (/^(?:index|MovieObject)\.bdmv$/i.test(file)) return { depth: dirs.length, kind: 'bluray' };
  return ['iso', 'img', 'bin'].includes(endingOf(file)) ? { depth: dirs.length, kind: 'image' } : undefined;
}
