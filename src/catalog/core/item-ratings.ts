/** Ratings by age, as Owners see and change them. */
import type { Certification } from '../../contract/catalog/cards.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { createLock } from '../../lib/lock.ts';
import { ageOf, examplesOf, RATED_COUNTRIES } from '../naming/ages.ts';
import type { RatingStore } from '../store/ratings.ts';
import type { IndexSync } from './index-sync.ts';
import type { LoadableIndex } from './library-index/index.ts';
import type { ItemRating, ShownCounts } from './library-index/types.ts';

export interface ItemRatings {
  /** Reads what Owners set, before the rows of the index are loaded. */
  open(): Promise<void>;
  /** Returns the certifications of a country by age; those of the household's country if none is named. */
  ages(country?: string): { country?: string; ages: { age: number; ratings: string[] }[]; countries: string[] };
  /** Sets the certification of an item; null goes back to that of its tags. */
  set(id: string, rating: string | null): Promise<Certification>;
  /** Counts what a policy would show. */
  preview(policy: Policy): ShownCounts;
}

export function createItemRatings({
  store,
  index,
  sync,
  clock,
  country,
}: {
  store: RatingStore;
  index: LoadableIndex;
  sync: IndexSync;
  clock: Clock;
  /** Returns the country of the household. */
  country(): string | undefined;
}): ItemRatings {
  const lock = createLock();
  const ratingOf = (id: string): ItemRating => found(index.ratingOf(id), 'no such item', 'no-such-item');
  return {
    open: async () => {
      index.useCountry(country());
      index.rateAll(await store.all());
    },
    ages: (asked = country()) => ({
      ...(asked !== undefined && { country: asked }),
      ages: asked === undefined ? [] : examplesOf(asked),
      countries: [...RATED_COUNTRIES],
    }),
    set: (id, given) =>
      lock.run(async () => {
        ratingOf(id);
        const rating = given?.trim();
        if (rating !== undefined && ageOf(rating, country()) === undefined)
          throw new Failure('invalid', 'rating: expected an age or a known certification', {
            reason: 'rating-unknown',
          });
        await store.set(id, rating, clock.now());
        sync.rated(() => index.rate(id, rating));
        return certificationOf(ratingOf(id));
      }),
    preview: index.counts.shown,
  };
}

export const certificationOf = ({ rating, age, set, stated }: ItemRating): Certification => ({
  ...(rating !== null && { rating }),
  ...(age !== undefined && { age }),
  ...(set !== undefined && { set }),
  ...(stated !== null && { stated }),
});
