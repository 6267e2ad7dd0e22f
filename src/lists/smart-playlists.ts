/**
 * Smart playlists of Profiles. Nothing of what they hold is stored: rules are evaluated by the catalogue, as the
 * Profile that reads, over what it may see then.
 */
import { z } from 'zod';
import type { Card } from '../contract/catalog/cards.ts';
import { isLeaf, type RuleGroup, type RuleQuery } from '../contract/catalog/rule-fields.ts';
import { MAX_PLAYLISTS, MAX_QUEUE_ENTRIES, type PlayQueue, MAX_COVERS } from '../contract/lists/playlists.ts';
import {
  type ListedSmartPlaylist,
  MAX_PREVIEWED_ITEMS,
  type SmartPlaylist,
} from '../contract/lists/smart-playlists.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { decodeCursor, encodeCursor } from '../lib/json/cursor.ts';
import { type RowPage, type RowPaging, rowsOfPage } from '../lib/json/page.ts';
import { coversOf, listNameKey } from './covers.ts';
import { createDeletedLists, type DeletedLists, tooManyPlaylists, tooManyRules } from './deleted.ts';
import type { RuleTurns } from './rule-turns.ts';
import type { SmartStore, StoredSmartPlaylist } from './store/smart.ts';

type Asker = Pick<Principal, 'profile' | 'policy' | 'role'>;
type Question = { rules: RuleGroup; sort?: RuleQuery['sort']; limit?: number | undefined };
type Change = {
  name?: string | undefined;
  rules?: RuleGroup | undefined;
  sort?: RuleQuery['sort'];
  limit?: number | null | undefined;
};

/** A page of smart playlists ends when their rules took this long together. */
const MAX_LISTING_MS = 2_000;

/** The last item of a page, and its index. */
const Position = z.tuple([z.string(), z.int()]);

export interface SmartPlaylistNeeds {
  store: SmartStore;
  catalog: Pick<Catalog, 'seenBy'>;
  clock: Clock;
  takeTurn: RuleTurns;
  /** Returns the items of a playlist that the Profile may see; none if it may not see the playlist. */
  itemsOfPlaylist(by: Asker, id: string): Promise<ReadonlySet<string>>;
  /** Changes with every playlist. */
  version(): number;
  /** Called after a change of what belongs to a Profile was written. */
  changed(profile: string): void;
}

export interface SmartPlaylists {
  /** Returns a page by name, without rules; it ends early if evaluating them takes long. */
  list(by: Asker, paging: RowPaging): Promise<RowPage<ListedSmartPlaylist>>;
  read(by: Asker, id: string): Promise<SmartPlaylist>;
  create(by: Asker, given: Question & { name: string }): Promise<SmartPlaylist>;
  update(by: Asker, id: string, change: Change): Promise<SmartPlaylist>;
  /** Deletes a smart playlist; `restore` brings it back as it was. */
  remove(by: Asker, id: string): Promise<void>;
  restore(by: Asker, id: string): Promise<SmartPlaylist>;
  /** Returns the deleted smart playlists that can be brought back, the last one first. */
  deleted(by: Asker): ReturnType<DeletedLists['all']>;
  preview(by: Asker, question: Question): Promise<{ total: number; duration: number; items: Card[] }>;
  page(by: Asker, id: string, query: RowPaging): Promise<RowPage<{ entry: string; item: Card }>>;
  queue(by: Asker, id: string, from: string | undefined): Promise<PlayQueue>;
}

const missing = () => new Failure('missing', 'no such playlist', { reason: 'no-such-playlist' });

/** Returns rules without members that are undefined, as they are stored. */
const plain = (group: RuleGroup): RuleGroup => ({
  match: group.match,
  ...(group.not !== undefined && { not: group.not }),
  rules: group.rules.map((rule) => (isLeaf(rule) ? rule : plain(rule))),
});
const questionOf = ({ rules, sort = [], limit }: Question): RuleQuery => ({
  rules: plain(rules),
  sort,
  ...(limit !== undefined && { limit }),
});

type Matching = (
  by: Asker,
  query: RuleQuery,
  asked: { limit: number; from?: { after?: string | undefined; index: number } },
) => ReturnType<ReturnType<Catalog['seenBy']>['watched']['matching']>;

export function createSmartPlaylists(needs: SmartPlaylistNeeds): SmartPlaylists {
  const { store, catalog, clock, changed } = needs;
  const deletion = createDeletedLists(store.deletion, clock);
  const matching: Matching = (by, query, { limit, from = { index: 0 } }) =>
    needs.takeTurn(by.profile, () =>
      catalog.seenBy(by).watched.matching({
        query,
        now: clock.now(),
        itemsOfPlaylist: (id) => needs.itemsOfPlaylist(by, id),
        playlistVersion: String(needs.version()),
        from,
        limit,
      }),
    );
  const stored = async (by: Asker, id: string) => {
    const row = await store.one(by.profile, id);
    if (!row) throw missing();
    return row;
  };
  const shown = async (by: Asker, { id, name, query }: StoredSmartPlaylist): Promise<SmartPlaylist> => {
    const { ids, total, duration } = await matching(by, query, { limit: MAX_COVERS });
    return {
      id,
      name,
      rules: query.rules,
      sort: [...(query.sort ?? [])],
      ...(query.limit !== undefined && { limit: query.limit }),
      items: total,
      duration,
      covers: await coversOf(catalog.seenBy(by), ids),
    };
  };
  const read = async (by: Asker, id: string) => shown(by, await stored(by, id));

  return {
    list: async (by, paging) => {
      const all = await store.names(by.profile);
      const page = rowsOfPage(all, { query: ['smart-playlists', by.profile], keyOf: listNameKey, ...paging });
      const since = clock.monotonic();
      const items: ListedSmartPlaylist[] = [];
      let count = 0;
      // One after the other, so that no more than one set of rules is in memory.
      for (const { id } of page.rows) {
        if (items.length > 0 && clock.monotonic() - since > MAX_LISTING_MS) break;
        count++;
        const row = await store.one(by.profile, id);
        if (!row) continue;
        const { rules: _, ...listed } = await shown(by, row);
        items.push(listed);
      }
      return { items, total: all.length, ...page.after(count) };
    },
    read,
    create: async (by, { name, ...question }) => {
      const row = { id: newId(), profile: by.profile, name: name.trim(), query: questionOf(question) };
      const result = await store.create(row, MAX_PLAYLISTS);
      if (result === 'too-many') throw tooManyPlaylists('smart playlists');
      if (result === 'too-large') throw tooManyRules();
      changed(by.profile);
      return shown(by, row);
    },
    update: async (by, id, { name, rules, sort, limit }) => {
      const result = await store.update(by.profile, id, (now) => ({
        ...now,
        name: name?.trim() ?? now.name,
        query: questionOf({
          rules: rules ?? now.query.rules,
          sort: sort ?? now.query.sort,
          limit: limit === undefined ? now.query.limit : (limit ?? undefined),
        }),
      }));
      if (result === 'missing') throw missing();
      if (result === 'too-large') throw tooManyRules();
      changed(by.profile);
      return read(by, id);
    },
    remove: async (by, id) => {
      await deletion.remove(by.profile, id);
      changed(by.profile);
    },
    restore: async (by, id) => {
      await deletion.restore(by.profile, id);
      changed(by.profile);
      return read(by, id);
    },
    deleted: ({ profile }) => deletion.all(profile),
    preview: async (by, question) => {
      const { ids, total, duration } = await matching(by, questionOf(question), { limit: MAX_PREVIEWED_ITEMS });
      return { total, duration, items: await catalog.seenBy(by).cards(ids) };
    },
    ...createSmartPages({ stored, matching, catalog }),
  };
}

/** Reads the items of smart playlists: a page at a time, and as a queue. */
function createSmartPages({
  stored,
  matching,
  catalog,
}: Pick<SmartPlaylistNeeds, 'catalog'> & {
  stored(by: Asker, id: string): Promise<StoredSmartPlaylist>;
  matching: Matching;
}): Pick<SmartPlaylists, 'page' | 'queue'> {
  return {
    page: async (by, id, { limit, cursor }) => {
      const { query } = await stored(by, id);
      const bound = ['smart-playlist', by.profile, id, query];
      const [after, last = -1] = cursor === undefined ? [] : decodeCursor(bound, cursor, Position);
      // An item that does not match any more has left its place to the one after it.
      const from = { after, index: Math.max(last, 0) };
      const { ids, start, total } = await matching(by, query, { limit, from });
      const cards = await catalog.seenBy(by).cards(ids);
      const end = ids.at(-1);
      return {
        items: cards.map((item) => ({ entry: item.id, item })),
        total,
        ...(end !== undefined &&
          start + limit < total && { nextCursor: encodeCursor(bound, [end, start + limit - 1]) }),
      };
    },
    queue: async (by, id, from) => {
      const { query } = await stored(by, id);
      const all = await matching(by, query, {
        limit: from === undefined ? MAX_QUEUE_ENTRIES : Number.MAX_SAFE_INTEGER,
      });
      const at = from === undefined ? 0 : all.ids.indexOf(from);
      if (at < 0) throw new Failure('missing', 'no such entry', { reason: 'no-such-entry' });
      return {
        items: all.ids.slice(at, at + MAX_QUEUE_ENTRIES).map((item) => ({ entry: item, item })),
        total: all.total - at,
      };
    },
  };
}
