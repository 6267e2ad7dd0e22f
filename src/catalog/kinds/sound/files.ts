/** Files of sound: what a file is, from its path alone. Tags decide about the rest. */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import type { FileGuess, FileType, FileToGuess, KindPlacement } from '../../core/scan/placement.ts';
import { endingOf, stemOf } from '../../naming/text.ts';

/** Facts in the path of a file of sound. */
export interface SoundGuess extends FileGuess {
  /** Path relative to the library's root, in the form in which keys have it. */
  path: string;
  /** Folders above the file, the outermost first. */
  folders: readonly string[];
  stem: string;
  /** Names of all files in its folder. */
  siblings: readonly string[];
}

export interface SoundPlacement extends KindPlacement<SoundGuess> {
  /** Whether files of this placement make items in a library of its kind. */
  isOwn(name: string): boolean;
}

const MAX_PATH_LENGTH = 4096;
const SOUND = new Set(
  (
    'mp3 flac ogg oga opus m4a m4b m4r aac wma wav aif aiff aifc ape wv mpc mp+ dsf dff tta tak mka alac caf ' +
    'ac3 eac3 dts amr au mp2 spx w64'
  ).split(/\s+/),
);

/** Whether a file name is that of a file of sound. */
export const isSoundName = (name: string): boolean => !name.startsWith('.') && SOUND.has(endingOf(name));

export const soundFiles: FileType<SoundPlacement> = {
  isMedia: (path) => isSoundName(path.slice(path.lastIndexOf('/') + 1)),
  guess: ({ path: given, siblings }: FileToGuess, placements): SoundGuess => {
    const path = given.normalize('NFC');
    const folders = path.split('/').filter((part) => part !== '' && part !== '.');
    const file = folders.pop() ?? '';
    const guess = { path, folders, stem: stemOf(file), siblings, evidence: [] };
    if (path.length > MAX_PATH_LENGTH) return { ...guess, kind: 'unplaced', reason: PLACEMENT_CLUES.pathTooLong };
    const own = isSoundName(file) ? placements.find(({ isOwn }) => isOwn(file)) : undefined;
    return own === undefined
      ? { ...guess, kind: 'unplaced', reason: PLACEMENT_CLUES.notNamedAsSound }
      : { ...guess, kind: own.item };
  },
};
