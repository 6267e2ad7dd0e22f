/**
 * Owners of extras, in memory: every piece of a video that is sent asks whether it may still be seen, and an extra may
 * be seen with its owner.
 */
import type { OwnedExtra } from '../../store/extras.ts';
import type { ReadingStore } from '../../store/reading.ts';

export type ExtraLink = Omit<OwnedExtra, 'item'>;
export interface ExtraLinks {
  load(): Promise<void>;
  of(id: string): ExtraLink | undefined;
  /** Returns the ids of the extras of an item or group, or of a section. */
  belongingTo(id: string): string[];
}

export function createExtraLinks(store: Pick<ReadingStore, 'extraOwners'>): ExtraLinks {
  let links: ReadonlyMap<string, ExtraLink> = new Map();
  let byOwner: ReadonlyMap<string, readonly string[]> = new Map();
  return {
    load: async () => {
      const all = await store.extraOwners();
      const owned = new Map<string, string[]>();
      for (const { item, owner, section } of all)
        for (const id of section === null ? [owner] : [owner, section]) owned.set(id, [...(owned.get(id) ?? []), item]);
      links = new Map(all.map(({ item, ...link }) => [item, link]));
      byOwner = owned;
    },
    of: (id) => links.get(id),
    belongingTo: (id) => [...(byOwner.get(id) ?? [])],
  };
}
