/** Placing a film: which folder is its own, what it is called, and which version or part of it a file is. */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../../contract/catalog/clues.ts';
import { parseReleaseText, type Release } from '../../../lib/release-name.ts';
import { factsOf, partOfFile } from '../../naming/folder.ts';
import { articleInFront, fold, hasIds, sortTitleOf, stemOf, takeTags } from '../../naming/text.ts';
import { beginsWithYear } from '../../naming/year-titles.ts';
import type { Guess, GuessInput, ExternalIds } from '../../naming/types.ts';
import { releaseFacts } from '../video/release.ts';

interface FilmName {
  title: string;
  year?: number;
  isYearEnclosed: boolean;
  ids: ExternalIds;
  edition?: string;
  /** The text after title and year: `1080p`, `Director's Cut`. */
  label?: string;
  release: Release;
}

const PART_FOLDER = /^(?:cd|disc|disk|dvd|part|pt)[ ._-]{0,2}(\d{1,2})(?:[ ._]?of[ ._]?\d{1,2})?$/i;
/** Names that players and discs assign. They are not titles. */
const NAMELESS = /^(?:movie|film|video|main|feature|title\d{0,3}|t\d{2}|\d{5})$/i;

/** Reads the name of a film from that of a folder or file. */
export function readFilmName(name: string): FilmName {
  const tags = takeTags(name);
  const release = parseReleaseText(tags.text, 'film');
  const led = yearInFront(tags.text, release);
  const year = led?.year ?? release.year;
  const out: FilmName = {
    title: articleInFront(led?.title ?? release.title),
    isYearEnclosed: year !== undefined && new RegExp(`[([{]${year}[)\\]}]`).test(tags.text),
    ids: tags.ids,
    release,
  };
  if (year !== undefined) out.year = year;
  const label = led ? undefined : labelOf(tags.text, year);
  if (label !== undefined) out.label = label;
  const edition = tags.edition ?? release.edition;
  if (edition !== undefined) out.edition = edition;
  return out;
}

/** `1999 - The Film`: the year first. `1917 - 1080p` is a film called 1917. */
function yearInFront(text: string, release: Release): { title: string; year: number } | undefined {
  const match = /^((?:19|20)\d\d) - (.{1,200})$/.exec(text);
  if (!match || release.year !== undefined || beginsWithYear(text)) return undefined;
  const rest = parseReleaseText(match[2] ?? '', 'film');
  return rest.title !== '' && rest.wordsAt > 0 && !/^\d{3,4}[pi]$/i.test(rest.title)
    ? { title: rest.title, year: Number(match[1]) }
    : undefined;
}

/** Returns the text after the year that a dash or a bracket separates: ` - 1080p`, ` [Director's Cut]`. */
function labelOf(text: string, year: number | undefined): string | undefined {
  if (year === undefined) return undefined;
  const at = text.lastIndexOf(String(year));
  const rest = text.slice(at + 4).replace(/^[)\]}]/, '');
  const label = /^ {0,2}(?:- ?| \[|\[)(.{1,100})$/.exec(rest)?.[1]?.replace(/\]$/, '').trim();
  return label === undefined || label === '' || !rest.startsWith(' ')
    ? undefined
    : label.replaceAll('] [', ' ').replaceAll('][', ' ');
}

/** The guess for a file that is taken to be a film. */
export function placeFilm({ siblings }: Pick<GuessInput, 'siblings'>, dirs: readonly string[], file: string): Guess {
  const facts = factsOf(siblings);
  const stem = stemOf(file);
  const evidence: PlacementClueText[] = [];
  const partFolder = PART_FOLDER.exec(dirs.at(-1) ?? '');
  const home = partFolder && dirs.length > 1 ? dirs.slice(0, -1) : dirs;
  const piece = partOfFile(stem, facts);
  const own = readFilmName(piece?.text ?? stem);
  const folderName = home.at(-1);
  const folder = folderName === undefined ? undefined : readFilmName(folderName);
  const isOwn =
    folder !== undefined &&
    folderName !== undefined &&
    isOwnFolder({
      folder,
      folderName,
      own,
      stem,
      facts: { mains: facts.mains, titles: facts.filmTitles.size },
      evidence,
    });
  const chosen = isOwn ? merged(folder, own, evidence) : own;
  let confidence = confidenceOf(chosen, own, isOwn ? folder : undefined, evidence);
  const title = chosen.title !== '' ? chosen.title : own.release.title || stem;
  if (chosen.title === '') {
    confidence = 0.1;
    evidence.push(PLACEMENT_CLUES.nameWithoutTitle);
  }
  const part = piece?.part ?? (partFolder ? Number(partFolder[1]) : undefined);
  const version = versionOf({ own, stem: piece?.text ?? stem, folderName: isOwn ? folderName : undefined });
  const edition = own.edition ?? (isOwn ? folder.edition : undefined);
  return {
    kind: 'movie',
    title,
    sortTitle: sortTitleOf(title),
    ...(chosen.year === undefined ? {} : { year: chosen.year }),
    ...(edition === undefined ? {} : { edition }),
    ...(version === undefined ? {} : { version }),
    ...(part === undefined ? {} : { part }),
    ids: isOwn ? { ...folder.ids, ...own.ids } : own.ids,
    release: releaseFacts(own.release, isOwn ? folder.release : undefined),
    confidence,
    evidence,
    folderKey: [...home, `${fold(title)} ${chosen.year ?? ''}`.trim()].join('/'),
  };
}

/** Whether the folder is the film's own, so that its name counts and the files in it are versions of one film. */
function isOwnFolder(of: {
  folder: FilmName;
  folderName: string;
  own: FilmName;
  stem: string;
  facts: { mains: number; titles: number };
  evidence: PlacementClueText[];
}): boolean {
  const { folder, own, facts, evidence } = of;
  const titles = [fold(folder.title), fold(own.title)] as const;
  const isSameYear = folder.year === undefined || own.year === undefined || folder.year === own.year;
  if (titles[0] !== '' && titles[0] === titles[1] && (isSameYear || facts.mains === 1)) {
    evidence.push(PLACEMENT_CLUES.sameTitle);
    return true;
  }
  if (hasIds(folder.ids)) {
    evidence.push(PLACEMENT_CLUES.folderHasId);
    return true;
  }
  const whole = fold(takeTags(of.folderName).text);
  const file = fold(takeTags(of.stem).text);
  // A year or a longer title after the folder's name makes it another film of a series.
  if (
    whole !== '' &&
    (file === whole || file.startsWith(`${whole} `)) &&
    (folder.year !== undefined || (own.year === undefined && facts.mains > 1 && isLabelled(of.stem, of.folderName)))
  ) {
    evidence.push(PLACEMENT_CLUES.namedAfterFolder);
    return true;
  }
  if (folder.title === '') return false;
  if (NAMELESS.test(of.stem) && facts.mains === 1) {
    evidence.push(PLACEMENT_CLUES.fileWithoutTitle);
    return true;
  }
  // "Films 2010" and "Films 4K" are shelves; a film's folder has its year in brackets, or is a release.
  const isRelease =
    folder.release.strong > 0 &&
    (folder.year !== undefined || (folder.release.strong > 1 && folder.release.group !== undefined));
  const isFilmFolder = (folder.year !== undefined && folder.isYearEnclosed) || isRelease;
  if (
    !isFilmFolder ||
    facts.titles > 1 ||
    (own.year !== undefined && own.year !== folder.year && folder.year !== undefined)
  )
    return false;
  evidence.push(PLACEMENT_CLUES.oneFilmInFolder);
  return true;
}

/** `Film - Director's Cut` in the folder `Film`. */
const isLabelled = (stem: string, folderName: string): boolean =>
  /^ (?:- |\[)/.test(stem.slice(folderName.length)) && stem.toLowerCase().startsWith(folderName.toLowerCase());

const differInYear = (folder: FilmName, own: FilmName): boolean =>
  folder.year !== undefined && own.year !== undefined && folder.year !== own.year;
const differInTitle = (folder: FilmName, own: FilmName): boolean =>
  own.title !== '' && !fold(own.title).startsWith(fold(folder.title));

function merged(folder: FilmName, own: FilmName, evidence: PlacementClueText[]): FilmName {
  if (differInYear(folder, own)) evidence.push(PLACEMENT_CLUES.differentYears);
  if (differInTitle(folder, own)) evidence.push(PLACEMENT_CLUES.differentTitles);
  const year = folder.year ?? own.year;
  return {
    ...own,
    title: folder.title,
    ids: { ...folder.ids, ...own.ids },
    isYearEnclosed: folder.isYearEnclosed || own.isYearEnclosed,
    ...(year === undefined ? {} : { year }),
  };
}

function confidenceOf(
  chosen: FilmName,
  own: FilmName,
  folder: FilmName | undefined,
  evidence: PlacementClueText[],
): number {
  const isAgreed = folder !== undefined && fold(folder.title) === fold(own.title);
  let value = 0.4;
  if (hasIds(chosen.ids)) {
    value = 0.97;
    evidence.push(PLACEMENT_CLUES.nameHasId);
  } else if (chosen.year !== undefined && chosen.isYearEnclosed) {
    value = 0.9;
    evidence.push(PLACEMENT_CLUES.yearInBrackets);
  } else if (chosen.year !== undefined) {
    value = chosen.release.strong > 0 ? 0.8 : 0.65;
    evidence.push(PLACEMENT_CLUES.nameHasYear);
  } else {
    value = isAgreed ? 0.6 : 0.45;
    evidence.push(PLACEMENT_CLUES.nameWithoutYear);
  }
  if (isAgreed) value += 0.05;
  if (folder && differInYear(folder, own)) value -= 0.25;
  if (folder && differInTitle(folder, own)) value -= 0.1;
  return Math.round(Math.min(0.99, Math.max(0.05, value)) * 100) / 100;
}

function versionOf({
  own,
  stem,
  folderName,
}: {
  own: FilmName;
  stem: string;
  folderName: string | undefined;
}): string | undefined {
  if (folderName !== undefined && stem.toLowerCase().startsWith(folderName.toLowerCase())) {
    const label = /^ {0,2}(?:- ?|\[|_)(.{1,100})$/.exec(stem.slice(folderName.length))?.[1]?.replace(/\]$/, '').trim();
    if (label !== undefined && label !== '') return takeTags(label).text;
  }
  return own.label ?? own.release.resolution;
}
