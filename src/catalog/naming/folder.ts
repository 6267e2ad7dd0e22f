/**
 * Facts from all names of one folder: the titles in it, and the files that are parts of one. Computed once for each
 * folder.
 */
import { parseReleaseText } from '../../lib/release-name.ts';
import { type DayOrder, findDate } from '../../lib/release/dates.ts';
import { type EpisodeNumbers, findNumbers } from '../../lib/release/numbers.ts';
import { type CountedNumber, countedNumber, type CountedNumbers, countNumbers } from './counting.ts';
import { findExtra } from './extras.ts';
import { fold, isVideoName, stemOf, takeTags } from './text.ts';

export interface FolderFacts {
  /** Number of videos that are neither extras nor samples. */
  mains: number;
  /** The folded titles of the films, parts counted as one. */
  filmTitles: ReadonlySet<string>;
  /** The folded titles before the episode numbers, and the episodes that each has. */
  showTitles: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names before numbers that are written as those of episodes, with the episodes that each counts. */
  leads: readonly CountedLead[];
  /** The numbers that may count the episodes. They are collected when they are first asked for. */
  counted: CountedNumbers;
  /** How the dates of the folder are written, if some of them allow one order only. */
  dayOrder: DayOrder | undefined;
  /** The part marks of each name, by the name without its mark. */
  parts: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A name before the numbers of episodes. */
export interface CountedLead {
  /** Folded. */
  title: string;
  year?: number;
  episodes: Set<string>;
  /** Whether a dash separates it from the numbers, as it does the title of an episode. */
  isDashed: boolean;
}

export interface FoundPart {
  part: number;
  /** The name without the mark. */
  text: string;
}

const PART =
  /(?<![\p{L}\p{N}])(cd|dvd|disc|disk|part|pt)[ ._-]{0,2}(\d{1,2}|[a-h])(?:[ ._]?of[ ._]?\d{1,2})?(?![\p{L}\p{N}])/giu;
/** `(1 of 2)`, `1of2`. */
const ONE_OF = /(?<![\p{L}\p{N}])([[(]?)(\d{1,2})[ ._]?of[ ._]?(\d{1,2})(?![\p{L}\p{N}])/giu;
/** Marks that need no second part next to them. */
const SURE = new Set(['cd', 'disc', 'disk', '(of)']);
const known = new WeakMap<readonly string[], FolderFacts>();

export function factsOf(siblings: readonly string[]): FolderFacts {
  let facts = known.get(siblings);
  if (!facts) {
    facts = gather(siblings);
    known.set(siblings, facts);
  }
  return facts;
}

function gather(siblings: readonly string[]): FolderFacts {
  const videos = siblings.filter(isVideoName).map(stemOf);
  const mains = videos.filter((stem) => !findExtra([''], stem, videos.length > 1));
  const parts = new Map<string, Set<string>>();
  for (const stem of mains)
    for (const { key, mark } of marks(stem)) parts.set(key, (parts.get(key) ?? new Set()).add(mark));
  const texts = mains.map((stem) => takeTags(partOfFile(stem, { parts })?.text ?? stem).text);
  const filmTitles = new Set<string>();
  const showTitles = new Map<string, Set<string>>();
  const leads = new Map<string, CountedLead>();
  let counted: CountedNumbers | undefined;
  const countedOf = () => (counted ??= countNumbers(texts));
  let dayOrder: DayOrder | undefined;
  for (const text of texts) {
    const release = parseReleaseText(text);
    filmTitles.add(fold(parseReleaseText(text, 'film').title));
    const numbers = findNumbers(text) ?? countedNumber(text, { counted: countedOf(), title: undefined });
    if (!numbers) continue;
    if ('date' in numbers) dayOrder ??= findDate(text)?.order;
    const title = fold('form' in numbers ? release.title : parseReleaseText(text.slice(0, numbers.start)).title);
    if (title === '') continue;
    const episode = episodeOf(numbers);
    showTitles.set(title, (showTitles.get(title) ?? new Set()).add(episode));
    if (!isSurelyEpisode(numbers)) continue;
    const year = release.year;
    const key = `${title} ${year ?? ''}`;
    const isDashed = /[-–][ ._]{0,2}$/.test(text.slice(0, numbers.start));
    const lead = leads.get(key) ?? { title, ...(year !== undefined && { year }), episodes: new Set(), isDashed };
    lead.episodes.add(episode);
    leads.set(key, lead);
  }
  return {
    mains: mains.length,
    filmTitles,
    showTitles,
    leads: [...leads.values()],
    get counted() {
      return countedOf();
    },
    dayOrder,
    parts,
  };
}

/** A plain number is that of an episode only behind a dash or in brackets: `Night 2` may be a title. */
const isSurelyEpisode = (found: EpisodeNumbers | CountedNumber): boolean =>
  'form' in found || found.after === 'dash' || found.after === 'bracket';

const episodeOf = (found: EpisodeNumbers | CountedNumber): string =>
  `${found.season ?? ''}x${'form' in found ? (found.episode ?? found.date) : found.number}`;

/**
 * Finds which part of one film or episode a file is. `part` and `pt` count only if the folder has another part: Dune
 * Part 2 is a film.
 */
export function partOfFile(stem: string, { parts }: Pick<FolderFacts, 'parts'>): FoundPart | undefined {
  for (const { key, mark, word, text } of marks(stem).reverse()) {
    const beside = parts.get(key);
    if ((beside?.size ?? 0) < 2 && !SURE.has(word)) continue;
    const part = /^\d/.test(mark) ? Number(mark) : mark.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
    if (part > 0) return { part, text };
  }
  return undefined;
}

interface PartMark {
  key: string;
  mark: string;
  word: string;
  text: string;
}

function marks(stem: string): PartMark[] {
  if (stem.length > 512) return [];
  const markOf = (start: number, end: number, word: string, mark: string): PartMark => {
    const text = stem.slice(0, start).replace(/[ ._([-]{1,4}$/, '') + stem.slice(end).replace(/^[)\]]/, '');
    return { key: `${word} ${start} ${text.toLowerCase()}`, mark, word, text };
  };
  const worded = [...stem.matchAll(PART)].flatMap((match) => {
    // DVD5 and DVD9 are types of discs; a mark at the very front is a title.
    if (match.index === 0 || /^dvd[59]$/i.test(match[0])) return [];
    const [word, mark] = [(match[1] ?? '').toLowerCase(), (match[2] ?? '').toLowerCase()];
    return [markOf(match.index, match.index + match[0].length, word, mark)];
  });
  const counted = [...stem.matchAll(ONE_OF)].flatMap((match) => {
    const [number, total] = [Number(match[2]), Number(match[3])];
    if (match.index === 0 || number < 1 || number > total || total > 9) return [];
    return [markOf(match.index, match.index + match[0].length, match[1] === '' ? 'of' : '(of)', String(number))];
  });
  return [...counted, ...worded];
}
