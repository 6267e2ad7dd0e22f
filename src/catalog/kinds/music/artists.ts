/**
 * Artists, as one Profile sees them: they are read from the albums and tracks that it may see, so no name and no count
 * reveals another. An artist has no row; the id is a digest of the folded name.
 */
import { createHash } from 'node:crypto';
import type { Artist } from '../../../contract/catalog/music.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import type { GroupFacts } from '../../core/kind.ts';
import type { LibraryIndex } from '../../core/library-index/types.ts';
import { fold, sortTitleOf } from '../../naming/text.ts';
import { VARIOUS_ARTISTS } from './draft.ts';

const MAX_ALBUMS = 1_000_000;
const comparable = (name: string): string => fold(name) || name;
/** Returns whether two names are of one artist, as their ids would say. */
export const isSameArtist = (one: string, other: string): boolean =>
  one === other || comparable(one) === comparable(other);
export const artistId = (name: string): string =>
  createHash('sha256')
    .update(`artist ${comparable(name)}`)
    .digest('hex')
    .slice(0, 16);

/**
 * Returns the artists of an album: those that its tags name, else those that all of these tracks share, else Various
 * Artists.
 */
export function albumArtistsOf(tracks: readonly string[], { group, rowOf }: GroupFacts): string[] {
  if (group?.artists !== undefined && group.artists.length > 0) return [...group.artists];
  let shared: readonly string[] | undefined;
  for (const id of tracks) {
    const own = rowOf(id)?.artists ?? [];
    if (shared === undefined) shared = own;
    else {
      const names = new Set(own.map(comparable));
      shared = shared.filter((name) => names.has(comparable(name)));
    }
    if (shared.length === 0) break;
  }
  if (shared === undefined) return [];
  return shared.length > 0 ? [...shared] : [VARIOUS_ARTISTS];
}

/** An artist with the ids of own albums and of others with a track, each in the order of the years, newest first. */
export interface SeenArtist extends Pick<Artist, 'id' | 'name' | 'sortName'> {
  albums: string[];
  appearsOn: string[];
}

/** Returns the artists that a policy shows, by their ids. */
export function createArtists(index: LibraryIndex): (policy: Policy) => ReadonlyMap<string, SeenArtist> {
  let version = -1;
  let known = new WeakMap<Policy, ReadonlyMap<string, SeenArtist>>();
  return (policy) => {
    if (version !== index.version()) {
      known = new WeakMap();
      version = index.version();
    }
    const cached = known.get(policy);
    if (cached) return cached;
    const made = collect(index, policy);
    known.set(policy, made);
    return made;
  };
}

function collect(index: LibraryIndex, policy: Policy): ReadonlyMap<string, SeenArtist> {
  const artists = new Map<string, SeenArtist>();
  const add = (name: string, album: string, list: 'albums' | 'appearsOn') => {
    const id = artistId(name);
    const artist = artists.get(id) ?? { id, name, sortName: sortTitleOf(name), albums: [], appearsOn: [] };
    artists.set(id, artist);
    if (artist[list].at(-1) !== album) artist[list].push(album);
  };
  const { ids } = index.page(
    { kinds: ['album'], sort: 'year', order: 'descending', offset: 0, limit: MAX_ALBUMS },
    policy,
  );
  for (const album of ids) {
    const tracks = index.itemsOf(album, policy);
    const own = albumArtistsOf(tracks, { group: index.row(album), rowOf: index.row });
    const names = new Set(own.map(comparable));
    for (const name of own) if (name !== VARIOUS_ARTISTS) add(name, album, 'albums');
    const guests = new Set(tracks.flatMap((id) => index.row(id)?.artists ?? []));
    for (const name of guests) if (!names.has(comparable(name))) add(name, album, 'appearsOn');
  }
  return artists;
}
