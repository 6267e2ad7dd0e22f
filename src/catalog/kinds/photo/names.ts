/**
 * The files of a photo library by their names: pictures, raw files and clips. Files of one stem make one photo: a
 * picture with its raw file, and the clip of a live photo.
 */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import type { FileGuess, FileType, KindPlacement } from '../../core/scan/placement.ts';
import { splitPath } from '../../core/paths.ts';
import { endingOf, isVideoName, stemOf } from '../../naming/text.ts';

const PICTURE = /\.(?:jpe?g|jpe|png|webp|gif|tiff?|hei[cf]|hif|avif)$/i;
const RAW = /\.(?:dng|cr2|cr3|nef|nrw|arw|sr2|srw|raf|orf|rw2|pef|rwl|3fr|erf|kdc|mos|iiq)$/i;
/** Clips of live photos. */
const MOTION = /\.(?:mov|mp4)$/i;
/** Pictures that are listed with the reason, because they are not read. */
const UNREAD = /\.jxl$/i;
/** Folders of pictures that programs made of others. */
const MADE = /^(?:@eadir|\.thumbnails|thumbnails|\.picasaoriginals)$/i;

type FileRole = 'picture' | 'raw' | 'clip';
export interface PhotoGuess extends FileGuess {
  kind: 'photo' | 'video' | 'sample' | 'unplaced';
  role: FileRole;
  folder: string;
  /** The part of the key after the folder. */
  own: string;
}

const folded = (name: string): string => stemOf(name).normalize('NFC').toLowerCase();

const roleOf = (name: string): FileRole | undefined =>
  PICTURE.test(name) ? 'picture' : RAW.test(name) ? 'raw' : isVideoName(name) ? 'clip' : undefined;

const isUnread = (name: string): boolean => !name.startsWith('.') && UNREAD.test(name);

/** Whether a file name is that of a picture or a raw file. */
export const isPhotoName = (name: string): boolean => !name.startsWith('.') && (PICTURE.test(name) || RAW.test(name));

interface Stem {
  pictures: string[];
  raws: string[];
  clips: string[];
}
/** The stems of each folder, by the array of its names. */
const stems = new WeakMap<readonly string[], Map<string, Stem>>();

function stemsOf(siblings: readonly string[]): Map<string, Stem> {
  const known = stems.get(siblings);
  if (known) return known;
  const found = new Map<string, Stem>();
  for (const name of [...siblings].sort()) {
    const role = roleOf(name);
    if (!role) continue;
    const stem = folded(name);
    const one = found.get(stem) ?? { pictures: [], raws: [], clips: [] };
    one[`${role}s`].push(name);
    found.set(stem, one);
  }
  stems.set(siblings, found);
  return found;
}

/** Returns the name of a version: its format. */
const labelOf = (role: FileRole, name: string): string =>
  role === 'raw'
    ? 'RAW'
    : role === 'clip'
      ? 'Motion'
      : endingOf(name)
          .toUpperCase()
          .replace(/^JPE?G?$/, 'JPEG') || 'JPEG';

export const photoFiles: FileType<KindPlacement<PhotoGuess>> = {
  isMedia: (path) => roleOf(splitPath(path).name) !== undefined || isUnread(splitPath(path).name),
  guess: ({ path, siblings }): PhotoGuess => {
    const { folder, name } = splitPath(path);
    const role = roleOf(name) ?? 'picture';
    const base = { role, folder, evidence: [] };
    if (folder.split('/').some((part) => MADE.test(part))) return { ...base, kind: 'sample', own: name };
    const stem = stemsOf(siblings).get(folded(name));
    if (isUnread(name)) {
      const isListed = (stem?.pictures.length ?? 0) + (stem?.raws.length ?? 0) === 0;
      return { ...base, kind: 'unplaced', own: name, reason: PLACEMENT_CLUES.formatNotRead, isListed };
    }
    const [lead] = [...(stem?.pictures ?? []), ...(stem?.raws ?? [])];
    const isMotion = role === 'clip' && lead !== undefined && MOTION.test(name) && stem?.clips.length === 1;
    if (role === 'clip' && !isMotion) return { ...base, kind: 'video', own: name };
    // The first of several pictures of one stem has the raw file; the others are separate photos.
    const isLead = role !== 'picture' || name === lead;
    return { ...base, kind: 'photo', own: isLead ? folded(name) : name, version: labelOf(role, name) };
  },
};

export const photoKey = ({ kind, folder, own }: PhotoGuess): string => `${kind}:${folder}/${own}`;
