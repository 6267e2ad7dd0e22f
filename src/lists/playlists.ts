/**
 * Playlists of Profiles.
 *
 * A Profile sees its own playlists and those that others share. What it may not see is left out before anything is
 * counted, so no number, length, picture or position of a shared playlist depends on it.
 */
import { z } from 'zod';
import {
  MAX_COVERS,
  MAX_ENTRIES_OF_PROFILE,
  MAX_PLAYLIST_ENTRIES,
  MAX_PLAYLISTS,
  MAX_QUEUE_ENTRIES,
  type Playlist,
  type PlaylistEntry,
  type PlayQueue,
} from '../contract/lists/playlists.ts';
import type { Catalog, VisibleCatalog } from '../catalog/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { type Clock, iso } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { decodeCursor, encodeCursor } from '../lib/json/cursor.ts';
import { sortedPage, type RowPage, type RowPaging } from '../lib/json/page.ts';
import { coversOf, listNameKey } from './covers.ts';
import { createDeletedLists, type DeletedLists, tooManyPlaylists, tooManyShared } from './deleted.ts';
import type { StoredEntry, ListStore, PlaylistRow } from './store/playlists.ts';

type Asker = Pick<Principal, 'profile' | 'policy' | 'role'>;

/** Maximum number of removed entries of a playlist that can be brought back, and how long they can be. */
const MAX_REMOVED = 100;
const REMOVED_KEPT_MS = 24 * 60 * 60 * 1000;
/** Maximum number of entries of all playlists that are cached in memory: about 30 MB. */
const MAX_CACHED_ENTRIES = 100_000;

/** The last entry of a page, and its index among the entries that the Profile may see. */
const Position = z.tuple([z.string(), z.int()]);

const missing = () => new Failure('missing', 'no such playlist', { reason: 'no-such-playlist' });
const noEntry = () => new Failure('missing', 'no such entry', { reason: 'no-such-entry' });
const noItem = () => new Failure('missing', 'no such item', { reason: 'no-such-item' });
const full = () =>
  new Failure('conflict', `a playlist has at most ${MAX_PLAYLIST_ENTRIES} entries`, { reason: 'playlist-full' });
const tooManyEntries = () =>
  new Failure('conflict', `all playlists together have at most ${MAX_ENTRIES_OF_PROFILE} entries`, {
    reason: 'too-many-entries',
  });

export interface PlaylistNeeds {
  store: ListStore;
  catalog: Pick<Catalog, 'seenBy'>;
  clock: Clock;
  /** Returns the name of a Profile; undefined once it is removed. */
  nameOf(profile: string): string | undefined;
  /** Called after a change of what belongs to a Profile was written. */
  changed(profile: string): void;
}

export interface Playlists {
  /** Returns a page by name. */
  list(by: Asker, paging: RowPaging): Promise<RowPage<Playlist>>;
  read(by: Asker, id: string): Promise<Playlist>;
  create(
    by: Asker,
    given: { name: string; shared?: boolean | undefined; ids?: readonly string[] | undefined },
  ): Promise<Playlist>;
  update(by: Asker, id: string, change: { name?: string | undefined; shared?: boolean | undefined }): Promise<Playlist>;
  /** Deletes a playlist; `restore` brings it back as it was. */
  remove(by: Asker, id: string): Promise<void>;
  restore(by: Asker, id: string): Promise<Playlist>;
  /** Returns the deleted playlists that can be brought back, the last one first. */
  deleted(by: Asker): ReturnType<DeletedLists['all']>;
  entries: {
    page(by: Asker, id: string, query: RowPaging): Promise<RowPage<PlaylistEntry>>;
    add(by: Asker, id: string, ids: readonly string[]): Promise<{ added: number; total: number }>;
    remove(by: Asker, id: string, entry: string): Promise<void>;
    restore(by: Asker, id: string, entry: string): Promise<void>;
    move(by: Asker, id: string, how: { entry: string; before: string | null }): Promise<void>;
    queue(by: Asker, id: string, from: string | undefined): Promise<PlayQueue>;
    /** Returns the items of a playlist that the Profile may see; none if it may not see the playlist. */
    items(by: Asker, id: string): Promise<ReadonlySet<string>>;
  };
}

export function createPlaylists(needs: PlaylistNeeds): Playlists {
  const { store, catalog, clock, changed } = needs;
  const cache = createEntryCache(store);
  const deletion = createDeletedLists(store.deletion, clock);

  /** Returns a playlist with the entries that the Profile may see. */
  const seen = async (by: Asker, id: string) => {
    const row = await store.playlist(id);
    const isOwn = row?.profile === by.profile;
    if (row === undefined || (!isOwn && row.shared === 0)) throw missing();
    const view = catalog.seenBy(by);
    const entries = (await cache.of(id)).filter(({ item }) => view.isSeen(item));
    if (!isOwn && entries.length === 0) throw missing();
    return { row, entries, view };
  };
  const own = async (by: Asker, id: string) => {
    const found = await seen(by, id);
    if (found.row.profile !== by.profile)
      throw new Failure('forbidden', 'this playlist belongs to another profile', { reason: 'playlist-read-only' });
    return found;
  };
  const written = (by: Asker, id: string) => {
    cache.forget(id);
    changed(by.profile);
  };
  const shown = (by: Asker, { row, entries, view }: Awaited<ReturnType<typeof seen>>) =>
    playlistOf(row, { entries, view, profile: by.profile, owner: needs.nameOf(row.profile) });
  const read = async (by: Asker, id: string) => shown(by, await seen(by, id));
  const rowsFor = (by: Asker, ids: readonly string[]): StoredEntry[] => {
    const items = catalog.seenBy(by).watched.itemsOf(ids);
    if (items === undefined) throw noItem();
    if (items.length > MAX_PLAYLIST_ENTRIES) throw full();
    return items.map((item) => ({ id: newId(), item, added: clock.now() }));
  };

  return {
    list: async (by, paging) => {
      const view = catalog.seenBy(by);
      const all: PlaylistRow[] = [];
      for (const row of await store.playlists(by.profile))
        if (row.profile === by.profile || (await cache.of(row.id)).some(({ item }) => view.isSeen(item))) all.push(row);
      const query = ['playlists', by.profile];
      return sortedPage(all, { query, keyOf: listNameKey, ...paging }, async (row: PlaylistRow) => {
        const entries = (await cache.of(row.id)).filter(({ item }) => view.isSeen(item));
        return shown(by, { row, entries, view });
      });
    },
    read,
    create: async (by, { name, shared = false, ids = [] }) => {
      const rows = rowsFor(by, ids);
      const row = { id: newId(), profile: by.profile, name: name.trim(), shared: shared ? 1 : 0 };
      const result = await store.create(row, rows, MAX_PLAYLISTS);
      if (result === 'too-many-playlists') throw tooManyPlaylists('playlists');
      if (result === 'too-many-shared') throw tooManyShared();
      if (result === 'too-many-entries') throw tooManyEntries();
      written(by, row.id);
      return read(by, row.id);
    },
    update: async (by, id, { name, shared }) => {
      const { row } = await own(by, id);
      const change = {
        ...(name !== undefined && { name: name.trim() }),
        ...(shared !== undefined && { shared: shared ? 1 : 0 }),
      };
      if (Object.keys(change).length > 0 && !(await store.update(row, change))) throw tooManyShared();
      changed(by.profile);
      return read(by, id);
    },
    remove: async (by, id) => {
      await own(by, id);
      await deletion.remove(by.profile, id);
      written(by, id);
    },
    restore: async (by, id) => {
      await deletion.restore(by.profile, id);
      written(by, id);
      return read(by, id);
    },
    deleted: ({ profile }) => deletion.all(profile),
    entries: createEntries({ ...needs, seen, own, written, rowsFor }),
  };
}

interface EntryNeeds extends PlaylistNeeds {
  seen(by: Asker, id: string): Promise<{ row: PlaylistRow; entries: readonly StoredEntry[]; view: VisibleCatalog }>;
  own: EntryNeeds['seen'];
  written(by: Asker, id: string): void;
  rowsFor(by: Asker, ids: readonly string[]): StoredEntry[];
}

function createEntries({ store, clock, seen, own, written, rowsFor }: EntryNeeds): Playlists['entries'] {
  const since = () => clock.now() - REMOVED_KEPT_MS;
  return {
    page: async (by, id, { limit, cursor }) => {
      const { entries, view } = await seen(by, id);
      const bound = ['playlist', by.profile, id];
      const [last, lastAt = -1] = cursor === undefined ? [] : decodeCursor(bound, cursor, Position);
      const found = entries.findIndex((row) => row.id === last);
      // If the last entry of the page was removed in the meantime, the next one is where it was.
      const from = last === undefined ? 0 : found < 0 ? lastAt : found + 1;
      const rows = entries.slice(from, from + limit);
      const cards = new Map(
        (await view.cards([...new Set(rows.map(({ item }) => item))])).map((card) => [card.id, card]),
      );
      const end = rows.at(-1);
      return {
        items: rows.flatMap(({ id: entry, item, added }) => {
          const card = cards.get(item);
          return card ? [{ entry, item: card, added: iso(added) }] : [];
        }),
        total: entries.length,
        ...(end && from + limit < entries.length && { nextCursor: encodeCursor(bound, [end.id, from + limit - 1]) }),
      };
    },
    add: async (by, id, ids) => {
      const { entries, row } = await own(by, id);
      const rows = rowsFor(by, ids);
      const result = await store.add(row, rows, MAX_PLAYLIST_ENTRIES);
      if (result === 'full') throw full();
      if (result === 'too-many-entries') throw tooManyEntries();
      written(by, id);
      return { added: rows.length, total: entries.length + rows.length };
    },
    remove: async (by, id, entry) => {
      const { entries } = await own(by, id);
      const isSeen = entries.some((row) => row.id === entry);
      const removal = { entry, at: clock.now(), since: since(), most: MAX_REMOVED };
      if (!isSeen || !(await store.remove(id, removal))) throw noEntry();
      written(by, id);
    },
    restore: async (by, id, entry) => {
      await own(by, id);
      const result = await store.restore(id, { entry, since: since(), most: MAX_PLAYLIST_ENTRIES });
      if (result === 'missing') throw noEntry();
      if (result === 'full') throw full();
      written(by, id);
    },
    move: async (by, id, how) => {
      const { entries } = await own(by, id);
      const named = [how.entry, ...(how.before === null ? [] : [how.before])];
      const isSeen = named.every((one) => entries.some((row) => row.id === one));
      if (!isSeen || !(await store.move(id, how))) throw noEntry();
      written(by, id);
    },
    queue: async (by, id, from) => {
      const { entries } = await seen(by, id);
      const at = from === undefined ? 0 : entries.findIndex((row) => row.id === from);
      if (at < 0) throw noEntry();
      const items = entries.slice(at, at + MAX_QUEUE_ENTRIES).map(({ id: entry, item }) => ({ entry, item }));
      return { items, total: entries.length - at };
    },
    items: async (by, id) => {
      const found = await seen(by, id).catch((error: unknown) => {
        if (error instanceof Failure && error.kind === 'missing') return undefined;
        throw error;
      });
      return new Set(found?.entries.map(({ item }) => item));
    },
  };
}

async function playlistOf(
  { id, name, profile, shared }: PlaylistRow,
  asked: { entries: readonly StoredEntry[]; view: VisibleCatalog; profile: string; owner: string | undefined },
): Promise<Playlist> {
  const { entries, view, owner } = asked;
  const first = new Set<string>();
  for (const { item } of entries) if (first.add(item).size === MAX_COVERS) break;
  const covers = await coversOf(view, [...first]);
  const isOwn = profile === asked.profile;
  return {
    id,
    name,
    shared: shared === 1,
    own: isOwn,
    ...(!isOwn && owner !== undefined && { owner }),
    items: entries.length,
    duration: entries.reduce((sum, { item }) => sum + (view.watched.duration(item) ?? 0), 0),
    covers,
  };
}

/** The entries of the playlists that were read last, in their order. */
function createEntryCache(store: Pick<ListStore, 'entries'>) {
  const cached = new Map<string, Promise<readonly StoredEntry[]>>();
  let count = 0;
  const sizes = new Map<string, number>();
  const forget = (id: string): void => {
    count -= sizes.get(id) ?? 0;
    sizes.delete(id);
    cached.delete(id);
  };
  return {
    forget,
    of: (id: string): Promise<readonly StoredEntry[]> => {
      const known = cached.get(id);
      if (known) return known;
      const loading = store.entries(id);
      cached.set(id, loading);
      loading.then(
        ({ length }) => {
          // It may have been forgotten while it was read.
          if (cached.get(id) !== loading) return;
          sizes.set(id, length);
          count += length;
          for (const oldest of cached.keys()) {
            if (count <= MAX_CACHED_ENTRIES || oldest === id) break;
            forget(oldest);
          }
        },
        () => cached.get(id) === loading && forget(id),
      );
      return loading;
    },
  };
}
