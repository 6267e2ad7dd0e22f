/**
 * Search in people and plots: keeps the index of words in the database up to date in the background, and looks words
 * up.
 *
 * A search that finds too many items by these words leaves them out: a word that is nearly everywhere says nothing.
 */
import { createIndexFollower, type IndexFollower } from '../index-follower.ts';
import { searchWordsOf } from '../library-index/words.ts';
import type { ReadingStore } from '../../store/reading.ts';
import type { ChangedText, IndexedWords, SearchWords, TextSearchStore } from '../../store/text-search.ts';
import type { Kinds } from '../kind.ts';
import type { TextMatches } from '../library-index/types.ts';

/**
 * Items that are indexed in one transaction and one turn of the event loop: 1.3 ms. With 25 it was 2.6 ms, as long as a
 * whole request.
 */
const ITEMS_AT_ONCE = 10;
const MAX_PEOPLE = 2_000;
const MAX_PLOTS = 1_000;
/** A shorter last word is not taken for the beginning of a longer one. */
const MIN_PREFIX = 3;
const MAX_ASKED_WORDS = 8;
const MAX_WORD_LENGTH = 64;
const MAX_ITEM_WORDS = 2_000;
/** A search of many matches holds up to 120 KB, and the pages of one search follow each other. */
const SEARCHES_KEPT = 24;

const NOTHING: TextMatches = { people: [], plot: [] };

export interface TextSearch extends IndexFollower {
  /**
   * Returns the items whose people, and those whose plot, have every word of a search; those of `people` are not in
   * `plot`.
   */
  find(text: string): Promise<TextMatches>;
  /** Grows when the index does. */
  version(): number;
}

export interface TextSearchNeeds {
  store: TextSearchStore;
  reading: Pick<ReadingStore, 'goneSince'>;
  kinds: Pick<Kinds, 'rows'>;
  /** Called with what stopped the background work until the next change. */
  failed(error: unknown): void;
  quietMs?: number;
}

export function createTextSearch({ store, reading, kinds, failed, quietMs }: TextSearchNeeds): TextSearch {
  const searches = new Map<string, Promise<TextMatches>>();
  let version = 0;

  /** Indexes some of what changed. Returns false when nothing is left. */
  const step = async (): Promise<boolean> => {
    const cursor = await store.cursor();
    const rows = await store.changed(cursor.change, ITEMS_AT_ONCE);
    const gone = await reading.goneSince(cursor.gone, ITEMS_AT_ONCE);
    if (rows.length === 0 && gone.length === 0) return false;
    const items = rows.map((row) => indexedWords(row, kinds));
    await store.put(
      items,
      gone.map(({ id }) => id),
      { change: rows.at(-1)?.change ?? cursor.change, gone: gone.at(-1)?.change ?? cursor.gone },
    );
    version++;
    searches.clear();
    return true;
  };
  const search = async (asked: SearchWords): Promise<TextMatches> => {
    const people = await store.find(asked, 'people', MAX_PEOPLE + 1);
    if (people.length > MAX_PEOPLE) return NOTHING;
    const plot = await store.find(asked, 'plot', MAX_PLOTS + 1);
    return { people, plot: plot.length > MAX_PLOTS ? [] : plot };
  };

  return {
    version: () => version,
    find: (text) => {
      const words = searchWordsOf(text).slice(0, MAX_ASKED_WORDS);
      const last = words.at(-1) ?? '';
      // A single letter, and a short word of which more is to come, would match nearly everything.
      if (!words.some((word) => word.length >= MIN_PREFIX || /[^ -~]/.test(word))) return Promise.resolve(NOTHING);
      const key = words.join(' ');
      const had = searches.get(key);
      if (had) return had;
      const found = search({ words, isLastPrefix: last.length >= MIN_PREFIX });
      searches.set(key, found);
      found.catch(() => searches.delete(key));
      if (searches.size > SEARCHES_KEPT) searches.delete(searches.keys().next().value ?? '');
      return found;
    },
    ...createIndexFollower({ step, failed, quietMs }),
  };
}

function indexedWords(
  { id, kind, title, original_title, detail }: ChangedText,
  kinds: Pick<Kinds, 'rows'>,
): IndexedWords {
  const texts = kinds.rows(kind)?.searchTexts(detail);
  const cut = (text: string) =>
    [...new Set(searchWordsOf(text, true).map((word) => word.slice(0, MAX_WORD_LENGTH)))].slice(0, MAX_ITEM_WORDS);
  return {
    item: id,
    people: cut(`${title} ${original_title ?? ''} ${texts?.people ?? ''}`),
    plot: cut(texts?.plot ?? ''),
  };
}
