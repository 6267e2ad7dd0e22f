/** Examples of whole cards, for the API document. A card has other properties for a film, an episode and a show. */
import { EXAMPLE_IDS } from '../kernel/describe.ts';

export const EXAMPLE_CREDIT = {
  id: EXAMPLE_IDS.person,
  name: 'Ronald Howard',
  role: 'Sherlock Holmes',
  job: 'actor',
};
const unwatched = { position: 0, watched: false, playCount: 0, listed: false };

export const EXAMPLE_EPISODE = {
  id: EXAMPLE_IDS.episode,
  kind: 'episode',
  title: 'The Case of the Cunningham Heritage',
  sortTitle: 'case of the cunningham heritage',
  year: 1954,
  library: EXAMPLE_IDS.showLibrary,
  added: '2026-11-02T10:15:00.000Z',
  released: '1954-10-18',
  duration: 1587.2,
  resolution: 'sd',
  show: { id: EXAMPLE_IDS.show, title: 'Sherlock Holmes' },
  season: 1,
  episode: 1,
  available: true,
  images: { thumb: '8c21f0' },
  userData: unwatched,
};

export const EXAMPLE_SHOW = {
  id: EXAMPLE_IDS.show,
  kind: 'show',
  title: 'Sherlock Holmes',
  sortTitle: 'sherlock holmes',
  year: 1954,
  library: EXAMPLE_IDS.showLibrary,
  added: '2026-11-02T10:15:00.000Z',
  episodes: 39,
  unwatched: 39,
  playNext: { id: EXAMPLE_IDS.episode, season: 1, episode: 1, position: 0 },
  available: true,
  images: { poster: 'b07e55' },
  userData: unwatched,
};

/** The page of the show, with one of its seasons. */
export const EXAMPLE_SHOW_PAGE = {
  ...EXAMPLE_SHOW,
  plot: 'Holmes and Watson solve cases in a London of fog and gaslight.',
  genres: ['Crime', 'Mystery'],
  studios: ['Guild Films'],
  people: [EXAMPLE_CREDIT],
  ids: { imdb: 'tt0046642' },
  seasons: [
    {
      id: EXAMPLE_IDS.season,
      number: 1,
      title: 'Season 1',
      images: {},
      episodes: [{ ...EXAMPLE_EPISODE, plot: 'Holmes and Watson meet, and Scotland Yard needs them at once.' }],
    },
  ],
  nextUp: EXAMPLE_EPISODE,
};
