/** The kinds of libraries that this version fills, in the order they are offered. */
import type { LibraryKind } from '../../../lib/kinds.ts';

export const LIBRARY_KINDS: readonly LibraryKind[] = ['movies', 'shows', 'mixed', 'music', 'audiobooks', 'books', 'photos'];
