/** People of the catalogue: their index in the database, and the view of one Profile. */
import type { Database } from '../../../lib/db/index.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import { peopleStore } from '../../store/people.ts';
import type { CardNeeds, Viewer } from '../kind.ts';
import type { IndexFollower } from '../index-follower.ts';
import { createReplaceableSource } from '../page-source.ts';
import { createKeptCredits } from './kept-credits.ts';
import { createPeopleIndex, type PeopleIndexNeeds } from './people-index.ts';
import {
  createVisiblePeople,
  type PersonFacts,
  type PersonSource,
  type VisiblePeople,
  type VisiblePeopleNeeds,
} from './visible-people.ts';

export type { PersonFacts, PersonSource, VisiblePeople } from './visible-people.ts';

export interface People {
  /** Their credits in the database, which follow the items. */
  index: IndexFollower;
  /** Takes over what a metadata service says about people. Until then they have a name and credits. */
  useSource(source: PersonSource): void;
  seenBy(
    needs: CardNeeds & Pick<VisiblePeopleNeeds, 'rootOf'>,
    viewer: () => Promise<Viewer>,
    policy: Policy,
  ): VisiblePeople;
}

export function createPeople({ db, ...needs }: Omit<PeopleIndexNeeds, 'store'> & { db: Database }): People {
  const store = peopleStore(db);
  const persons = createReplaceableSource<PersonFacts>();
  const credits = createKeptCredits(store);
  return {
    index: createPeopleIndex({ ...needs, store }),
    useSource: persons.use,
    seenBy: (cards, viewer, policy) =>
      createVisiblePeople({ ...cards, people: store, credits, persons }, viewer, policy),
  };
}
