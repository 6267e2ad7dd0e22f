/** Films and shows of the metadata stand-in. They are made up, in the shape of TMDB's pages. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type MetadataPage = Readonly<Record<string, unknown>>;
export interface MetadataFixtures {
  films: readonly MetadataPage[];
  /** A show has its seasons as `season/1`, as they are added to its page. */
  shows: readonly MetadataPage[];
  /** Sets of films. One that only films name has no text and no poster. */
  sets?: readonly MetadataPage[];
  /** Ids of works that changed in the last days. */
  changed?: { movie: readonly number[]; tv: readonly number[] };
  /** Returns the picture at a path; left out, each picture that a page names is one pixel. */
  picture?(path: string): Uint8Array | undefined;
}

/** A PNG of one pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const EXAMPLE_FILMS: readonly MetadataPage[] = [
  {
    id: 101,
    title: 'The Long Pier',
    original_title: 'Der lange Steg',
    overview: 'Two sisters rebuild a pier.',
    tagline: 'Plank by plank.',
    release_date: '2001-05-04',
    runtime: 90,
    belongs_to_collection: { id: 901, name: 'Harbour Collection', poster_path: null },
    vote_average: 7.345,
    vote_count: 120,
    genres: [{ id: 18, name: 'Drama' }],
    production_companies: [{ id: 1, name: 'Harbour Films' }],
    origin_country: ['DE'],
    poster_path: '/pier.png',
    backdrop_path: null,
    videos: {
      results: [
        { site: 'Vimeo', key: '123456', name: 'Plank by plank', type: 'Teaser', official: true, iso_639_1: 'en' },
        { site: 'YouTube', key: 'longpier-01', name: 'Trailer', type: 'Trailer', official: true, iso_639_1: 'en' },
        { site: 'YouTube', key: 'x"><script>', name: 'No id', type: 'Trailer', official: true, iso_639_1: 'en' },
        { site: 'Elsewhere', key: 'longpier-02', name: 'Elsewhere', type: 'Trailer', iso_639_1: 'en' },
        { site: 'YouTube', key: 'longpier-03', name: 'On the pier', type: 'Behind the Scenes', iso_639_1: 'en' },
      ],
    },
    alternative_titles: { titles: [{ iso_3166_1: 'FR', title: 'La jetée longue', type: '' }] },
    external_ids: { imdb_id: 'tt0000101', wikidata_id: null },
    credits: {
      cast: [
        { id: 2, name: 'Bo Second', character: 'Ida', order: 1 },
        { id: 1, name: 'Ann First', character: 'Mia', order: 0, profile_path: '/ann.png' },
      ],
      crew: [
        { id: 3, name: 'Cy Third', job: 'Director' },
        { id: 4, name: 'Di Fourth', job: 'Catering' },
      ],
    },
    release_dates: {
      results: [
        { iso_3166_1: 'US', release_dates: [{ type: 3, certification: 'PG-13' }] },
        {
          iso_3166_1: 'DE',
          release_dates: [
            { type: 1, certification: '16' },
            { type: 3, certification: '' },
            { type: 4, certification: '12' },
          ],
        },
      ],
    },
  },
  { id: 102, title: 'Twins', release_date: '1999-01-01', runtime: 80 },
  { id: 103, title: 'Twins', release_date: '1999-06-01', runtime: 80 },
];

export const EXAMPLE_PEOPLE: readonly MetadataPage[] = [
  {
    id: 1,
    name: 'Ann First',
    biography: 'Ann First acts on both sides of the Channel.',
    birthday: '1970-02-03',
    deathday: null,
    place_of_birth: 'Ostend, Belgium',
    imdb_id: 'nm0000001',
    profile_path: '/ann.png',
  },
];

export const EXAMPLE_SHOWS: readonly MetadataPage[] = [
  {
    id: 201,
    name: 'Lantern Street',
    original_name: 'Lantern Street',
    overview: 'A street at night.',
    first_air_date: '2010-09-01',
    seasons: [
      { season_number: 0, episode_count: 2 },
      { season_number: 1, episode_count: 8 },
    ],
    genres: [{ id: 80, name: 'Crime' }],
    networks: [{ id: 1, name: 'Channel Nine' }],
    created_by: [{ id: 5, name: 'Ed Fifth' }],
    'season/1': {
      id: 2011,
      season_number: 1,
      name: 'Season 1',
      overview: 'The lamps are lit.',
      poster_path: '/street-1.png',
      episodes: [
        {
          id: 20111,
          episode_number: 1,
          name: 'First Light',
          overview: 'Kit comes home.',
          air_date: '2010-09-01',
          still_path: '/street-1-1.png',
          vote_average: 8.12,
          vote_count: 40,
          crew: [{ id: 3, name: 'Cy Third', job: 'Director' }],
          guest_stars: [{ id: 7, name: 'Gus Seventh', character: 'The lamplighter', order: 0 }],
        },
        { id: 20112, episode_number: 2, name: 'Episode 2', overview: 'It rains.', air_date: '2010-09-08' },
        { id: 20113, episode_number: 3, name: 'Ash', overview: 'It burns.', air_date: '2010-09-15' },
      ],
    },
    /** Served as episode groups. */
    orders: [
      {
        id: '5acf93e60e0a26346d0000ce',
        name: 'DVD order',
        type: 3,
        groups: [
          {
            name: 'Disc set 1',
            order: 1,
            episodes: [
              { order: 0, season_number: 1, episode_number: 3 },
              { order: 1, season_number: 1, episode_number: 1 },
            ],
          },
        ],
      },
      {
        id: '5acf93e60e0a26346d0000cf',
        name: 'Backwards',
        type: 9,
        groups: [
          {
            name: 'All',
            order: 0,
            episodes: [3, 2, 1].map((episode_number, order) => ({ order, season_number: 1, episode_number })),
          },
        ],
      },
    ],
    content_ratings: { results: [{ iso_3166_1: 'US', rating: 'TV-14' }] },
    aggregate_credits: {
      cast: [{ id: 6, name: 'Flo Sixth', order: 0, roles: [{ character: 'Kit', episode_count: 8 }] }],
      crew: [],
    },
  },
];

/** Reads films and shows from a JSON file, with pictures from the folder `metadata` next to it; else the examples. */
export function readMetadataFixtures(file: string | undefined): MetadataFixtures {
  if (file === undefined) return { films: EXAMPLE_FILMS, shows: EXAMPLE_SHOWS };
  const pages = JSON.parse(readFileSync(file, 'utf8')) as Pick<MetadataFixtures, 'films' | 'shows' | 'sets'>;
  const folder = join(dirname(file), 'metadata');
  return {
    ...pages,
    picture: (path) => {
      if (!/^\/[\w-]+\.jpg$/.test(path)) return undefined;
      return existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : undefined;
    },
  };
}
