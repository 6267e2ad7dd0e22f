/**
 * Reads the folder of an artist around the folders of the albums: `artist.nfo` with the biography, and pictures, as
 * Kodi, Jellyfin and Plex keep them.
 *
 * A folder belongs to an artist if it has the same name, or if its `artist.nfo` names the artist. Otherwise it may be
 * that of a genre or a label, and says nothing.
 */
import type { FolderView, PlacementTools } from '../../core/scan/placement.ts';
import { isPictureName } from '../../naming/artwork.ts';
import { fold, stemOf } from '../../naming/text.ts';
import type { ArtistNotes, ImagePlaces } from '../../store/records.ts';
import { artOf, imagesOf } from '../video/facts.ts';

const ARTIST_NFO = 'artist.nfo';
/** Names of pictures that only folders of artists have, by what they show. */
const OWN_PICTURES = { poster: /^artist(?:-poster)?$/i, backdrop: /^artist-background$/i } as const;

const comparable = (name: string): string => fold(name) || name;

/** Returns what the folder above an album says about one of these artists; undefined if it is not theirs. */
export async function artistNotesOf(
  views: PlacementTools['views'],
  albumFolder: string,
  artists: readonly string[],
): Promise<ArtistNotes | undefined> {
  const cut = albumFolder.lastIndexOf('/');
  const view = cut <= 0 ? undefined : await views.of(albumFolder.slice(0, cut));
  if (!view || view.companions.length === 0) return undefined;
  const nfo = (await views.nfo(view, [ARTIST_NFO])).find(({ kind }) => kind === 'artist');
  const names = [view.path.slice(view.path.lastIndexOf('/') + 1), nfo?.title ?? ''].map(comparable);
  const name = artists.find((one) => names.includes(comparable(one)));
  if (name === undefined) return undefined;
  const images = picturesOf(view);
  if (nfo?.plot === undefined && Object.keys(images).length === 0) return undefined;
  return { name, ...(nfo?.plot !== undefined && { biography: nfo.plot }), images };
}

function picturesOf(view: FolderView): ArtistNotes['images'] {
  const { poster, backdrop }: ImagePlaces = imagesOf(view, artOf(view, 'movie'), ({ video }) => video === undefined);
  const own = (kind: keyof typeof OWN_PICTURES) => {
    const file = view.companions.find(({ n }) => isPictureName(n) && OWN_PICTURES[kind].test(stemOf(n)));
    return file && { at: `${view.path}/${file.n}`, s: file.s, m: file.m };
  };
  const found = { poster: own('poster') ?? poster, backdrop: own('backdrop') ?? backdrop };
  return {
    ...(found.poster && { poster: found.poster }),
    ...(found.backdrop && { backdrop: found.backdrop }),
  };
}
