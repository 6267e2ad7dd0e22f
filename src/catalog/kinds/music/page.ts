/** The page of an album: its discs with their tracks, and tracks with what a player needs to know. */
import type { Album, Track } from '../../../contract/catalog/music.ts';
import { cardOf, cardsOf } from '../../core/cards/cards.ts';
import { certificationFor } from '../../core/item/page.ts';
import { soundFactsOf } from '../../core/item/sound.ts';
import type { PageNeeds, Viewer } from '../../core/kind.ts';
import type { IndexRow } from '../../core/library-index/types.ts';
import type { ItemRecord } from '../../store/records.ts';
import { artistId } from './artists.ts';
import { VARIOUS_ARTISTS } from './draft.ts';

/** Tracks without a disc are shown on the first one. */
const DEFAULT_DISC = 1;

/** Returns tracks with their sound, in the given order. The caller has checked that the Profile may see them. */
export async function trackCardsOf(needs: PageNeeds, ids: readonly string[], viewer: Viewer): Promise<Track[]> {
  const cards = await cardsOf(needs, ids, viewer);
  const infos = await Promise.all(cards.map(async ({ id }) => (await needs.itemFiles.of(id))[0]?.info));
  return cards.map((card, i) => ({ ...card, sound: soundFactsOf(infos[i]) ?? {} }));
}

export async function albumPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Album> {
  const { store, index } = needs;
  const ids = index.itemsOf(item.id, viewer.policy);
  const card = cardOf(needs, index.row(item.id) as IndexRow, { more: item, viewer });
  const tracks = await trackCardsOf(needs, ids, viewer);
  const details = await store.details(ids);
  const discs = [...Map.groupBy(tracks, ({ disc }) => disc ?? DEFAULT_DISC)].map(([number, own]) => {
    const title = own.map(({ id }) => details.get(id)?.music?.discTitle).find((one) => one !== undefined);
    return { number, ...(title !== undefined && { title }), tracks: own };
  });
  const gained = tracks.find(({ sound }) => sound.gain?.album !== undefined)?.sound.gain;
  return {
    ...card,
    genres: [...item.genres],
    ...certificationFor(needs, item.id, viewer),
    ids: item.detail.ids,
    ...(gained?.album !== undefined && {
      gain: { gain: gained.album, ...(gained.albumPeak !== undefined && { peak: gained.albumPeak }) },
    }),
    credits: (card.artists ?? [])
      .filter((name) => name !== VARIOUS_ARTISTS)
      .map((name) => ({ id: artistId(name), name })),
    discs,
  };
}
