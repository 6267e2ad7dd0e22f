/**
 * Pages and pictures of the stand-in metadata provider for the demo library: what a newcomer sees arriving after the
 * first scan. Everything is invented, and the pictures are drawn like those of the library.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backdrop, poster } from './art.ts';
import { ACTORS, FILMS, SHOW } from './films.ts';

/** Facts of films whose files say nothing about them. */
const UNDESCRIBED: Readonly<
  Record<string, { plot: string; genres: string[]; rating: number; actors: [string, string][] }>
> = {
  'Quiet Machines': {
    plot: 'The last clockmaker of the valley repairs a machine that nobody remembers ordering.',
    genres: ['Drama', 'Science Fiction'],
    rating: 7.4,
    actors: [
      ['Mara Lindqvist', 'The clockmaker'],
      ['Emil Sander', 'The courier'],
    ],
  },
};
/** Trailers at sites outside. Their addresses are invented, too. */
const TRAILERS: Readonly<Record<string, object[]>> = {
  'The Lighthouse Keeper': [
    { site: 'YouTube', key: 'invented-01', name: 'Official trailer', type: 'Trailer', official: true, iso_639_1: 'en' },
    { site: 'Vimeo', key: '990101', name: 'A voice at sea', type: 'Teaser', official: true, iso_639_1: 'en' },
  ],
};
/** Two films of one set, so that a collection appears. */
const SET = {
  id: 9901,
  name: 'The Keepers of the Light',
  overview: 'Two films about people who keep a light at night, a hundred years and half a world apart.',
  films: ['The Lighthouse Keeper', '夜の灯台'],
};
const SET_POSTER = `/set-${SET.id}-poster.jpg`;
const FIRST_FILM = 990101;
const SHOW_ID = 990200;
const VOTES = 1200;

const personId = (name: string): number => 990500 + ACTORS.indexOf(name);
const genresOf = (names: readonly string[]) => names.map((name, id) => ({ id: id + 1, name }));
const castOf = (actors: readonly (readonly [string, string])[]) =>
  actors.map(([name, character], order) => ({ id: personId(name), name, character, order }));

function filmPage(film: (typeof FILMS)[number], index: number) {
  const { title, year, imdb, director, mpaa, hasArt } = film;
  const more = UNDESCRIBED[title];
  const seconds = Math.max(...film.videos.map((video) => video.seconds));
  return {
    id: FIRST_FILM + index,
    title,
    original_title: title,
    overview: film.plot ?? more?.plot ?? '',
    release_date: `${year}-09-0${1 + (index % 9)}`,
    runtime: Math.max(1, Math.round(seconds / 60)),
    vote_average: film.rating ?? more?.rating ?? 0,
    vote_count: VOTES,
    genres: genresOf(film.genres ?? more?.genres ?? []),
    production_companies: [{ id: 1, name: 'Demo Pictures' }],
    belongs_to_collection: SET.films.includes(title) ? { id: SET.id, name: SET.name } : null,
    external_ids: { imdb_id: imdb },
    credits: {
      cast: castOf(film.actors ?? more?.actors ?? []),
      crew: director === undefined ? [] : [{ id: 990400 + index, name: director, job: 'Director' }],
    },
    release_dates: {
      results: mpaa === undefined ? [] : [{ iso_3166_1: 'US', release_dates: [{ type: 3, certification: mpaa }] }],
    },
    videos: { results: TRAILERS[title] ?? [] },
    ...(hasArt ? {} : { poster_path: `/film-${index}-poster.jpg`, backdrop_path: `/film-${index}-backdrop.jpg` }),
  };
}

/**
 * Other orders of the show. Its second season was sold in another order than it was shown in, and filmed in a third, so
 * the titles of these episodes follow the choice.
 */
const ORDERS: readonly {
  id: string;
  name: string;
  type: number;
  seasons: Readonly<Record<number, readonly number[]>>;
}[] = [
  {
    id: 'd1a0d1a0d1a0d1a0d1a0d101',
    name: 'The box set',
    type: 3,
    seasons: { 0: [1], 1: [1, 2, 3, 4], 2: [4, 1, 2, 3] },
  },
  { id: 'd1a0d1a0d1a0d1a0d1a0d102', name: 'As filmed', type: 6, seasons: { 1: [1, 3, 2, 4], 2: [2, 3, 1, 4] } },
];
const ordersOfShow = () =>
  ORDERS.map(({ seasons, ...order }) => ({
    ...order,
    groups: Object.entries(seasons).map(([season, numbers]) => ({
      name: season === '0' ? 'Specials' : `Season ${season}`,
      order: Number(season),
      episodes: numbers.map((number, at) => ({ order: at, season_number: Number(season), episode_number: number })),
    })),
  }));

const stillName = (season: number, number: number): string => `still-${season}-${number}.jpg`;
function showPage() {
  const seasons = [...new Set(SHOW.episodes.map(({ season }) => season))];
  const pageOf = (season: number) => ({
    id: SHOW_ID + 1 + season,
    season_number: season,
    name: season === 0 ? 'Specials' : `Season ${season}`,
    overview: season === 2 ? 'A hard winter, and an inquiry that nobody in the harbour asked for.' : '',
    episodes: SHOW.episodes
      .filter((one) => one.season === season)
      .flatMap(({ numbers, title }) =>
        numbers.map((number, part) => ({
          id: SHOW_ID + 100 * (season + 1) + number,
          episode_number: number,
          name: numbers.length === 1 ? title : `${title}, part ${part + 1}`,
          overview: `In which ${title.toLowerCase()} changes the harbour.`,
          air_date: `${SHOW.year + season}-10-${String(number + 1).padStart(2, '0')}`,
          still_path: part === 0 ? `/${stillName(season, number)}` : null,
          vote_average: 8,
          vote_count: VOTES,
        })),
      ),
  });
  return {
    id: SHOW_ID,
    name: SHOW.title,
    original_name: SHOW.title,
    overview: SHOW.plot,
    first_air_date: `${SHOW.year}-10-01`,
    vote_average: SHOW.rating,
    vote_count: VOTES,
    genres: genresOf(SHOW.genres),
    networks: [{ id: 1, name: 'Channel Nine' }],
    external_ids: { imdb_id: SHOW.imdb },
    orders: ordersOfShow(),
    seasons: seasons.map((season) => ({ season_number: season, episode_count: pageOf(season).episodes.length })),
    content_ratings: { results: [{ iso_3166_1: 'US', rating: SHOW.mpaa }] },
    aggregate_credits: {
      cast: castOf(SHOW.actors).map(({ character, ...one }) => ({ ...one, roles: [{ character }] })),
      crew: [],
    },
    ...Object.fromEntries(seasons.map((season) => [`season/${season}`, pageOf(season)])),
  };
}

/** Returns the pages of the demo's films and show, in the shape of the provider. */
export const metadataPages = () => ({
  films: FILMS.map(filmPage),
  shows: [showPage()],
  sets: [{ id: SET.id, name: SET.name, overview: SET.overview, poster_path: SET_POSTER }],
});

/** Writes `metadata.json`, and its pictures into the folder `metadata`. */
export async function makeMetadata(folder: string): Promise<void> {
  const pictures = join(folder, 'metadata');
  await mkdir(pictures, { recursive: true });
  for (const [index, film] of FILMS.entries()) {
    if (film.hasArt) continue;
    await writeFile(join(pictures, `film-${index}-poster.jpg`), await poster(film));
    await writeFile(join(pictures, `film-${index}-backdrop.jpg`), await backdrop(film));
  }
  const ofSet = FILMS.find(({ title }) => SET.films.includes(title));
  if (ofSet) await writeFile(join(pictures, SET_POSTER), await poster({ ...ofSet, title: SET.name }));
  for (const { season, numbers, title } of SHOW.episodes)
    await writeFile(join(pictures, stillName(season, numbers[0] ?? 1)), await backdrop({ ...SHOW, title }));
  await writeFile(join(folder, 'metadata.json'), `${JSON.stringify(metadataPages(), null, 2)}\n`);
}
