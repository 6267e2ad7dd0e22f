/** Reads the seasons and episodes of a show from TMDB, and turns them into layers of the catalogue. */
import type { CatalogBackground, GroupOutline, LayerFacts } from '../catalog/index.ts';
import { communityRatingOf, yearOf } from './facts.ts';
import { guestsOf } from './people.ts';
import type { MetadataClient } from './client.ts';
import { orderedSeasons, seasonsInOrder } from './ordered-seasons.ts';
import { EpisodeOrderPage, type EpisodePage, type SeasonPage, seasonsShape } from './replies.ts';
import type { PictureFetcher } from './works.ts';

/** TMDB adds at most 20 parts to a reply. */
const SEASONS_PER_REQUEST = 20;
const MAX_SEASONS = 200;

export interface SeasonNeeds {
  client: MetadataClient;
  catalog: Pick<CatalogBackground, 'layers' | 'outline'>;
  picture: PictureFetcher;
  /** Returns the order that was chosen for a show; see the store. */
  orderOf(show: string, work: string): Promise<string | undefined>;
}
/** One layer to write. */
export interface PartFacts {
  item: string;
  source: 'match' | 'tmdb';
  /** Null drops the layer. */
  facts: LayerFacts | null;
}

/** A title that only repeats the number (`Episode 4`, `Folge 4`, `Season 2`) says less than the name of a file. */
const isGeneric = (title: string, number: number): boolean => {
  const digits = /^\D*?(\d+)\D*$/.exec(title.trim())?.[1];
  return digits !== undefined && Number(digits) === number && title.trim().split(/\s+/).length <= 2;
};
const textOf = (text: string | null | undefined): string | undefined => text?.trim() || undefined;

/** Returns the facts of an episode, or of several in one file: their titles, and their plots one after the other. */
export function episodeFactsOf(episodes: readonly EpisodePage[]): LayerFacts {
  const [first] = episodes;
  if (!first) return {};
  const titles = episodes.map(({ name = '', episode_number: number }) =>
    name === '' || isGeneric(name, number) ? undefined : name.trim(),
  );
  const plots = episodes.flatMap(({ overview }) => textOf(overview) ?? []);
  const year = yearOf(first.air_date);
  const people = guestsOf(first);
  const rating = communityRatingOf(first);
  return {
    ...(titles.every((title) => title !== undefined) ? { title: titles.join(' / ') } : {}),
    ...(plots.length > 0 ? { plot: plots.join('\n\n') } : {}),
    ...(year === undefined ? {} : { year, released: first.air_date ?? null }),
    ...(rating === undefined ? {} : { communityRating: rating }),
    ...(people.length > 0 ? { people } : {}),
    ...(first.id === undefined ? {} : { ids: { tmdb: String(first.id) } }),
  };
}

/** Returns the facts of a season. */
export function seasonFactsOf({ id, name = '', overview, season_number: number }: SeasonPage): LayerFacts {
  const plot = textOf(overview);
  return {
    ...(name === '' || number === 0 || isGeneric(name, number) ? {} : { title: name.trim() }),
    ...(plot === undefined ? {} : { plot }),
    ...(id === undefined ? {} : { ids: { tmdb: String(id) } }),
  };
}

export function createSeasons({ client, catalog, picture, orderOf }: SeasonNeeds) {
  const read = async (
    work: string,
    wanted: readonly number[],
    { query, signal }: { query: Readonly<Record<string, string>>; signal: AbortSignal },
  ): Promise<Map<number, SeasonPage>> => {
    const pages = new Map<number, SeasonPage>();
    for (let from = 0; from < wanted.length; from += SEASONS_PER_REQUEST) {
      const some = wanted.slice(from, from + SEASONS_PER_REQUEST).map((number) => `season/${number}`);
      const request = { path: `/tv/${work}`, query: { ...query, append_to_response: some.join(',') } };
      const page = await client.read({ ...request, shape: seasonsShape(some) }, signal);
      for (const season of Object.values(page ?? {}))
        if (typeof season === 'object' && 'season_number' in season) pages.set(season.season_number, season);
    }
    return pages;
  };

  /** Returns the seasons with these numbers in an order; undefined if the provider no longer has it. */
  const readOrdered = async (
    work: string,
    { order, numbers }: { order: string; numbers: readonly number[] },
    how: Parameters<typeof read>[2],
  ): Promise<Map<number, SeasonPage> | undefined> => {
    const request = {
      path: `/tv/episode_group/${order}`,
      query: { language: how.query['language'] },
      shape: EpisodeOrderPage,
    };
    const page = await client.read(request, how.signal);
    if (!page) return undefined;
    const seasons = orderedSeasons(page).filter(({ season }) => numbers.includes(season));
    const usual = [...new Set(seasons.flatMap(({ episodes }) => episodes.map(({ season }) => season)))];
    return seasonsInOrder(seasons, await read(work, usual.slice(0, MAX_SEASONS), how));
  };

  const withImage = async (
    had: LayerFacts | undefined,
    {
      facts,
      kind,
      path,
      isWanted,
    }: { facts: LayerFacts; kind: 'poster' | 'thumb'; path: string | null | undefined; isWanted: boolean },
    signal: AbortSignal,
  ): Promise<LayerFacts> => {
    // In another order the item is another episode, and has another picture.
    const isSame = facts.ids === undefined || had?.ids?.['tmdb'] === facts.ids['tmdb'];
    const own = isSame ? had?.images?.[kind] : undefined;
    // A picture that cannot be fetched now does not remove the existing one.
    const fresh =
      path && (isWanted || !own) ? await picture(kind === 'thumb' ? 'still' : kind, path, signal) : undefined;
    const place = fresh ?? own;
    return place ? { ...facts, images: { [kind]: place } } : facts;
  };

  /** Returns the layers of the seasons and episodes of a show that the catalogue has and the provider knows. */
  return async (
    show: string,
    {
      work,
      source,
      images,
      query,
    }: { work: string; source: PartFacts['source']; images: boolean; query: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<PartFacts[]> => {
    const outline: GroupOutline = await catalog.outline(show);
    const numbers = [...new Set(outline.episodes.map(({ season }) => season))].toSorted((a, b) => a - b);
    const order = await orderOf(show, work);
    const pages = order
      ? await readOrdered(work, { order, numbers }, { query, signal })
      : await read(work, numbers.slice(0, MAX_SEASONS), { query, signal });
    if (!pages) return [];
    const ids = [...outline.seasons, ...outline.episodes].map(({ id }) => id);
    const had = new Map((await catalog.layers.read(ids)).map(({ id, layers }) => [id, layers[source]]));
    const parts: PartFacts[] = [];
    const add = (item: string, facts: LayerFacts): void => {
      if (Object.keys(facts).length > 0) parts.push({ item, source, facts });
    };
    for (const { id, season } of outline.seasons) {
      const page = pages.get(season);
      if (!page) continue;
      const image = { kind: 'poster', path: page.poster_path, isWanted: images } as const;
      add(id, await withImage(had.get(id), { facts: seasonFactsOf(page), ...image }, signal));
    }
    for (const { id, season, episode, last } of outline.episodes) {
      const all = pages.get(season)?.episodes ?? [];
      const own = all.filter(({ episode_number: number }) => number >= episode && number <= last);
      if (own.length === 0) continue;
      const image = { kind: 'thumb', path: own[0]?.still_path, isWanted: images } as const;
      add(id, await withImage(had.get(id), { facts: episodeFactsOf(own), ...image }, signal));
    }
    // An item that is not in the chosen order keeps nothing of the order before.
    const written = new Set(parts.map(({ item }) => item));
    if (order !== undefined)
      for (const id of ids) if (!written.has(id) && had.get(id)) parts.push({ item: id, source, facts: null });
    return parts;
  };
}
