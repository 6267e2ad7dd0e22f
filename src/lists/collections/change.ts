/** Changes of collections by Owners: one at a time, with an event for each Profile that sees the result. */
import type { Catalog, CollectableItems } from '../../catalog/index.ts';
import { MAX_COLLECTION_ITEMS, MAX_COLLECTIONS } from '../../contract/lists/collections.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { createLock } from '../../lib/lock.ts';
import type { CollectionChange, CollectionRow, CollectionStore } from '../store/collections.ts';
import { collectionsOf, orderedItems, type SeenCollection } from './group.ts';
import {
  type CollectionAsker as Asker,
  noCollection,
  type OpenedCollection,
  type StoredCollections,
} from './stored.ts';

export interface CollectionEdit {
  name?: string | undefined;
  description?: string | null | undefined;
  order?: 'released' | 'given' | undefined;
  cover?: string | null | undefined;
  picture?: string | null | undefined;
}

export interface CollectionNeeds {
  store: CollectionStore;
  catalog: Pick<Catalog, 'seenBy' | 'collectableBy' | 'collectionPictures' | 'sets'>;
  clock: Clock;
  /** Returns every Profile with what it may see. */
  audience(): readonly Asker[];
  /** Called with the Profiles that see another collection after a change. */
  changed(profiles: readonly string[]): void;
}
interface ChangeNeeds extends CollectionNeeds {
  kept: StoredCollections;
}

export const notCollected = () => new Failure('missing', 'no such item in the collection', { reason: 'no-such-entry' });
export const noPicture = () => new Failure('missing', 'no such picture', { reason: 'no-such-picture' });
export const noSuchItem = () => new Failure('missing', 'no such item', { reason: 'no-such-item' });

/** Runs changes one after the other, so that each of them sees the result of the one before. */
function createRunner({ catalog, clock, audience, changed, kept }: ChangeNeeds) {
  const lock = createLock();
  /** Returns what each Profile sees, as texts that are compared. */
  const seenByAll = async (): Promise<Map<string, string>> => {
    const { stored } = await kept.load();
    const texts = new Map<string, string>();
    return new Map(
      audience().map((by) => {
        const who = `${by.role} ${JSON.stringify(by.policy)}`;
        const text =
          texts.get(who) ?? textOf(kept.derive(by, catalog.collectableBy(by), stored), catalog.collectableBy(by));
        texts.set(who, text);
        return [by.profile, text];
      }),
    );
  };
  /** Runs a change, and notifies the Profiles that see its result. */
  const changing = <R>(work: () => Promise<R>): Promise<R> =>
    lock.run(async () => {
      const before = await seenByAll();
      try {
        return await work();
      } finally {
        kept.forget();
        const after = await seenByAll();
        changed([...after].flatMap(([profile, text]) => (before.get(profile) === text ? [] : [profile])));
      }
    });
  /** Returns the row to store for a collection, with the keys of its sets now. */
  const rowOf = ({ id, keys, stored }: SeenCollection): CollectionRow => {
    if (!stored) return { ...newRow(id, clock.now()), keys };
    const { entries: _, ...row } = stored;
    return { ...row, keys: [...new Set([...row.keys, ...keys])].sort() };
  };
  const edit = (
    by: Asker,
    id: string,
    work: (opened: OpenedCollection, row: CollectionRow) => Promise<unknown>,
  ): Promise<void> =>
    changing(async () => {
      const opened = await kept.open(by, id);
      await work(opened, rowOf(opened.one));
    });
  return { changing, edit };
}

/** Returns the items that the sets of a collection name. */
function inSetsOf({ collectable, one: { keys, stored } }: Pick<OpenedCollection, 'collectable' | 'one'>): Set<string> {
  const withoutEntries = stored ? [{ ...stored, entries: new Map() }] : [];
  const all = collectionsOf(collectable.inSets(), withoutEntries, { isOwner: true, isSeen: () => false });
  return new Set(all.find((one) => one.keys.some((key) => keys.includes(key)))?.members);
}

/** Returns items that may be in a collection, each once. */
function collected({ catalog }: Pick<ChangeNeeds, 'catalog'>, by: Asker, ids: readonly string[]): string[] {
  const [view, collectable] = [catalog.seenBy(by), catalog.collectableBy(by)];
  if (!ids.every(view.isSeen)) throw noSuchItem();
  if (!ids.every((id) => collectable.find(id)))
    throw new Failure('conflict', 'this kind of item cannot be in a collection', { reason: 'not-collectable' });
  return [...new Set(ids)];
}

/** Changes of collections. */
export function createCollectionChanges(needs: ChangeNeeds) {
  const { store, clock, kept, catalog } = needs;
  const runner = createRunner(needs);
  const { changing, edit } = runner;
  return {
    create: (
      by: Asker,
      given: { name: string; description?: string | undefined; ids?: readonly string[] | undefined },
    ): Promise<string> =>
      changing(async () => {
        const items = collected(needs, by, given.ids ?? []);
        const made = (await kept.load()).stored.filter((row) => row.by_hand === 1 && row.deleted === null);
        if (made.length >= MAX_COLLECTIONS)
          throw new Failure('conflict', `at most ${MAX_COLLECTIONS} collections`, { reason: 'too-many-collections' });
        const row = {
          ...newRow(newId(), clock.now()),
          by_hand: 1,
          name: given.name.trim(),
          description: given.description?.trim() || null,
        };
        await store.create(row, items);
        return row.id;
      }),
    update: (by: Asker, id: string, { name, description, order, cover, picture }: CollectionEdit) =>
      edit(by, id, async ({ items }, row) => {
        if (cover != null && !items.includes(cover)) throw notCollected();
        if (picture != null && !(await catalog.collectionPictures.has(pictureFile(picture)))) throw noPicture();
        const change: CollectionChange = {
          ...(name !== undefined && { name: name.trim() }),
          ...(description !== undefined && { description: description?.trim() || null }),
          ...(order !== undefined && { order_by: order }),
          ...(cover !== undefined && { cover }),
          ...(picture !== undefined && { picture }),
        };
        await store.change(row, change);
      }),
    setPicture: async (by: Asker, id: string, bytes: Uint8Array) => {
      await kept.open(by, id);
      const { at } = await catalog.collectionPictures.keep(bytes);
      await edit(by, id, async (_, row) => {
        await store.change(row, { picture: at.slice(0, -PICTURE_ENDING.length) });
        const named = (await store.all()).flatMap((one) => (one.picture === null ? [] : [pictureFile(one.picture)]));
        await catalog.collectionPictures.sweep(new Set(named), clock.now());
      });
    },
    remove: (by: Asker, id: string) => edit(by, id, (_, row) => store.change(row, { deleted: clock.now() })),
    restore: (_: Asker, id: string) =>
      changing(async () => {
        const found = (await kept.load()).stored.find((one) => one.id === id && one.deleted !== null);
        if (!found) throw noCollection();
        const { entries: _entries, ...row } = found;
        await store.change(row, { deleted: null });
      }),
    entries: createEntryChanges(needs, runner),
  };
}

/** Changes of the items of collections. */
function createEntryChanges(needs: ChangeNeeds, { edit }: ReturnType<typeof createRunner>) {
  const { store } = needs;
  return {
    add: async (by: Asker, id: string, ids: readonly string[]) => {
      let result = { added: 0, total: 0 };
      await edit(by, id, async (opened, row) => {
        const { items } = opened;
        const added = collected(needs, by, ids).filter((item) => !items.includes(item));
        if (items.length + added.length > MAX_COLLECTION_ITEMS)
          throw new Failure('conflict', `a collection has at most ${MAX_COLLECTION_ITEMS} items`, {
            reason: 'collection-full',
          });
        if (added.length > 0) await store.add(row, added, inSetsOf(opened));
        result = { added: added.length, total: items.length + added.length };
      });
      return result;
    },
    remove: (by: Asker, id: string, item: string) =>
      edit(by, id, async ({ items }, row) => {
        if (!items.includes(item)) throw notCollected();
        await store.remove(row, item);
      }),
    restore: (by: Asker, id: string, item: string) =>
      edit(by, id, async (opened, row) => {
        if (opened.items.includes(item)) return;
        if (opened.one.stored?.entries.get(item)?.state !== 'removed' || !opened.collectable.find(item))
          throw notCollected();
        await store.add(row, [item], inSetsOf(opened));
      }),
    move: (by: Asker, id: string, { entry, before }: { entry: string; before: string | null }) =>
      edit(by, id, async ({ items }, row) => {
        if (!items.includes(entry) || (before !== null && !items.includes(before))) throw notCollected();
        if (before !== entry) await store.move(row, items, { item: entry, before });
      }),
  };
}

const PICTURE_ENDING = '.webp';
/** Returns the name of the file of a picture. */
export const pictureFile = (picture: string): string => `${picture}${PICTURE_ENDING}`;

const newRow = (id: string, made: number): CollectionRow => ({
  id,
  name: null,
  description: null,
  by_hand: 0,
  order_by: 'released',
  cover: null,
  picture: null,
  keys: [],
  made,
  deleted: null,
});

/** Returns a text of everything that a Profile sees of its collections, but for the items' own facts. */
const textOf = (all: readonly SeenCollection[], { find }: CollectableItems): string =>
  JSON.stringify(
    all.map((one) => {
      const items = orderedItems(one, find);
      const { description, order_by: order, by_hand: byHand, cover, picture } = one.stored ?? newRow(one.id, 0);
      return [
        one.id,
        one.name,
        description,
        order,
        byHand,
        picture,
        cover !== null && items.includes(cover) && cover,
        items,
      ];
    }),
  );
