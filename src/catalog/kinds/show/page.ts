/** The page of a show: its seasons with their episodes, and the episode to watch next. */
import type { Card } from '../../../contract/catalog/cards.ts';
import type { Show } from '../../../contract/catalog/items.ts';
import { cardOf, cardsOf } from '../../core/cards/cards.ts';
import { imageVersion } from '../../core/cards/image-version.ts';
import { certificationFor, sharedFacts } from '../../core/item/page.ts';
import type { PageNeeds, Viewer } from '../../core/kind.ts';
import type { IndexRow } from '../../core/library-index/types.ts';
import type { ItemRecord } from '../../store/records.ts';
import { nextEpisode } from './next-up.ts';

/** Episodes without a season are shown in the first one. */
const DEFAULT_SEASON = 1;

export async function showPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Show> {
  const { store, index } = needs;
  const ids = index.itemsOf(item.id, viewer.policy);
  const card = cardOf(needs, index.row(item.id) as IndexRow, { more: item, viewer });
  const episodes = await cardsOf(needs, ids, viewer);
  const details = await store.details(ids);
  const bySeason = Map.groupBy(episodes, ({ season }) => season ?? DEFAULT_SEASON);
  const seasons = (await store.sections(item.id)).filter(
    ({ season_number: number, present }) => present === 1 && bySeason.has(number ?? DEFAULT_SEASON),
  );
  const nextId = nextEpisode(ids, viewer.watched, index.row);
  const next = episodes.find(({ id }) => id === nextId);
  return {
    ...card,
    ...sharedFacts(item),
    ...certificationFor(needs, item.id, viewer),
    seasons: seasons.map((season) => {
      const number = season.season_number ?? DEFAULT_SEASON;
      return {
        id: season.id,
        number,
        title: season.title,
        images: Object.fromEntries(Object.entries(season.images).map(([kind, place]) => [kind, imageVersion(place)])),
        episodes: inSeason(bySeason.get(number) ?? [], number).map((episode) => {
          const plot = details.get(episode.id)?.plot;
          return { ...episode, ...(plot !== undefined && { plot }) };
        }),
      };
    }),
    ...(next && { nextUp: next }),
  };
}

/** Specials have the order of their numbers on the page, wherever they are placed between other episodes. */
const inSeason = (episodes: readonly Card[], season: number): readonly Card[] =>
  season === 0 ? episodes.toSorted((a, b) => (a.episode ?? Infinity) - (b.episode ?? Infinity) || 0) : episodes;
