/** Counts the media in a folder by their names, so that an Owner sees what a library on it would hold. Pure. */
import { isVideoName } from '../naming/text.ts';
import { isBookName } from './book/names.ts';
import { isPhotoName } from './photo/names.ts';
import { isSoundName } from './sound/files.ts';

/** Numbers of files, by what they hold. */
export interface CountedMedia {
  videos: number;
  sounds: number;
  books: number;
  photos: number;
}

export function countMedia(names: readonly string[]): CountedMedia {
  const count = (isOne: (name: string) => boolean): number => names.filter(isOne).length;
  return {
    videos: count(isVideoName),
    sounds: count(isSoundName),
    books: count(isBookName),
    photos: count(isPhotoName),
  };
}
