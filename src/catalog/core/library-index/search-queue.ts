/**
 * Slots whose titles the search still has to index. They are indexed little by little in the background, so that no
 * request waits for a whole library; a search indexes the rest itself if that is little.
 */
import { createWaiting } from './columns.ts';
import type { Groups } from './groups.ts';
import type { IndexRows } from './rows.ts';
import type { TitleSearch } from './search.ts';

/** Rows that are indexed in one turn of the event loop, in about two milliseconds. */
const INDEXED_AT_ONCE = 200;
/** Maximum number of rows that a search indexes before it answers. */
const INDEXED_BY_SEARCH = 1_000;
/** Smaller catalogues are sorted when a request needs it. */
const MIN_WARMED_ROWS = 5_000;

export interface SearchQueue {
  add(slot: number): void;
  /** Returns whether a search would miss rows that are not indexed yet. */
  isBehind(): boolean;
  /** Called before a search: indexes what is left if it is little, and otherwise starts the background work. */
  prepare(): void;
  /** Called after changes: continues the background work, if it was started. */
  continue(): void;
  /** Starts the background work, which also sorts orders before a request needs them. */
  warm(): void;
}

export function createSearchQueue(
  rows: IndexRows,
  groups: Groups,
  { search, warmOrder }: { search: TitleSearch; warmOrder(): boolean },
): SearchQueue {
  const waiting = createWaiting();
  let turn: NodeJS.Immediate | undefined;
  let isWarming = false;

  const indexSome = (most: number) => {
    for (; most > 0; most--) {
      const slot = waiting.take();
      if (slot === undefined) return;
      if (!rows.isThere(slot)) {
        search.drop(slot);
        continue;
      }
      const group = groups.groupOf(slot);
      search.put(slot, group < 0 ? '' : rows.titles.get(group));
    }
  };
  const next = () => {
    if (!isWarming) return;
    turn ??= setImmediate(() => {
      turn = undefined;
      indexSome(INDEXED_AT_ONCE);
      if (waiting.size() > 0 || (rows.ids.end() > MIN_WARMED_ROWS && warmOrder())) next();
    });
  };
  const warm = () => {
    isWarming = true;
    next();
  };
  return {
    add: waiting.add,
    isBehind: () => waiting.size() > INDEXED_BY_SEARCH,
    prepare: () => {
      // A start waits for libraries that do not answer; a search does not wait for the start.
      if (waiting.size() > INDEXED_BY_SEARCH) warm();
      else indexSome(Infinity);
    },
    continue: next,
    warm,
  };
}
