/**
 * The credits of people with very many of them, kept in memory as slots of the library index.
 *
 * To read 4,000 credits and to find their items takes half of the time of such a page. They are kept as they are in
 * the database, so what each Profile may see of them is decided every time.
 */
import type { CreditFacts, PeopleStore } from '../../store/people.ts';
import type { LibraryIndex } from '../library-index/types.ts';

/** Fewer are read quickly. */
const MIN_KEPT = 500;
/** Credits that are kept of all people: 8 bytes each. */
const MAX_CREDITS = 100_000;
/** Facts take most of the memory. People who play another part in each work are not kept. */
const CREDITS_PER_FACTS = 8;

interface Kept {
  /** Versions of the index and of the credits. */
  versions: string;
  slots: Uint32Array;
  /** For each slot the index of its facts. */
  numbers: Uint32Array;
  facts: readonly CreditFacts[];
}
/** Is called for each credit whose item is in the index. */
type SeeCredit = (slot: number, facts: CreditFacts) => void;

export interface KeptCredits {
  /**
   * Calls a function for each credit of a spelling, in the order of the items. `begin` is called before some credits
   * that follow each other at once; the function that it returns is valid until the next.
   */
  each(index: LibraryIndex, person: number, begin: () => SeeCredit): Promise<void>;
}

export function createKeptCredits(store: Pick<PeopleStore, 'credits' | 'version'>): KeptCredits {
  /** By spelling, the one that was not asked for longest first. */
  const kept = new Map<number, Kept>();
  let total = 0;
  const forget = (person: number): void => {
    total -= kept.get(person)?.slots.length ?? 0;
    kept.delete(person);
  };
  const keep = (person: number, credits: Kept): void => {
    forget(person);
    kept.set(person, credits);
    total += credits.slots.length;
    for (const oldest of kept.keys()) {
      if (total <= MAX_CREDITS) break;
      forget(oldest);
    }
  };
  return {
    each: async (index, person, begin) => {
      const versionsNow = () => `${index.version()} ${store.version()}`;
      const versions = versionsNow();
      const known = kept.get(person);
      if (known?.versions === versions) {
        const { slots, numbers, facts } = known;
        const see = begin();
        for (let i = 0; i < slots.length; i++) see(slots[i] as number, facts[numbers[i] as number] as CreditFacts);
        keep(person, known);
        return;
      }
      forget(person);
      const slots: number[] = [];
      const numbers: number[] = [];
      const facts: CreditFacts[] = [];
      for await (const eachCredit of store.credits(person)) {
        const see = begin();
        eachCredit((text, from, to, own) => {
          const slot = index.works.slotIn(text, from, to);
          if (slot < 0) return;
          if (facts.at(-1) !== own) facts.push(own);
          slots.push(slot);
          numbers.push(facts.length - 1);
          see(slot, own);
        });
      }
      // A change meanwhile may be in some of them only.
      if (versionsNow() !== versions || slots.length < MIN_KEPT) return;
      if (facts.length * CREDITS_PER_FACTS > slots.length) return;
      keep(person, { versions, slots: Uint32Array.from(slots), numbers: Uint32Array.from(numbers), facts });
    },
  };
}
