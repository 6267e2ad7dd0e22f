/** Suggests the kind of a library from the name of its folder, and lists the kinds that can be chosen. */
import { isScannedKind, LIBRARY_KINDS, type LibraryKind, kindNames } from '../../../contract/catalog/kinds.ts';

const SIGNS: readonly [RegExp, LibraryKind][] = [
  [/audio ?books?|h(ö|oe)rb(ü|ue)ch/i, 'audiobooks'],
  [/music|musik|musique|albums/i, 'music'],
  [/photo|picture|bilder|images/i, 'photos'],
  [/e?books?|comics|b(ü|ue)cher|livres/i, 'books'],
  [/tv|shows?|series|serien|s(é|e)ries|anime/i, 'shows'],
  [/films?|movies?|kino|cinema|filme/i, 'movies'],
];
export const kindOf = (name: string): LibraryKind => SIGNS.find(([sign]) => sign.test(name))?.[1] ?? 'mixed';
/** Kinds that this version scans. */
export const OFFERED: readonly LibraryKind[] = kindNames(LIBRARY_KINDS).filter(isScannedKind);
