/**
 * Video files: what a file is, from its path and the names next to it, without opening it.
 *
 * Every video gets an answer: an item of one of the library's kinds, an extra, a sample, or unplaced with the reason.
 * Nothing here throws, and the time is linear in the names given (once a folder, if its files pass the same array).
 */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../../contract/catalog/clues.ts';
import type { LibraryKind } from '../../../contract/catalog/kinds.ts';
import { parseReleaseText } from '../../../lib/release-name.ts';
import type { FileType, KindPlacement } from '../../core/scan/placement.ts';
import { findDisc, findExtra, isListedForDisc, seasonOfExtras } from '../../naming/extras.ts';
import { factsOf } from '../../naming/folder.ts';
import { collectionOfPath } from '../../naming/collection-folders.ts';
import { fold, isVideoName, sortTitleOf, stemOf } from '../../naming/text.ts';
import type { Guess, GuessInput } from '../../naming/types.ts';
import { releaseFacts } from './release.ts';

/** The placement of a kind that consists of videos. */
export interface VideoPlacement extends KindPlacement<Guess> {
  /** Returns the guess for a video; undefined if nothing in the names says that it is of this kind. */
  place(input: GuessInput, folders: readonly string[], file: string): Guess | undefined;
  /** Why a video is not placed if this kind is the last one that is asked. */
  unplacedReason: PlacementClueText;
  /** Returns the key that an extra next to one item among many shares with that item. */
  extraKey?(input: GuessInput, folders: readonly string[], title: string): string;
}

const MAX_PATH_LENGTH = 4096;

const isMedia = (path: string): boolean => isVideoName(path.slice(path.lastIndexOf('/') + 1));

/** Names say less in libraries of one kind, because files of other kinds are not expected there. */
const namingKind = (library: LibraryKind): GuessInput['kind'] =>
  library === 'movies' || library === 'shows' ? library : 'mixed';

export const videoFiles: FileType<VideoPlacement> = {
  isMedia,
  guess: ({ library, ...file }, placements) => guessVideo({ kind: namingKind(library), ...file }, placements),
};

function guessVideo(input: GuessInput, placements: readonly VideoPlacement[]): Guess {
  const path = input.path.normalize('NFC');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const file = parts.pop() ?? '';
  if (path.length > MAX_PATH_LENGTH) return unplaced(file.slice(0, 255), parts, PLACEMENT_CLUES.pathTooLong);
  if (file === '' || parts.includes('..')) return unplaced(file, parts, PLACEMENT_CLUES.pathWithoutFile);
  const disc = findDisc(parts, file);
  if (disc) {
    const isListed = disc.kind === 'image' || isListedForDisc(parts.slice(disc.depth), file, input.siblings);
    return { ...discGuess(parts.slice(0, disc.depth), file, disc.kind), isListed };
  }
  if (!isVideoName(file)) return unplaced(file, parts, PLACEMENT_CLUES.notNamedAsVideo);
  const stem = stemOf(file);
  const facts = factsOf(input.siblings);
  const extra = findExtra(parts, stem, facts.mains > (facts.mains === 1 && isOnly(input.siblings, file) ? 1 : 0));
  if (extra) return extraGuess(input, parts, { extra, placements });
  const collection = input.kind === 'mixed' ? collectionOfPath(parts) : undefined;
  for (const placement of placements) {
    const own = placement.place({ ...input, collection }, parts, file);
    if (own) return own;
  }
  return unplaced(stem, parts, placements.at(-1)?.unplacedReason ?? PLACEMENT_CLUES.kindNotScanned);
}

/** Returns whether the file is the only video of its folder. */
const isOnly = (siblings: readonly string[], file: string): boolean =>
  siblings.filter(isVideoName).every((name) => name.normalize('NFC') === file);

function extraGuess(
  input: GuessInput,
  dirs: readonly string[],
  { extra, placements }: { extra: NonNullable<ReturnType<typeof findExtra>>; placements: readonly VideoPlacement[] },
): Guess {
  const release = parseReleaseText(extra.title);
  const title = extra.title.includes(' ') ? extra.title : release.title || extra.title;
  const home = dirs.slice(0, extra.depth);
  const belongsTo = extra.depth === dirs.length;
  const season = seasonOfExtras(dirs.slice(extra.depth));
  return {
    kind: extra.type === 'sample' ? 'sample' : 'extra',
    title,
    sortTitle: sortTitleOf(title),
    ids: {},
    ...(extra.type !== 'sample' && {
      extra: extra.type,
      extraPlace: {
        folder: dirs.join('/'),
        home: home.join('/'),
        ...(belongsTo && { beside: extra.title }),
        ...(season !== undefined && { season }),
      },
    }),
    release: releaseFacts(release),
    confidence: 0.9,
    evidence: [extra.evidence],
    // In a folder of many films, the text before the mark names the film.
    folderKey: !belongsTo
      ? home.join('/')
      : (placements.find(({ extraKey }) => extraKey)?.extraKey?.(input, dirs, extra.title) ?? dirs.join('/')),
  };
}

function discGuess(home: readonly string[], file: string, kind: 'dvd' | 'bluray' | 'image'): Guess {
  const name = kind === 'image' ? stemOf(file) : (home.at(-1) ?? stemOf(file));
  const reason = {
    dvd: PLACEMENT_CLUES.discFolderDvd,
    bluray: PLACEMENT_CLUES.discFolderBluray,
    image: PLACEMENT_CLUES.discImage,
  }[kind];
  const dirs = kind === 'image' ? [...home, file] : home;
  return {
    ...unplaced(parseReleaseText(name).title || name, dirs, reason),
    folderKey: dirs.join('/'),
  };
}

export function unplaced(title: string, dirs: readonly string[], reason: PlacementClueText): Guess {
  return {
    kind: 'unplaced',
    title: title === '' ? 'Unnamed' : title,
    sortTitle: sortTitleOf(title === '' ? 'Unnamed' : title),
    ids: {},
    release: { hdr: [], languages: [], flags: [] },
    confidence: 0,
    evidence: [reason],
    reason,
    folderKey: [...dirs, fold(title)].join('/'),
  };
}
