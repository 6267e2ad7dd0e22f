/** Turns pages of TMDB into facts of an item. Pure functions. */
import type { LayerFacts } from '../catalog/index.ts';
import { peopleOf } from './people.ts';
import type { EpisodePage, FilmPage, ShowPage } from './replies.ts';

const MAX_NAMED = 30;
/** Types of release whose certification counts: in cinemas, limited, digital, on disc, on TV, premiere. */
const RELEASE_TYPES = [3, 2, 4, 5, 6, 1];
/** Fewer votes say little, and one vote would be an average of 10. */
const MIN_VOTES = 5;

type Common = FilmPage | ShowPage;
export const yearOf = (day: string | null | undefined): number | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(day ?? '') ? Number(day?.slice(0, 4)) : undefined;

/** Returns all titles of a work, the one in the requested language first. */
export const titlesOf = (work: Common): string[] => [
  ...('title' in work ? [work.title] : [work.name]),
  ...[('title' in work ? work.original_title : work.original_name) ?? []].flat(),
  ...(work.alternative_titles?.titles ?? work.alternative_titles?.results ?? []).map(({ title }) => title),
];

/** Returns the countries whose certification counts, the first that has one: the household's, the work's, the USA. */
const countriesOf = (work: Common, country: string | undefined): string[] => [
  ...[country?.toUpperCase() ?? []].flat(),
  ...(work.origin_country ?? []),
  'US',
];

/** Returns the certification of a work as `DE:12`. */
export function ratingOf(work: Common, country: string | undefined): string | undefined {
  for (const code of countriesOf(work, country)) {
    const found = 'title' in work ? filmRating(work, code) : showRating(work, code);
    if (found) return `${code}:${found}`;
  }
  return undefined;
}

function filmRating(film: FilmPage, country: string): string | undefined {
  const dates = film.release_dates?.results.find(({ iso_3166_1: code }) => code === country)?.release_dates ?? [];
  return RELEASE_TYPES.flatMap((type) => dates.filter((date) => date.type === type))
    .map(({ certification }) => certification?.trim() ?? '')
    .find((certification) => certification !== '');
}

const showRating = (show: ShowPage, country: string): string | undefined =>
  show.content_ratings?.results
    .find(({ iso_3166_1: code, rating }) => code === country && rating?.trim())
    ?.rating?.trim();

function idsOf({ id, external_ids: other }: Common): Record<string, string> {
  return {
    tmdb: String(id),
    ...(other?.imdb_id && /^tt\d{1,12}$/.test(other.imdb_id) ? { imdb: other.imdb_id } : {}),
    ...(other?.tvdb_id ? { tvdb: String(other.tvdb_id) } : {}),
  };
}

/** Returns the mean rating by the public with one decimal. */
export const communityRatingOf = ({
  vote_average: mean,
  vote_count: votes,
}: Pick<EpisodePage, 'vote_average' | 'vote_count'>): number | undefined =>
  mean && (votes ?? 0) >= MIN_VOTES ? Math.round(mean * 10) / 10 : undefined;

/** Returns the set of a film. */
const setOf = ({ id, name }: { id: number; name: string }) => ({ id: String(id), name });

const namesOf = (named: readonly { name: string }[] | undefined): string[] =>
  [...new Set((named ?? []).map(({ name }) => name.trim()).filter((name) => name !== ''))].slice(0, MAX_NAMED);

/** Returns the facts of a work. What the service does not know is left out, so that a lower source still shows. */
export function layerFactsOf(work: Common, country: string | undefined): LayerFacts {
  const isFilm = 'title' in work;
  const released = isFilm ? work.release_date : work.first_air_date;
  const original = isFilm ? work.original_title : work.original_name;
  const year = yearOf(released);
  const rating = ratingOf(work, country);
  const communityRating = communityRatingOf(work);
  const [genres, studios, people] = [
    namesOf(work.genres),
    namesOf(isFilm ? work.production_companies : work.networks),
    peopleOf(work),
  ];
  return {
    title: isFilm ? work.title : work.name,
    ...(original ? { originalTitle: original } : {}),
    ...(year === undefined ? {} : { year, released: released ?? null }),
    ...(rating === undefined ? {} : { rating }),
    ...(communityRating === undefined ? {} : { communityRating }),
    ...(work.overview?.trim() ? { plot: work.overview.trim() } : {}),
    ...(work.tagline?.trim() ? { tagline: work.tagline.trim() } : {}),
    ...(genres.length > 0 ? { genres } : {}),
    ...(studios.length > 0 ? { studios } : {}),
    ...(people.length > 0 ? { people } : {}),
    ...(isFilm && work.belongs_to_collection ? { set: setOf(work.belongs_to_collection) } : {}),
    ids: idsOf(work),
  };
}
