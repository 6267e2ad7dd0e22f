/** Which kind of library a folder probably is, from its name, so that the first choice is usually right. */
import type { LibraryKind } from '../../lib/kinds.ts';

const SIGNS: readonly [RegExp, LibraryKind][] = [
  [/audio ?books?|h(ö|oe)rb(ü|ue)ch/i, 'audiobooks'],
  [/music|musik|musique|albums/i, 'music'],
  [/photo|picture|bilder|images/i, 'photos'],
  [/e?books?|comics|b(ü|ue)cher|livres/i, 'books'],
  [/tv|shows?|series|serien|s(é|e)ries|anime/i, 'shows'],
  [/films?|movies?|kino|cinema|filme/i, 'movies'],
];
export const kindOf = (name: string): LibraryKind => SIGNS.find(([sign]) => sign.test(name))?.[1] ?? 'mixed';
/** The kinds that this version plays; the others can be listed later. */
export const OFFERED: readonly LibraryKind[] = ['movies', 'shows', 'mixed'];
