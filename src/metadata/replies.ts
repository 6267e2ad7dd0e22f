/** Shapes of TMDB's replies, as far as they are read. Unknown members are ignored; others must have their type. */
import { z } from 'zod';

const text = z.string().max(20_000).nullish();
const name = z.string().max(1000);
const id = z.int().min(1);
const path = z.string().max(200).nullish();
const many = <T extends z.ZodType>(of: T) => z.array(of).max(5000);

export const Authentication = z.object({ success: z.literal(true) });

const Titles = z.object({
  results: many(z.object({ title: name })).optional(),
  titles: many(z.object({ title: name })).optional(),
});
const Named = z.object({ name });
const person = { id: id.optional(), name, profile_path: path };
const Credit = z.object({ ...person, character: text, job: text, order: z.number().optional() });
const AggregateCredit = z.object({
  ...person,
  order: z.number().optional(),
  roles: many(z.object({ character: text })).optional(),
  jobs: many(z.object({ job: text })).optional(),
});
const ExternalIds = z.object({ imdb_id: text, tvdb_id: z.int().nullish(), wikidata_id: text });
const Images = z.object({
  logos: many(z.object({ file_path: path, iso_639_1: z.string().nullish() })).optional(),
});
const Video = z.object({
  site: text,
  key: text,
  name: text,
  type: text,
  official: z.boolean().nullish(),
  iso_639_1: z.string().nullish(),
});
const common = {
  id,
  overview: text,
  tagline: text,
  vote_average: z.number().min(0).max(10).nullish(),
  vote_count: z.number().min(0).nullish(),
  genres: many(Named).optional(),
  poster_path: path,
  backdrop_path: path,
  alternative_titles: Titles.optional(),
  external_ids: ExternalIds.optional(),
  images: Images.optional(),
  videos: z.object({ results: many(Video).optional() }).optional(),
};

/** The part of a film or show that names its poster. */
export const PosterPage = z.object({ id, poster_path: path });

export const FilmPage = z.object({
  ...common,
  title: name,
  original_title: text,
  release_date: text,
  runtime: z.number().min(0).nullish(),
  belongs_to_collection: z.object({ id, name }).nullish(),
  production_companies: many(Named).optional(),
  origin_country: many(z.string()).optional(),
  credits: z.object({ cast: many(Credit).optional(), crew: many(Credit).optional() }).optional(),
  release_dates: z
    .object({
      results: many(
        z.object({
          iso_3166_1: z.string(),
          release_dates: many(z.object({ type: z.int(), certification: text })),
        }),
      ),
    })
    .optional(),
});
export type FilmPage = z.output<typeof FilmPage>;

export const ShowPage = z.object({
  ...common,
  name,
  original_name: text,
  first_air_date: text,
  episode_run_time: many(z.number()).optional(),
  seasons: many(z.object({ season_number: z.int(), episode_count: z.int() })).optional(),
  networks: many(Named).optional(),
  next_episode_to_air: z.object({ air_date: text }).nullish(),
  last_air_date: text,
  created_by: many(z.object(person)).optional(),
  origin_country: many(z.string()).optional(),
  aggregate_credits: z
    .object({ cast: many(AggregateCredit).optional(), crew: many(AggregateCredit).optional() })
    .optional(),
  content_ratings: z.object({ results: many(z.object({ iso_3166_1: z.string(), rating: text })) }).optional(),
});
export type ShowPage = z.output<typeof ShowPage>;

const EpisodePage = z.object({
  id: id.optional(),
  episode_number: z.int().min(0),
  name: name.optional(),
  overview: text,
  air_date: text,
  still_path: path,
  vote_average: z.number().min(0).max(10).nullish(),
  vote_count: z.number().min(0).nullish(),
  crew: many(Credit).optional(),
  guest_stars: many(Credit).optional(),
});
export type EpisodePage = z.output<typeof EpisodePage>;
const SeasonPage = z.object({
  id: id.optional(),
  season_number: z.int().min(0),
  name: name.optional(),
  overview: text,
  poster_path: path,
  episodes: many(EpisodePage).optional(),
});
export type SeasonPage = z.output<typeof SeasonPage>;
/** The shape of a show's page with these seasons. One that the service does not have is left out or an error. */
export const seasonsShape = (names: readonly string[]) => {
  const season = z.union([SeasonPage, z.object({ success: z.literal(false) })]).optional();
  return z.object(Object.fromEntries(names.map((one) => [one, season])));
};

/** Orders of the episodes of a show. */
export const EpisodeOrderList = z.object({
  results: many(
    z.object({
      id: z.string().regex(/^[0-9a-f]{8,32}$/),
      name,
      type: z.int(),
      episode_count: z.int().min(0),
      group_count: z.int().min(0),
    }),
  ),
});
/** One of these orders, with the usual place of each episode. */
export const EpisodeOrderPage = z.object({
  groups: many(
    z.object({
      name,
      order: z.int().min(0).max(10_000),
      episodes: many(
        z.object({ order: z.int().min(0), season_number: z.int().min(0), episode_number: z.int().min(0) }),
      ),
    }),
  ),
});
export type EpisodeOrderPage = z.output<typeof EpisodeOrderPage>;

/** Works with an id of another database. */
export const FoundWorks = z.object({
  movie_results: z.array(z.object({ id })).max(20).optional(),
  tv_results: z.array(z.object({ id })).max(20).optional(),
});
/** A page of works that changed. */
export const ChangedWorks = z.object({
  results: z.array(z.object({ id: id.nullish() })).max(1000),
  total_pages: z.int().min(0),
});
const sizeNames = z.array(z.string().regex(/^(w\d{1,5}|h\d{1,5}|original)$/)).max(30);
export const PictureSizes = z.object({
  images: z.object({
    poster_sizes: sizeNames,
    backdrop_sizes: sizeNames,
    still_sizes: sizeNames,
    logo_sizes: sizeNames,
  }),
});
export type PictureSizes = z.output<typeof PictureSizes>;
const Offered = z.object({
  file_path: path,
  iso_639_1: z.string().nullish(),
  width: z.int().min(0).optional(),
  height: z.int().min(0).optional(),
});
/** Pictures of a work. */
export const WorkPictures = z.object({
  posters: many(Offered).optional(),
  backdrops: many(Offered).optional(),
  logos: many(Offered).optional(),
});
export type WorkPictures = z.output<typeof WorkPictures>;

const totalPages = z.int().min(0).optional();
export const FilmHits = z.object({
  results: many(z.object({ id, title: name, original_title: text, release_date: text })).max(20),
  total_pages: totalPages,
});
export type FilmHits = z.output<typeof FilmHits>;
export const ShowHits = z.object({
  results: many(z.object({ id, name, original_name: text, first_air_date: text })).max(20),
  total_pages: totalPages,
});
export type ShowHits = z.output<typeof ShowHits>;
