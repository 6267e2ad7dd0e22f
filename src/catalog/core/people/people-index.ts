/** Keeps the credits of people in the database up to date with the items, in the background. */
import { searchWordsOf } from '../library-index/words.ts';
import { createIndexFollower, type IndexFollower } from '../index-follower.ts';
import type { CreditFacts, CreditToStore, PeopleStore } from '../../store/people.ts';
import type { ReadingStore } from '../../store/reading.ts';
import type { Details } from '../../store/records.ts';
import { creditedPeople, foldPersonName, portraitFinder, personId, sourceOfPerson } from './identity.ts';

/** Items that are read at once. */
const ITEMS_AT_ONCE = 20;
/** Credits that are written in one transaction: about 2 ms. */
const CREDITS_AT_ONCE = 60;
const MAX_ITEM_PEOPLE = 500;
const MAX_NAME_LENGTH = 300;
const MAX_NAME_WORDS = 12;
const MAX_WORD_LENGTH = 64;

export interface PeopleIndexNeeds {
  store: PeopleStore;
  reading: Pick<ReadingStore, 'goneSince'>;
  failed(error: unknown): void;
  quietMs?: number;
}
export function createPeopleIndex({ store, reading, failed, quietMs }: PeopleIndexNeeds): IndexFollower {
  const step = async (): Promise<boolean> => {
    const cursor = await store.cursor();
    const rows = await store.changed(cursor.change, ITEMS_AT_ONCE);
    const gone = await reading.goneSince(cursor.gone, ITEMS_AT_ONCE);
    if (rows.length === 0 && gone.length === 0) return false;
    const items = gone.map(({ id }) => ({ item: id, people: [] as CreditToStore[] }));
    let credits = 0;
    let { change } = cursor;
    for (const row of rows) {
      if (credits >= CREDITS_AT_ONCE) break;
      const people = creditsOf(row.detail);
      credits += people.length;
      items.push({ item: row.id, people });
      ({ change } = row);
    }
    await store.put(items, { change, gone: gone.at(-1)?.change ?? cursor.gone });
    return true;
  };
  return createIndexFollower({ step, failed, quietMs });
}

/** Returns the people of an item, each once with all jobs. */
function creditsOf(detail: Details): CreditToStore[] {
  const portraitOf = portraitFinder(detail);
  const credits = new Map<string, CreditToStore & { facts: CreditFacts }>();
  for (const { name: given, role, job, ids, picture } of creditedPeople(detail).slice(0, MAX_ITEM_PEOPLE)) {
    const name = given.trim().slice(0, MAX_NAME_LENGTH);
    if (name === '') continue;
    const person = { name, ...(ids && { ids }) };
    const id = personId(person);
    const known = credits.get(`${id} ${name}`);
    const facts: CreditFacts = known?.facts ?? { jobs: [] };
    facts.jobs.push({ job, ...(role !== undefined && { role }) });
    if (picture !== undefined) facts.picture = picture;
    const { at, s, m } = portraitOf(name) ?? {};
    if (at !== undefined && s !== undefined && m !== undefined) facts.portrait = { at, s, m };
    credits.set(`${id} ${name}`, {
      ...{ id, name, facts, source: sourceOfPerson(person), folded: foldPersonName(name) },
      words: [
        ...new Set(
          searchWordsOf(name, true)
            .slice(0, MAX_NAME_WORDS)
            .map((word) => word.slice(0, MAX_WORD_LENGTH)),
        ),
      ],
    });
  }
  return [...credits.values()];
}
