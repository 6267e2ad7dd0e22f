/** Films and shows of the metadata stand-in. They are made up, in the shape of TMDB's pages. */
export type MetadataPage = Readonly<Record<string, unknown>>;
export interface MetadataFixtures {
  films: readonly MetadataPage[];
  shows: readonly MetadataPage[];
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
    content_ratings: { results: [{ iso_3166_1: 'US', rating: 'TV-14' }] },
    aggregate_credits: {
      cast: [{ id: 6, name: 'Flo Sixth', order: 0, roles: [{ character: 'Kit', episode_count: 8 }] }],
      crew: [],
    },
  },
];
