/** What the kinds of libraries and items are called, and their icons. */
import book from 'lucide/dist/esm/icons/book-open.mjs';
import film from 'lucide/dist/esm/icons/film.mjs';
import headphones from 'lucide/dist/esm/icons/headphones.mjs';
import image from 'lucide/dist/esm/icons/image.mjs';
import layers from 'lucide/dist/esm/icons/layers.mjs';
import music from 'lucide/dist/esm/icons/list-music.mjs';
import tv from 'lucide/dist/esm/icons/tv.mjs';
import type { IconNode } from 'lucide';
import type { LIBRARY_KINDS } from '../../contract/catalog/catalog.ts';

export type LibraryKind = (typeof LIBRARY_KINDS)[number];
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
export const KIND_NAMES: Record<LibraryKind, string> = {
  movies: 'Films',
  shows: 'Shows',
  music: 'Music',
  audiobooks: 'Audiobooks',
  books: 'Books',
  photos: 'Photos',
  mixed: 'Films and shows together',
};
