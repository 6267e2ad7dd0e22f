/**
 * Puts the counted shapes of the parts of a film together: a film has a wanted subtitle when each of its parts has it.
 * Pure.
 */
import type { WantedSubtitle } from '../../contract/subtitles/states.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import type { CountedShape } from '../store/inventory.ts';
import { type CoverageQuery, type CoverageStatus, isSameSubtitle, judgeShape } from './coverage.ts';

/** Items that have equal coverage: items with one file, or one film with its parts. */
export interface ItemShape extends CountedShape {
  /** The shapes of all parts, the first one included. Only of films in several files. */
  parts?: readonly CountedShape[];
}

export interface JudgedShape extends ItemShape {
  status: CoverageStatus | undefined;
  missing: WantedSubtitle[];
}

/** Returns the shapes of items. A film is counted once, by the shape of its first part. */
export function itemShapes(all: readonly CountedShape[]): ItemShape[] {
  const films = Map.groupBy(
    all.filter(({ part }) => part !== undefined),
    ({ part = '' }) => itemOfKey(part),
  );
  return all.flatMap((shape): ItemShape[] => {
    if (shape.part === undefined) return [shape];
    return itemOfKey(shape.part) === shape.part ? [{ ...shape, parts: films.get(shape.part) ?? [shape] }] : [];
  });
}

/**
 * Returns the state of the items of a shape. A film lacks everything that one of its parts lacks. It is `wanted` while
 * something can be searched for, and otherwise `checking` while a part was not scanned.
 */
export function judgeItems(shape: ItemShape, query: CoverageQuery): ReturnType<typeof judgeShape> {
  if (!shape.parts) return judgeShape(shape, query);
  const judged = shape.parts.map((one) => judgeShape(one, query));
  const missing = query
    .wanted(shape.library)
    .filter((one) => judged.some((part) => part.missing.some((other) => isSameSubtitle(one, other))));
  const status = (['wanted', 'checking', 'unavailable', 'ready'] as const).find((one) =>
    judged.some((part) => part.status === one),
  );
  return { status, missing };
}

/** Returns the languages in which all parts have text of the whole video. */
export function textLanguagesOf({ parts = [], ...shape }: ItemShape): Set<string> {
  const [first = new Set<string>(), ...others] = [shape, ...parts].map(
    ({ held }) =>
      new Set(held.flatMap(({ language, role }) => (language === null || role === 'forced' ? [] : [language]))),
  );
  return others.reduce((common, own) => common.intersection(own), first);
}
