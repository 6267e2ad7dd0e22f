/** Albums with their tracks. */
import type { CatalogKind, GroupFacts, SearchTexts } from '../../core/kind.ts';
import { itemPage } from '../../core/item/page.ts';
import type { ItemOrder } from '../../core/library-index/groups.ts';
import type { Details } from '../../store/records.ts';
import { isSoundName, soundFiles, type SoundPlacement } from '../sound/files.ts';
import { albumArtistsOf } from './artists.ts';
import { draftTrack } from './draft.ts';
import { tracksOfSheet } from './cue.ts';
import { albumPage } from './page.ts';

const placement: SoundPlacement = {
  version: 8,
  item: 'track',
  fileType: soundFiles,
  isOwn: isSoundName,
  itemKey: ({ path }) => `track:${path}`,
  groupKey: () => undefined,
  isGroupedByTags: true,
  isSameWork: () => true,
  home: () => undefined,
  ownsFolder: false,
  windows: tracksOfSheet,
  draft: draftTrack,
};

/** Tracks by disc and number; those without a number come last, by title. */
const byTrack: ItemOrder = ({ sections, numbers, sortTitles }) => {
  const disc = (slot: number) => sections.get(slot) ?? 1;
  const number = (slot: number) => numbers.get(slot) ?? 1e9;
  return (a, b) => disc(a) - disc(b) || number(a) - number(b) || sortTitles.compare(a, b) || a - b;
};

/** Added to the search score of albums, so that they come before their tracks. */
const ALBUM_WEIGHT = 0.2;
const artistsAndPlot = ({ people = [], music = {}, plot = '' }: Partial<Details>): SearchTexts => ({
  people: [...(music.artists ?? []), ...(music.trackArtists ?? []), ...people.map(({ name }) => name)].join(' '),
  plot,
});

export const album: CatalogKind<'album'> = {
  placement,
  facets: ['genres', 'years', 'artists', 'libraries'],
  sorts: ['title', 'added', 'year', 'released', 'random'],
  rows: {
    album: {
      searchWeight: ALBUM_WEIGHT,
      searchTexts: artistsAndPlot,
      card: () => ({}),
      collection: 'albums',
      page: albumPage,
      itemOrder: byTrack,
      counts: (tracks, _, facts: GroupFacts) => ({ tracks: tracks.length, artists: albumArtistsOf(tracks, facts) }),
    },
    track: {
      searchWeight: 0,
      searchTexts: artistsAndPlot,
      card: ({ artists, section, number }, _, album) => ({
        artists: [...(artists ?? [])],
        ...(album && { album: { id: album.id, title: album.title } }),
        ...(section !== null && { disc: section }),
        ...(number !== null && { track: number }),
      }),
      collection: 'items',
      page: itemPage,
    },
  },
};
