/**
 * The items that have a text subtitle, by language, for rules of smart playlists. It is read from the inventory when it
 * is asked for after a change, and kept until the next one.
 */
import type { SubtitledItems } from '../../catalog/index.ts';
import { baseLanguage } from '../../lib/languages.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import type { InventoryStore } from '../store/inventory.ts';
import { itemShapes, textLanguagesOf } from './film-shapes.ts';

export interface SubtitledReader {
  items(): Promise<SubtitledItems>;
  /** Makes the next question read the inventory. */
  changed(): void;
}

const NO_IDS: readonly string[] = [];

async function readItems(
  store: Pick<InventoryStore, 'shapes' | 'eachShape'>,
): Promise<Omit<SubtitledItems, 'version'>> {
  const ids = new Map<string, string[]>();
  await store.eachShape((id, shape) => {
    const some = ids.get(shape);
    if (some) some.push(itemOfKey(id));
    else ids.set(shape, [itemOfKey(id)]);
  });
  const all = new Set<string>();
  const byLanguage = new Map<string, Set<string>>();
  for (const shape of itemShapes(await store.shapes())) {
    const parts = shape.parts ?? [shape];
    if (!parts.every(({ held }) => held.some(({ role }) => role !== 'forced'))) continue;
    const tags = [...textLanguagesOf(shape)].map((tag) => tag.toLowerCase());
    const languages = new Set(tags.flatMap((tag) => [tag, baseLanguage(tag)]));
    for (const id of ids.get(shape.id) ?? NO_IDS) {
      all.add(id);
      for (const language of languages) {
        const some = byLanguage.get(language);
        if (some) some.add(id);
        else byLanguage.set(language, new Set([id]));
      }
    }
  }
  return { all, byLanguage };
}

export function createSubtitledReader(store: Pick<InventoryStore, 'shapes' | 'eachShape'>): SubtitledReader {
  let version = 1;
  let reading: Promise<SubtitledItems> | undefined;
  return {
    items: () => {
      if (reading) return reading;
      const as = version;
      const started = readItems(store).then((items) => ({ version: as, ...items }));
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
