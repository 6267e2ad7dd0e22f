/** Names and icons of the kinds of libraries. */
import book from 'lucide/dist/esm/icons/book-open.mjs';
import film from 'lucide/dist/esm/icons/film.mjs';
import headphones from 'lucide/dist/esm/icons/headphones.mjs';
import image from 'lucide/dist/esm/icons/image.mjs';
import layers from 'lucide/dist/esm/icons/layers.mjs';
import music from 'lucide/dist/esm/icons/list-music.mjs';
import tv from 'lucide/dist/esm/icons/tv.mjs';
import type { IconNode } from 'lucide';
import type { LibraryKind } from '../../contract/catalog/kinds.ts';
import { shellWords as m } from '../messages/shell.ts';

const ICONS: Record<LibraryKind, IconNode> = {
  movies: film,
  shows: tv,
  music,
  audiobooks: headphones,
  books: book,
  photos: image,
  mixed: layers,
};
export const kindIcon = (kind: LibraryKind): IconNode => ICONS[kind];
/** The name of a kind of library. */
export const kindName = (kind: LibraryKind): string => m.libraryKinds[kind];
