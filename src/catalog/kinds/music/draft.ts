/** Drafts tracks, and the albums that they belong to. */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import type { FilesOfItem, FolderView, ItemDraft, PlacedDraft, PlacementTools } from '../../core/scan/placement.ts';
import { named } from '../../core/people/identity.ts';
import { fold } from '../../naming/text.ts';
import { codecsOf } from '../../probe/media-facts.ts';
import type { AudioTags, MediaInfo } from '../../probe/types.ts';
import type { ArtistNotes, FileRecord, ImagePlaces } from '../../store/records.ts';
import type { SoundGuess } from '../sound/files.ts';
import { artOf, daysOf, defined, imagesOf } from '../video/facts.ts';
import { artistNotesOf } from './artist-folder.ts';
import { readTrackNames, type TrackNames } from './names.ts';
import { statedInTags } from '../stated.ts';

export const VARIOUS_ARTISTS = 'Various Artists';
/** Title of the album of tracks that neither tags nor a folder name. */
const NO_ALBUM = 'Unknown album';
const [TAGGED, NAMED] = [0.95, 0.6];
const NO_TAGS: AudioTags = {
  artists: [],
  albumArtists: [],
  track: {},
  disc: {},
  genres: [],
  isCompilation: false,
  composers: [],
  narrators: [],
  ids: {},
  hasLyrics: false,
};

interface TrackFacts {
  tags: AudioTags;
  names: TrackNames;
  images: ImagePlaces;
}

export async function draftTrack(
  { key, files, movedFrom }: FilesOfItem<SoundGuess>,
  { views, group }: PlacementTools,
): Promise<PlacedDraft> {
  const [file] = files as [(typeof files)[number]];
  const { guess, info, row, view } = file;
  const names = readTrackNames(guess.folders, guess.stem);
  const tags = info?.audio ?? NO_TAGS;
  // The album of a track is only known with its header.
  if (info === undefined) return { key, draft: trackOf({ tags, names, images: {} }, info) };
  const folder = view.path.normalize('NFC') === names.albumFolder ? view : await albumView(views, view, names);
  const images = pictures(folder ?? view, row, tags);
  const facts = { tags, names, images };
  const album = albumOf(facts, await artistNotesOf(views, names.albumFolder, searchedArtists(facts)));
  const wanted = { key: albumKey(facts, album), movedFrom, isNamedByFolder: true, draft: () => album };
  return { key, draft: trackOf(facts, info), group: (await group(wanted)).id };
}

/** A disc without a picture shows that of the album. */
const albumView = async (views: PlacementTools['views'], own: FolderView, { albumFolder }: TrackNames) =>
  artOf(own, 'movie').length > 0 ? own : views.of(albumFolder);

function pictures(folder: FolderView, row: FileRecord, { cover }: AudioTags): ImagePlaces {
  const places = imagesOf(folder, artOf(folder, 'movie'), ({ video }) => video === undefined);
  if (places.poster !== undefined || cover === undefined) return places;
  const at = row.folder === '' ? row.name : `${row.folder}/${row.name}`;
  return { ...places, poster: { at, s: row.size, m: row.mtime, stream: cover } };
}

/** Returns the artists that the tags name for the album; none if they have to be found from its tracks. */
function albumArtists({ tags, names }: TrackFacts): string[] {
  if (tags.albumArtists.length > 0) return tags.albumArtists;
  if (tags.isCompilation) return [VARIOUS_ARTISTS];
  return tags.artists.length === 0 && names.artist !== undefined ? [names.artist] : [];
}

/** A search finds an album without stated artists by those of its first track. */
function searchedArtists(facts: TrackFacts): string[] {
  const stated = albumArtists(facts);
  return stated.length > 0 ? stated : facts.tags.artists;
}

/** An album is its MusicBrainz release, or the folder, title and album artists. Years and guests do not divide it. */
function albumKey(facts: TrackFacts, { title }: ItemDraft): string {
  const { release } = facts.tags.ids;
  if (release !== undefined) return `album:mb:${release}`;
  const artists = albumArtists(facts).map(comparable).join(' ');
  return `album:${facts.names.albumFolder}:${comparable(title)}:${artists}`;
}
/** A title of signs alone has no letters to compare. */
const comparable = (text: string): string => fold(text) || text;

const yearOf = ({ tags, names }: TrackFacts): number | undefined =>
  tags.date === undefined ? names.year : Number(tags.date.slice(0, 4));

function albumOf(facts: TrackFacts, artist: ArtistNotes | undefined): ItemDraft {
  const { tags, names, images } = facts;
  const { release, releaseGroup } = tags.ids;
  return {
    kind: 'album',
    title: tags.album ?? names.album ?? NO_ALBUM,
    sortTitle: '',
    ...defined({ year: yearOf(facts), released: daysOf(tags.date) }),
    genres: tags.genres,
    languages: [],
    artists: albumArtists(facts),
    images,
    confidence: tags.album === undefined ? NAMED : TAGGED,
    detail: {
      studios: tags.publisher === undefined ? [] : [tags.publisher],
      people: [],
      ids: defined({ musicbrainz: release, musicbrainzGroup: releaseGroup }) as Record<string, string>,
      music: {
        artists: albumArtists(facts),
        ...(albumArtists(facts).length === 0 && { trackArtists: tags.artists }),
        ...(tags.isCompilation && { isCompilation: true as const }),
        ...(artist && { artist }),
      },
      ...statedInTags({
        title: tags.album,
        year: tags.date,
        released: tags.date,
        genres: tags.genres,
        studios: tags.publisher,
        artists: tags.albumArtists,
        ids: release ?? releaseGroup,
      }),
      evidence: [],
    },
  };
}

function trackOf(facts: TrackFacts, info: MediaInfo | undefined): ItemDraft {
  const { tags, names, images } = facts;
  const artists = tags.artists.length > 0 ? tags.artists : albumArtists(facts);
  return {
    kind: 'track',
    title: tags.title ?? names.title,
    sortTitle: '',
    ...defined({ year: yearOf(facts), released: daysOf(tags.date), duration: info?.duration }),
    genres: tags.genres,
    languages: [],
    codecs: codecsOf([info]),
    artists,
    images,
    ...defined({ section: tags.disc.number ?? names.disc, number: tags.track.number ?? names.number }),
    confidence: tags.title === undefined ? NAMED : TAGGED,
    detail: {
      studios: [],
      people: [...named(tags.composers, 'composer'), ...named(tags.conductors ?? [], 'conductor')],
      ids: defined({ musicbrainz: tags.ids.recording }) as Record<string, string>,
      music: { artists, ...(tags.discTitle !== undefined && { discTitle: tags.discTitle }) },
      ...statedInTags({
        title: tags.title,
        year: tags.date,
        released: tags.date,
        genres: tags.genres,
        people: [...tags.composers, ...(tags.conductors ?? [])],
        artists: tags.artists,
        disc: tags.disc.number,
        track: tags.track.number,
        ids: tags.ids.recording,
      }),
      evidence: [tags.title === undefined ? PLACEMENT_CLUES.namedAsTrack : PLACEMENT_CLUES.tagsSaySo],
    },
  };
}
