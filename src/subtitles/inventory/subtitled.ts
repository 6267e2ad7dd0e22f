/**
 * The items that have a text subtitle, by language, for rules of smart playlists. It is read from the inventory when it
 * is asked for after a change, and kept until the next one.
 */
import { setImmediate } from 'node:timers/promises';
import type { SubtitledItems } from '../../catalog/index.ts';
import { baseLanguage } from '../../lib/languages.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import type { CountedShape, InventoryStore } from '../store/inventory.ts';
import { itemShapes, textLanguagesOf } from './film-shapes.ts';

export interface SubtitledReader {
  items(): Promise<SubtitledItems>;
  /** Makes the next question read the inventory. */
  changed(): void;
}

type Store = Pick<InventoryStore, 'shapes' | 'shapesAfter'>;
/** Items that are read at a time: a few milliseconds, after which requests are served. */
const PAGE = 1_000;

/** Returns the languages of each shape whose items have a text of the whole. */
const languagesByShape = (shapes: readonly CountedShape[]): Map<string, readonly string[]> =>
  new Map(
    itemShapes(shapes)
      .filter((shape) => (shape.parts ?? [shape]).every(({ held }) => held.some(({ role }) => role !== 'forced')))
      .map((shape) => {
        const tags = [...textLanguagesOf(shape)].map((tag) => tag.toLowerCase());
        return [shape.id, [...new Set(tags.flatMap((tag) => [tag, baseLanguage(tag)]))]];
      }),
  );

async function readItems(store: Store, page: number): Promise<Omit<SubtitledItems, 'version'>> {
  const languages = languagesByShape(await store.shapes());
  const all = new Set<string>();
  const byLanguage = new Map<string, Set<string>>();
  for (let key = ''; ;) {
    const rows = await store.shapesAfter(key, page);
    for (const { id, shape } of rows) {
      const said = languages.get(shape);
      if (!said) continue;
      all.add(itemOfKey(id));
      for (const language of said) {
        const some = byLanguage.get(language);
        if (some) some.add(itemOfKey(id));
        else byLanguage.set(language, new Set([itemOfKey(id)]));
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < page) return { all, byLanguage };
    key = last.id;
    await setImmediate();
  }
}

export function createSubtitledReader(store: Store, page = PAGE): SubtitledReader {
  let version = 1;
  let reading: Promise<SubtitledItems> | undefined;
  return {
    items: () => {
      if (reading) return reading;
      const as = version;
      const started = readItems(store, page).then((items) => ({ version: as, ...items }));
      reading = started;
      // Callers receive the failure, and the next question reads again.
      started.catch(() => {
        if (reading === started) reading = undefined;
      });
      return started;
    },
    changed: () => {
      version++;
      reading = undefined;
    },
  };
}
