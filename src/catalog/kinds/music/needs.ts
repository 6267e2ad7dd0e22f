/** Parts of the catalogue that music is read with: artists, and lyrics next to a file and inside it. */
import { inRoot, readBounded } from '../../../lib/files.ts';
import type { PageNeeds } from '../../core/kind.ts';
import type { LibraryIndex } from '../../core/library-index/types.ts';
import type { Reach } from '../../core/reach.ts';
import type { Roots } from '../../core/roots.ts';
import { createArtists } from './artists.ts';
import type { MusicNeeds } from './visible-music.ts';

/** Largest file of lyrics that is read. */
const MAX_LYRICS_BYTES = 1024 * 1024;

export const musicNeedsOf = ({
  pages,
  roots,
  reach,
  index,
}: {
  pages: PageNeeds;
  roots: Roots;
  reach: Reach;
  index: LibraryIndex;
}): MusicNeeds => ({
  ...pages,
  artists: createArtists(index),
  readText: async (root: string, relative: string) =>
    readBounded(inRoot(await roots.open(root), relative), MAX_LYRICS_BYTES).catch(() => undefined),
  parseLyrics: (root: string, bytes: Uint8Array) => reach.helpers(root).probe.parseText('lyrics', bytes),
  embeddedLyrics: (root: string, relative: string, signal: AbortSignal) =>
    reach.helpers(root).probe.lyrics(`${root}/${relative}`, signal),
});
