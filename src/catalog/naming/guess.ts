/**
 * One question: what is this file? Answered from its path and the names beside it, without opening anything.
 *
 * Every video gets an answer: a film, an episode, an extra, a sample, or unplaced with the reason. Nothing here throws,
 * and the time taken is linear in the names given (once a folder, when its files are asked with the same array).
 */
import { parseReleaseText } from '../../lib/release-name.ts';
import { findNumbers } from '../../lib/release/numbers.ts';
import { findDisc, findExtra } from './extras.ts';
import { placeFilm, releaseFacts } from './films.ts';
import { factsOf } from './folder.ts';
import { placeEpisode } from './shows.ts';
import { fold, isVideoName, sortTitleOf, stemOf } from './text.ts';
import type { Guess, GuessInput } from './types.ts';

const LONGEST_PATH = 4096;

/** What the file at `path` is taken to be. */
export function guess(input: GuessInput): Guess {
  const path = input.path.normalize('NFC');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const file = parts.pop() ?? '';
  if (path.length > LONGEST_PATH) return unplaced(file.slice(0, 255), parts, 'the path is too long');
  if (file === '' || parts.includes('..')) return unplaced(file, parts, 'the path names no file');
  const disc = findDisc(parts, file);
  if (disc) return discGuess(parts.slice(0, disc.depth), file, disc.kind);
  if (!isVideoName(file)) return unplaced(file, parts, 'the name is not that of a video');
  const stem = stemOf(file);
  const facts = factsOf(input.siblings);
  const extra = findExtra(parts, stem, facts.mains > (facts.mains === 1 && isOnly(input.siblings, file) ? 1 : 0));
  if (extra) return extraGuess(input, parts, extra);
  if (input.kind === 'movies') {
    const form = findNumbers(stem)?.form;
    if (form === 'sxxeyy' || form === 'words')
      return unplaced(stem, parts, 'it is named as an episode, and the library is for films');
    return placeFilm(input, parts, file);
  }
  const episode = placeEpisode(input, parts, file);
  if (episode) return episode;
  if (input.kind === 'mixed') return placeFilm(input, parts, file);
  return unplaced(stem, parts, 'no season, episode number or date stands in the name');
}

/** Whether the file is the only video beside itself. */
const isOnly = (siblings: readonly string[], file: string): boolean =>
  siblings.filter(isVideoName).every((name) => name.normalize('NFC') === file);

function extraGuess(
  input: GuessInput,
  dirs: readonly string[],
  extra: NonNullable<ReturnType<typeof findExtra>>,
): Guess {
  const release = parseReleaseText(extra.title);
  const title = extra.title.includes(' ') ? extra.title : release.title || extra.title;
  const home = dirs.slice(0, extra.depth);
  return {
    kind: extra.type === 'sample' ? 'sample' : 'extra',
    title,
    sortTitle: sortTitleOf(title),
    ids: {},
    ...(extra.type === 'sample' ? {} : { extra: extra.type }),
    release: releaseFacts(release),
    confidence: 0.9,
    evidence: [extra.evidence],
    // Beside one film among many, what stands before the mark tells which.
    folderKey: extra.depth < dirs.length ? home.join('/') : mainKey(input, dirs, extra.title),
  };
}

function mainKey(input: GuessInput, dirs: readonly string[], title: string): string {
  const film = input.kind === 'shows' ? undefined : placeFilm(input, dirs, `${title}.mkv`);
  return film?.folderKey ?? dirs.join('/');
}

function discGuess(home: readonly string[], file: string, kind: 'dvd' | 'bluray' | 'image'): Guess {
  const name = kind === 'image' ? stemOf(file) : (home.at(-1) ?? stemOf(file));
  const what = { dvd: 'a DVD copied as a folder', bluray: 'a Blu-ray copied as a folder', image: 'a disc image' }[kind];
  const dirs = kind === 'image' ? [...home, file] : home;
  return {
    ...unplaced(parseReleaseText(name).title || name, dirs, `it belongs to ${what}, which cannot be played as it is`),
    folderKey: dirs.join('/'),
  };
}

function unplaced(title: string, dirs: readonly string[], reason: string): Guess {
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
