/**
 * Collections of the household.
 *
 * The view of a Profile is derived from its visible items at each request (`group.ts`), so no number, name, picture or
 * order depends on a hidden one. Only Owners change collections, one change at a time.
 */
import { z } from 'zod';
import type { Card } from '../../contract/catalog/cards.ts';
import type { Collection, CollectionMembership } from '../../contract/lists/collections.ts';
import { MAX_QUEUE_ENTRIES, type PlayQueue } from '../../contract/lists/playlists.ts';
import { decodeCursor, encodeCursor } from '../../lib/json/cursor.ts';
import { byListName } from '../covers.ts';
import {
  type CollectionEdit,
  type CollectionNeeds,
  createCollectionChanges,
  noPicture,
  noSuchItem,
  notCollected,
} from './change.ts';
import { orderedItems } from './group.ts';
import { isNamed } from './names.ts';
import { type CollectionPicture, createShownCollections } from './shown.ts';
import { type CollectionAsker as Asker, createStoredCollections } from './stored.ts';

type Page<T> = { items: T[]; total: number; nextCursor?: string };
type Paging = { limit: number; cursor?: string | undefined };
/** The last entry of a page, and its index. */
const Position = z.tuple([z.string(), z.int()]);

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
  const { listed, opened, pictureOf } = createShownCollections(catalog);
  const read = async (by: Asker, id: string) => opened(by, await open(by, id));
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
        named.slice(from, from + limit).map((one) => listed(by, one, orderedItems(one, collectable.find))),
      );
      return { items, total: named.length, ...(nextCursor !== undefined && { nextCursor }) };
    },
    create: async (by, given) => read(by, await changes.create(by, given)),
    update: async (by, id, edit) => {
      await changes.update(by, id, edit);
      return read(by, id);
    },
    picture: async (by, id) => {
      const picture = await pictureOf((await open(by, id)).one);
      if (!picture) throw noPicture();
      return picture;
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
  // If the last one of the page was removed in the meantime, the next one is where it was.
  const from = last === undefined ? 0 : found < 0 ? lastAt : found + 1;
  const end = ids[from + limit - 1];
  return {
    from,
    ...(end !== undefined &&
      from + limit < ids.length && { nextCursor: encodeCursor([...bound], [end, from + limit - 1]) }),
  };
}
