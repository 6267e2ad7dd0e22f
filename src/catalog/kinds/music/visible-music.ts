/** Music as one Profile may see it: artists, lyrics and queues. Albums are pages of the catalogue. */
import type { Artist, Track } from '../../../contract/catalog/music.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import { parseLanguage } from '../../../lib/languages.ts';
import { cardsOf } from '../../core/cards/cards.ts';
import { imageVersion } from '../../core/cards/image-version.ts';
import { filesOf } from '../../core/item/files.ts';
import type { PageNeeds, Viewer } from '../../core/kind.ts';
import { fold } from '../../naming/text.ts';
import { LYRICS_EXTENSIONS, type ParsedLyrics } from '../../naming/lyrics.ts';
import type { EmbeddedLyrics } from '../../probe/types.ts';
import type { ArtistNotes } from '../../store/records.ts';
import type { FoundLyrics, VisibleMusic } from '../../types.ts';
import { audiobookSeriesPage } from '../audiobook/series.ts';
import { isSameArtist, type SeenArtist } from './artists.ts';
import { trackCardsOf } from './page.ts';

export interface MusicNeeds extends PageNeeds {
  artists(policy: Policy): ReadonlyMap<string, SeenArtist>;
  /** Reads a small text of a library, by its path and the relative path; undefined if there is none. */
  readText(root: string, relative: string): Promise<Uint8Array | undefined>;
  /** Returns undefined if the text of lyrics cannot be parsed. */
  parseLyrics(root: string, bytes: Uint8Array): Promise<ParsedLyrics | undefined>;
  /** Reads the lyrics inside a file. */
  embeddedLyrics(root: string, relative: string, signal: AbortSignal): Promise<EmbeddedLyrics | null>;
}
/** Returns the person of this name, with the number of works that the Profile may see. */
export type FindPerson = (
  name: string,
) => Promise<{ id: string; image?: string | undefined; total: number } | undefined>;

export function createVisibleMusic(
  { personNamed, ...needs }: MusicNeeds & { personNamed: FindPerson },
  viewer: () => Promise<Viewer>,
  policy: Policy,
): VisibleMusic {
  const { index } = needs;
  const albumCards = async (ids: readonly string[]) => cardsOf(needs, ids, await viewer());
  return {
    artists: async ({ q, role, offset, limit }) => {
      const words = q === undefined ? [] : fold(q).split(' ');
      const all = [...needs.artists(policy).values()]
        .filter(({ albums }) => role === 'all' || albums.length > 0)
        .filter(({ name }) => words.every((word) => fold(name).includes(word)))
        .sort((a, b) => (a.sortName < b.sortName ? -1 : a.sortName > b.sortName ? 1 : a.id < b.id ? -1 : 1));
      const items = all.slice(offset, offset + limit);
      const covers = await albumCards([
        ...new Set(items.flatMap(({ albums, appearsOn }) => albums[0] ?? appearsOn[0] ?? [])),
      ]);
      const versions = new Map(covers.map(({ id, images }) => [id, images.poster]));
      const notes = await notesOf(needs, items, ALBUMS_LOOKED_AT);
      return { items: items.map((artist) => artistCard(artist, versions, notes(artist))), total: all.length };
    },
    artist: async (id) => {
      const artist = needs.artists(policy).get(id);
      if (!artist) return undefined;
      const [albums, appearsOn, notes, person] = await Promise.all([
        albumCards(artist.albums),
        albumCards(artist.appearsOn),
        notesOf(needs, [artist]),
        personNamed(artist.name),
      ]);
      const { biography, images } = notes(artist) ?? {};
      return {
        id,
        name: artist.name,
        images: versionsOf(images),
        ...(biography !== undefined && { biography }),
        ...(person && {
          person: { id: person.id, works: person.total, ...(person.image !== undefined && { image: person.image }) },
        }),
        albums,
        appearsOn,
      };
    },
    artistPicture: async (id, kind) => {
      const artist = needs.artists(policy).get(id);
      if (!artist) return undefined;
      const notes = (await notesOf(needs, [artist]))(artist);
      const place = notes?.images[kind];
      const library = notes && index.row(notes.album)?.library;
      const root = library === undefined ? undefined : needs.rootOf(library);
      if (!place || root === undefined) return null;
      return {
        root,
        relative: place.at,
        size: place.s,
        modifiedMs: place.m,
        frameAt: undefined,
        version: imageVersion(place),
      };
    },
    audiobookSeries: async (id) => audiobookSeriesPage(needs, id, await viewer()),
    artistTracks: async (id, { offset, limit }) => {
      const artist = needs.artists(policy).get(id);
      if (!artist) return undefined;
      const all = [
        ...artist.albums.flatMap((album) => index.itemsOf(album, policy)),
        ...artist.appearsOn
          .flatMap((album) => index.itemsOf(album, policy))
          .filter((track) => index.row(track)?.artists?.some((name) => isSameArtist(name, artist.name))),
      ];
      return { items: await trackCardsOf(needs, all.slice(offset, offset + limit), await viewer()), total: all.length };
    },
    queue: async (id): Promise<Track[] | undefined> => {
      const row = index.isVisible(id, policy) ? index.row(id) : undefined;
      if (row?.kind !== 'track') return undefined;
      const all = row.parent === null ? [id] : index.itemsOf(row.parent, policy);
      return trackCardsOf(needs, all.slice(Math.max(0, all.indexOf(id))), await viewer());
    },
    lyrics: async (id, signal) => {
      const row = index.isVisible(id, policy) ? index.row(id) : undefined;
      return row?.kind === 'track' ? lyricsOf(needs, id, signal) : 'no-item';
    },
  };
}

/** Reads the lyrics of a track, from a file next to it or from inside; undefined if it has none. */
export async function lyricsOf(needs: MusicNeeds, id: string, signal: AbortSignal): Promise<FoundLyrics | undefined> {
  const file = (await filesOf(needs, id))[0];
  // Lyrics next to a file that holds several tracks, or inside it, do not say whose they are.
  if (!file?.available || file.window) return undefined;
  const base = file.relative.replace(/\.[^./]*$/, '');
  for (const ending of LYRICS_EXTENSIONS) {
    const bytes = await needs.readText(file.root, `${base}.${ending}`);
    const parsed = bytes && (await needs.parseLyrics(file.root, bytes));
    if (parsed && parsed.lines.length > 0) return { source: 'file', ...parsed };
  }
  if (file.info?.audio?.hasLyrics !== true) return undefined;
  const inside = await needs.embeddedLyrics(file.root, file.relative, signal);
  const parsed = inside && (await parseEmbedded(needs, file.root, inside));
  return parsed && parsed.lines.length > 0 ? { source: 'embedded', ...parsed } : undefined;
}

/** Albums of an artist whose notes are looked at for a list. All of an artist's folder have the same. */
const ALBUMS_LOOKED_AT = 4;

/** Returns a function that returns the notes about an artist, with the album that has them. */
async function notesOf(
  { store }: Pick<MusicNeeds, 'store'>,
  artists: readonly SeenArtist[],
  most = Infinity,
): Promise<(artist: SeenArtist) => (ArtistNotes & { album: string }) | undefined> {
  const lookedAt = (artist: SeenArtist) => artist.albums.slice(0, most);
  const details = await store.details([...new Set(artists.flatMap(lookedAt))]);
  return (artist) => {
    for (const album of lookedAt(artist)) {
      const notes = details.get(album)?.music?.artist;
      if (notes && isSameArtist(notes.name, artist.name)) return { ...notes, album };
    }
    return undefined;
  };
}
/** Returns the versions of pictures, as replies have them. */
const versionsOf = ({ poster, backdrop }: ArtistNotes['images'] = {}): Artist['images'] => ({
  ...(poster && { poster: imageVersion(poster) }),
  ...(backdrop && { backdrop: imageVersion(backdrop) }),
});

function artistCard(
  { albums, appearsOn, ...artist }: SeenArtist,
  versions: ReadonlyMap<string, string | undefined>,
  notes: ArtistNotes | undefined,
): Artist {
  const album = albums[0] ?? appearsOn[0];
  const version = album === undefined ? undefined : versions.get(album);
  return {
    ...artist,
    albums: albums.length,
    appearsOn: appearsOn.length,
    images: versionsOf(notes?.images),
    ...(album !== undefined && version !== undefined && { cover: { id: album, version } }),
  };
}

async function parseEmbedded(
  needs: Pick<MusicNeeds, 'parseLyrics'>,
  root: string,
  { text, lines, language }: EmbeddedLyrics,
): Promise<ParsedLyrics | undefined> {
  const parsed: ParsedLyrics | undefined =
    lines.length > 0
      ? { synced: true, lines: lines.map(({ at, text: words }) => ({ start: at / 1000, text: words.trim() })) }
      : await needs.parseLyrics(root, Buffer.from(text ?? ''));
  if (!parsed) return undefined;
  const tag = parseLanguage(language ?? '') ?? parsed.language;
  return { synced: parsed.synced, lines: parsed.lines, ...(tag !== undefined && { language: tag }) };
}
