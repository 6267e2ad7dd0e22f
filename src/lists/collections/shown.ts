/**
 * Collections as replies show them: numbers and covers of the items that a Profile sees, and what an Owner wrote and
 * chose, else the text and poster of the set at TMDB.
 */
import { hash } from 'node:crypto';
import type { Catalog, SetFacts } from '../../catalog/index.ts';
import type { Collection } from '../../contract/lists/collections.ts';
import { MAX_COVERS } from '../../contract/lists/playlists.ts';
import { coversOf } from '../covers.ts';
import { pictureFile } from './change.ts';
import { type SeenCollection, setIdOf } from './group.ts';
import type { CollectionAsker as Asker, OpenedCollection } from './stored.ts';

export type CollectionPicture = Parameters<Catalog['art']['make']>[0];

export function createShownCollections(catalog: Pick<Catalog, 'seenBy' | 'sets' | 'collectionPictures'>) {
  const setOf = async (one: SeenCollection, isKeptOnly: boolean) => {
    const id = setIdOf(one);
    return id === undefined ? { facts: undefined, isPending: false } : catalog.sets.of(id, { isKeptOnly });
  };
  return {
    /** Returns a collection of a list. Nothing is fetched for it. */
    listed: async (by: Asker, one: SeenCollection, items: readonly string[]): Promise<Collection> =>
      collectionOf(catalog.seenBy(by), one, { items, set: (await setOf(one, true)).facts }),
    /** Returns the collection of a page. Text and poster of its set are fetched if they are not known. */
    opened: async (by: Asker, { one, items }: Pick<OpenedCollection, 'one' | 'items'>): Promise<Collection> => {
      const { facts, isPending } = await setOf(one, false);
      return {
        ...(await collectionOf(catalog.seenBy(by), one, { items, set: facts })),
        ...(isPending && { pending: true as const }),
      };
    },
    /** Returns the uploaded picture, else the poster of the set; undefined if there is neither. */
    pictureOf: async (one: SeenCollection): Promise<CollectionPicture | undefined> => {
      const bare = { size: 0, modifiedMs: 0, frameAt: undefined };
      const picture = one.stored?.picture;
      if (picture != null)
        return {
          ...bare,
          root: catalog.collectionPictures.folder,
          relative: pictureFile(picture),
          version: picture,
        };
      const poster = (await setOf(one, true)).facts?.poster;
      const file = poster === undefined ? undefined : await catalog.sets.picture(poster);
      return file && poster !== undefined ? { ...bare, ...file, version: versionOf(poster) } : undefined;
    },
  };
}

/** Returns the version of a poster by its path, in the form of that of an uploaded picture. */
const versionOf = (poster: string): string => hash('sha256', poster).slice(0, 32);

async function collectionOf(
  view: ReturnType<Catalog['seenBy']>,
  { id, name, stored }: SeenCollection,
  { items, set }: { items: readonly string[]; set: SetFacts | undefined },
): Promise<Collection> {
  const cover = stored?.cover != null && items.includes(stored.cover) ? stored.cover : undefined;
  const lengthOf = (item: string) =>
    (view.watched.itemsOf([item]) ?? []).reduce((sum, one) => sum + (view.watched.duration(one) ?? 0), 0);
  return {
    id,
    name,
    ...(stored?.description != null && { description: stored.description }),
    ...(stored?.description == null && set?.overview !== undefined && { overview: set.overview }),
    source: stored?.by_hand === 1 ? 'owner' : 'sets',
    order: stored?.order_by ?? 'released',
    items: items.length,
    duration: items.reduce((sum, item) => sum + lengthOf(item), 0),
    ...(stored?.picture != null && { picture: stored.picture }),
    // A poster that was chosen among the items counts more than that of the set.
    ...(stored?.picture == null && !cover && set?.poster !== undefined && { poster: versionOf(set.poster) }),
    ...(cover !== undefined && { cover }),
    covers: await coversOf(view, cover === undefined ? items.slice(0, MAX_COVERS) : [cover]),
  };
}
