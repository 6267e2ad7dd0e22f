/**
 * Collections of the household.
 *
 * The view of a Profile is derived from its visible items at each request (`group.ts`), so no number, name, picture or
 * order depends on a hidden one. Only Owners change collections, one change at a time.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Card } from '../../contract/catalog/cards.ts';
import type { Collection, CollectionMembership } from '../../contract/lists/collections.ts';
import { MAX_COVERS, MAX_QUEUE_ENTRIES, type PlayQueue } from '../../contract/lists/playlists.ts';
import type { Catalog, SetFacts } from '../../catalog/index.ts';
import { decodeCursor, encodeCursor } from '../../lib/json/cursor.ts';
import { byListName, coversOf } from '../covers.ts';
import {
  type CollectionEdit,
  type CollectionNeeds,
  createCollectionChanges,
  noPicture,
  noSuchItem,
  notCollected,
  pictureFile,
} from './change.ts';
import { orderedItems, type SeenCollection, setIdOf } from './group.ts';
import { isNamed } from './names.ts';
import { type CollectionAsker as Asker, createStoredCollections } from './stored.ts';

type Page<T> = { items: T[]; total: number; nextCursor?: string };
type Paging = { limit: number; cursor?: string | undefined };
/** The last entry of a page, and its index. */
const Position = z.tuple([z.string(), z.int()]);

type CollectionPicture = Parameters<Catalog['art']['make']>[0];

export interface Collections {
  list(by: Asker, query: Paging & { q?: string | undefined }): Promise<Page<Collection>>;
  read(by: Asker, id: string): Promise<Collection>;
  create(
    by: Asker,
    given: { name: string; description?: string | undefined; ids?: readonly string[] | undefined },
  ): Promise<Collection>;
  update(by: Asker, id: string, edit: CollectionEdit): Promise<Collection>;
  /** Returns the uploaded picture as a source of artwork; fails as `missing` if there is none. */
  picture(by: Asker, id: string): Promise<CollectionPicture>;
  setPicture(by: Asker, id: string, bytes: Uint8Array): Promise<Collection>;
  remove(by: Asker, id: string): Promise<void>;
  restore(by: Asker, id: string): Promise<Collection>;
  /** Returns the collections that Owners deleted. */
  deleted(by: Asker): Promise<{ id: string; name: string }[]>;
  entries: {
    page(by: Asker, id: string, query: Paging): Promise<Page<{ entry: string; item: Card }>>;
    add(by: Asker, id: string, ids: readonly string[]): Promise<{ added: number; total: number }>;
    remove(by: Asker, id: string, item: string): Promise<void>;
    restore(by: Asker, id: string, item: string): Promise<void>;
    move(by: Asker, id: string, how: { entry: string; before: string | null }): Promise<void>;
    queue(by: Asker, id: string, from: string | undefined): Promise<PlayQueue>;
  };
  /** Returns the collections that an item is in. */
  ofItem(by: Asker, item: string): Promise<CollectionMembership[]>;
}

export function createCollections(needs: CollectionNeeds): Collections {
  const { catalog } = needs;
  const kept = createStoredCollections(needs);
  const { open } = kept;
  const setOf = (one: SeenCollection, isKeptOnly: boolean) => {
    const id = setIdOf(one);
    return id === undefined ? undefined : catalog.sets.of(id, { isKeptOnly });
  };
  const shown = async (by: Asker, one: SeenCollection, items: readonly string[]) =>
    collectionOf(catalog.seenBy(by), one, { items, set: (await setOf(one, true))?.facts });
  const read = async (by: Asker, id: string) => {
    const { one, items } = await open(by, id);
    // Text and poster of the set are fetched for the page of a collection, and not for a list of many.
    const { facts, isPending = false } = (await setOf(one, false)) ?? {};
    return {
      ...(await collectionOf(catalog.seenBy(by), one, { items, set: facts })),
      ...(isPending && { pending: true as const }),
    };
  };
  const changes = createCollectionChanges({ ...needs, kept });

  return {
    read,
    list: async (by, { q, limit, cursor }) => {
      const { all, collectable } = await kept.seenBy(by);
      const named = (q === undefined ? all : all.filter(({ name }) => isNamed(name, q))).toSorted(byListName);
      const bound = ['collections', by.profile, q ?? ''];
      const { from, nextCursor } = pageOf(
        named.map(({ id }) => id),
        bound,
        { limit, cursor },
      );
      const items = await Promise.all(
        named.slice(from, from + limit).map((one) => shown(by, one, orderedItems(one, collectable.find))),
      );
      return { items, total: named.length, ...(nextCursor !== undefined && { nextCursor }) };
    },
    create: async (by, given) => read(by, await changes.create(by, given)),
    update: async (by, id, edit) => {
      await changes.update(by, id, edit);
      return read(by, id);
    },
    picture: async (by, id) => {
      const { one } = await open(by, id);
      const bare = { size: 0, modifiedMs: 0, frameAt: undefined };
      const picture = one.stored?.picture;
      if (picture != null)
        return {
          ...bare,
          root: catalog.collectionPictures.folder,
          relative: pictureFile(picture),
          version: picture,
        };
      const poster = (await setOf(one, true))?.facts?.poster;
      const file = poster === undefined ? undefined : await catalog.sets.picture(poster);
      if (!file || poster === undefined) throw noPicture();
      return { ...bare, ...file, version: versionOf(poster) };
    },
    setPicture: async (by, id, bytes) => {
      await changes.setPicture(by, id, bytes);
      return read(by, id);
    },
    remove: changes.remove,
    restore: async (by, id) => {
      await changes.restore(by, id);
      return read(by, id);
    },
    deleted: async (by) => {
      const { stored } = await kept.load();
      const { collectable } = await kept.seenBy(by);
      const gone = stored.filter(({ deleted }) => deleted !== null);
      const alive = gone.map((row) => ({ ...row, deleted: null }));
      const named = new Map(kept.derive(by, collectable, alive).map(({ id, name }) => [id, name]));
      return gone.map((row) => ({ id: row.id, name: named.get(row.id) ?? row.name ?? row.id })).sort(byListName);
    },
    entries: {
      page: async (by, id, { limit, cursor }) => {
        const { one, items } = await open(by, id);
        const { from, nextCursor } = pageOf(items, ['collection', by.profile, one.id], { limit, cursor });
        const cards = await catalog.seenBy(by).cards(items.slice(from, from + limit));
        return {
          items: cards.map((item) => ({ entry: item.id, item })),
          total: items.length,
          ...(nextCursor !== undefined && { nextCursor }),
        };
      },
      queue: async (by, id, from) => {
        const { items } = await open(by, id);
        const at = from === undefined ? 0 : items.indexOf(from);
        if (at < 0) throw notCollected();
        const { watched } = catalog.seenBy(by);
        const played = items
          .slice(at)
          .flatMap((entry) => (watched.itemsOf([entry]) ?? []).map((item) => ({ entry, item })));
        return { items: played.slice(0, MAX_QUEUE_ENTRIES), total: played.length };
      },
      ...changes.entries,
    },
    ofItem: async (by, item) => {
      const view = catalog.seenBy(by);
      if (!view.isSeen(item)) throw noSuchItem();
      const { all, collectable } = await kept.seenBy(by);
      const found = all.filter(({ members }) => members.has(item)).sort(byListName);
      return Promise.all(
        found.map(async (one) => {
          const items = orderedItems(one, collectable.find);
          const at = items.indexOf(item);
          const [next] = await view.cards(items.slice(at + 1, at + 2));
          return { id: one.id, name: one.name, position: at + 1, items: items.length, ...(next && { next }) };
        }),
      );
    },
  };
}

/** Returns where a page starts, and the cursor of the next one. */
function pageOf(
  ids: readonly string[],
  bound: readonly string[],
  { limit, cursor }: Paging,
): { from: number; nextCursor?: string } {
  const [last, lastAt = -1] = cursor === undefined ? [] : decodeCursor([...bound], cursor, Position);
  const found = last === undefined ? -1 : ids.indexOf(last);
  // If the last one of the page was removed meanwhile, the next one is where it was.
  const from = last === undefined ? 0 : found < 0 ? lastAt : found + 1;
  const end = ids[from + limit - 1];
  return {
    from,
    ...(end !== undefined &&
      from + limit < ids.length && { nextCursor: encodeCursor([...bound], [end, from + limit - 1]) }),
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
