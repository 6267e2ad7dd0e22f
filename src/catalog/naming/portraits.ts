/**
 * Pictures of people in the folder `.actors` next to a film, show or episode: `.actors/Audrey_Hepburn.jpg`. Kodi,
 * Jellyfin and Emby export them like that. Pure functions.
 */
import { fold } from './text.ts';

/** Name of the folder. It is the only folder with a leading dot that a scan reads. */
export const PORTRAIT_FOLDER = '.actors';
/** Maximum number of pictures that are read from one folder. */
export const MAX_PORTRAITS = 200;
/** Larger files are left out: such an export is 20 to 200 kB for each person. */
export const MAX_PORTRAIT_BYTES = 8 * 1024 * 1024;
const MAX_NAME_LENGTH = 300;
const PICTURES = /\.(?:jpe?g|png|webp|tbn)$/i;

/** Returns whether a name in the folder is that of a picture. */
export const isPortraitName = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && !name.startsWith('.') && PICTURES.test(name);

/** Returns the folded name of the person; undefined for a path that is not in the folder. */
export function portraitPerson(path: string): string | undefined {
  if (!path.startsWith(`${PORTRAIT_FOLDER}/`)) return undefined;
  const name = path.slice(PORTRAIT_FOLDER.length + 1).replace(PICTURES, '');
  return fold(name) || name.trim() || undefined;
}
