/**
 * The catalogue as the work on subtitles sees it: a part of a film is found by its key, as an item with one file. Lists
 * of changes are about whole items.
 */
import type { CatalogBackground } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { itemOfKey, keyOfPart, partOfSubject, partsIn } from './part-keys.ts';

export const catalogOfParts = (catalog: CatalogBackground): CatalogBackground => ({
  ...catalog,
  subject: async (key) => {
    const subject = await catalog.subject(itemOfKey(key));
    return subject && partOfSubject(subject, key);
  },
  sidecarsChanged: (...keys) => catalog.sidecarsChanged(...new Set(keys.map(itemOfKey))),
});

/** A part as requests name it. */
export interface PartAddress {
  /** The id of the item. */
  id: string;
  /** The number of the part. Default: the first part. */
  part?: number | undefined;
}

export interface PartFinder {
  /** Returns the key of a part. Throws `Failure('missing')` if the item has no such part. */
  keyOf(address: PartAddress): Promise<string>;
  /** Returns the keys of all parts of an item, with their numbers. */
  keysOf(id: string): Promise<{ key: string; part: number }[]>;
}

export function createPartFinder(catalog: Pick<CatalogBackground, 'subject'>): PartFinder {
  const keysOf: PartFinder['keysOf'] = async (id) => {
    const subject = await catalog.subject(id);
    const files = subject ? partsIn(subject) : [];
    // The work itself says what is missing if there is no item or no file.
    return subject && files.length > 0
      ? files.map((file) => ({ key: keyOfPart(subject, file), part: file.part }))
      : [{ key: id, part: 1 }];
  };
  return {
    keysOf,
    keyOf: async ({ id, part }) => {
      if (part === undefined) return id;
      const found = (await keysOf(id)).find((one) => one.part === part);
      if (!found) throw new Failure('missing', 'this item has no such part', { reason: 'no-such-part' });
      return found.key;
    },
  };
}
