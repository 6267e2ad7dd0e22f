/** Catalogue endpoints, each tied to the operation that does it. */
import { catalog as catalogEndpoints, libraries as libraryEndpoints, watching as watchingEndpoints } from '../contract/catalog.ts';
import type { Config } from '../config/index.ts';
import { implement, type Mounted } from '../http/handle.ts';
import { iso } from '../lib/clock.ts';
import { Failure, found } from '../lib/failure.ts';
import { listFolder } from '../lib/files.ts';
import type { Catalog } from './index.ts';
import { createLibraryList } from './library-list.ts';
import type { LibraryState } from './types.ts';

const NO_ITEM = 'no such item';
const YEAR_S = 31_536_000;

/** A cursor is the place where the next page begins; it is ours to read, and nobody else's to make. */
const cursorAt = (offset: number): string => Buffer.from(`o${offset}`).toString('base64url');
function offsetOf({ cursor, offset }: { cursor?: string | undefined; offset?: number | undefined }): number {
  if (cursor === undefined) return offset ?? 0;
  const read = /^o(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!read || offset !== undefined) throw new Failure('invalid', 'cursor: not one that was given out, or beside an offset');
  return Number(read[1]);
}
const next = (offset: number, count: number, total: number) => (count > 0 && offset + count < total ? { nextCursor: cursorAt(offset + count) } : {});

export interface CatalogRouteNeeds {
  catalog: Catalog;
  config: Config;
}

export const catalogRoutes = ({ catalog, config }: CatalogRouteNeeds): Mounted[] => [
  ...implement(catalogEndpoints, {
    library: async ({ cursor, offset: at, ...query }, { by }) => {
      const from = offsetOf({ cursor, offset: at });
      const { offset, ...page } = await catalog.seenBy(by).library({ ...query, offset: from });
      return { ...page, ...next(offset, page.items.length, page.total) };
    },
    recent: (query, { by }) => catalog.seenBy(by).recent(query),
    shows: async ({ library, cursor, offset: at, limit }, { by }) => {
      const from = offsetOf({ cursor, offset: at });
      const { items, total, offset } = await catalog.seenBy(by).library({ view: 'shows', library, offset: from, limit });
      return { items, total, ...next(offset, items.length, total) };
    },
    show: async ({ id }, { by }) => found(await catalog.seenBy(by).show(id), 'no such show'),
    item: async ({ id }, { by }) => found(await catalog.seenBy(by).item(id), NO_ITEM),
    art: async ({ id, kind, width, v }, { by, signal }) => {
      const picture = found(await catalog.seenBy(by).picture(id, kind), 'no such picture');
      const { bytes, type, etag } = await catalog.art.make(picture, width, signal);
      // An address with the picture's version in it never means another picture.
      return { type, bytes, etag, cache: v === undefined ? 'private, no-cache' : `private, max-age=${YEAR_S}, immutable` };
    },
    unplaced: async ({ library, cursor, offset: at, limit }) => {
      const offset = offsetOf({ cursor, offset: at });
      const { items, total } = await catalog.upkeep.unplaced({ library, offset, limit });
      return { items: items.map((one) => ({ ...one, seenAt: iso(one.seenAt) })), total, ...next(offset, items.length, total) };
    },
  }),
  ...implement(watchingEndpoints, {
    progress: async ({ id, ...report }, { by }) => {
      const [item] = await catalog.seenBy(by).cards([id]);
      if (item?.kind !== 'movie' && item?.kind !== 'episode') throw new Failure('missing', NO_ITEM);
      return catalog.watching.progress(by.profile, id, report, item.duration);
    },
    forget: async ({ id }, { by }) => {
      if (!catalog.seenBy(by).isSeen(id)) throw new Failure('missing', NO_ITEM);
      await catalog.watching.dismiss(by.profile, id);
    },
    list: async ({ id, listed }, { by }) => {
      if (!catalog.seenBy(by).isSeen(id)) throw new Failure('missing', NO_ITEM);
      return catalog.watching.list(by.profile, id, listed);
    },
    history: async ({ limit, cursor }, { by }) => {
      const offset = offsetOf({ cursor });
      const seen = catalog.seenBy(by);
      const all = (await catalog.watching.history(by.profile)).filter(({ item }) => seen.isSeen(item));
      const page = all.slice(offset, offset + limit);
      const cards = new Map((await seen.cards(page.map(({ item }) => item))).map((card) => [card.id, card]));
      const items = page.flatMap(({ item, at, position, watched }) => {
        const card = cards.get(item);
        return card ? [{ item: card, at: iso(at), position, watched: watched === 1 }] : [];
      });
      return { items, total: all.length, ...next(offset, page.length, all.length) };
    },
  }),
  ...implement(libraryEndpoints, libraryHandlers({ catalog, config })),
];

type Handlers = Parameters<typeof implement<typeof libraryEndpoints>>[1];

function libraryHandlers({ catalog, config }: CatalogRouteNeeds): Handlers {
  const list = createLibraryList({ catalog, config });
  const shown = (library: LibraryState, isOwner: boolean) => ({
    id: library.id,
    name: library.name,
    kind: library.kind,
    ...(isOwner && { path: library.path }),
    items: library.items,
    online: library.isOnline,
    watching: library.isWatching,
    ...(library.lastScanAt !== undefined && { lastScanAt: iso(library.lastScanAt) }),
    managed: list.isManaged(),
  });
  return {
    list: (_, { by }) => {
      const { libraries } = by.policy;
      // A count over what the caller may not see would tell that it is there.
      const items = catalog.libraries(by.policy).filter(({ id }) => by.role === 'owner' || libraries === 'all' || libraries.includes(id)).map((library) => shown(library, by.role === 'owner'));
      return { items, total: items.length };
    },
    create: async (library) => shown(await list.add(library), true),
    update: async ({ id, ...change }) => shown(await list.update(id, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))), true),
    remove: ({ id }) => list.remove(id),
    folders: async ({ path = config.get('paths.media') }) => {
      if (!path.startsWith('/') || path.split('/').includes('..')) throw new Failure('invalid', 'path: expected an absolute path');
      const entries = await listFolder(path).catch(() => {
        throw new Failure('missing', 'no such folder, or it may not be read');
      });
      const base = path.replace(/\/+$/, '');
      const folders = entries.filter(({ kind, name, isOdd }) => kind === 'folder' && !name.startsWith('.') && !isOdd).map(({ name }) => ({ name, path: `${base}/${name}` }));
      const parent = base === '' ? undefined : base.slice(0, base.lastIndexOf('/')) || '/';
      return { path: base === '' ? '/' : base, ...(parent !== undefined && { parent }), folders: folders.sort((a, b) => a.name.localeCompare(b.name)).slice(0, 2_000), videos: entries.filter(({ kind, name }) => kind === 'file' && /\.(mkv|mp4|m4v|avi|mov|webm|ts|m2ts)$/i.test(name)).length };
    },
  };
}
