/** Ratings for Owners: setting one by hand, and allowing or hiding an item for a Profile. Each has an undo. */
import type { Card } from '../../../contract/catalog/cards.ts';
import type { Certification } from '../../../contract/catalog/cards.ts';
import type { Profile } from '../../../contract/identity/profiles.ts';
import { call } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { agesWords as m } from '../../messages/ages.ts';

type Of = Pick<Card, 'id' | 'title'>;
export type ItemDecision = 'allowed' | 'hidden' | 'default';

const again = () => {
  for (const group of ['catalog', 'profiles', 'ratings'] as const) readAgain(group);
};

/** Returns what was decided about an item for a Profile. */
export const accessOf = ({ policy: { items } }: Pick<Profile, 'policy'>, id: string): ItemDecision =>
  items.hidden.includes(id) ? 'hidden' : items.allowed.includes(id) ? 'allowed' : 'default';

/** Decides about an item for a Profile. `before` is what is restored by Undo. */
export async function decideFor(
  { id, name }: Pick<Profile, 'id' | 'name'>,
  { id: item, title }: Of,
  access: ItemDecision,
  before: ItemDecision,
): Promise<void> {
  const put = (now: ItemDecision) => runWithToast(() => call.ratings.access({ id, item, access: now }));
  const isDone = await put(access);
  again();
  if (!isDone) return;
  const words = { allowed: m.allowedFor, hidden: m.hiddenFrom, default: m.ratingCountsFor }[access];
  toast({ message: words({ title, name }), undo: () => void put(before).then(again) });
}

/** Sets the rating of an item; null goes back to its tags. */
export async function setRating(
  { id, title }: Of,
  rating: string | null,
  before: Certification | undefined,
): Promise<boolean> {
  const put = (now: string | null) => runWithToast(() => call.ratings.set({ id, rating: now }));
  const isDone = await put(rating);
  again();
  if (isDone)
    toast({
      message: rating === null ? m.ratingFollowsTags({ title }) : m.ratingSaved({ title, rating }),
      undo: () => void put(before?.set ?? null).then(again),
    });
  return isDone;
}

/** A certification with its age: "FSK 12, from age 12". */
export function certificationWords({ rating, age, set }: Certification): string {
  const words =
    rating === undefined
      ? m.unrated
      : age === undefined
        ? m.ratingIsUnknown({ rating })
        : rating !== String(age)
          ? m.ratingWithAge({ rating, age })
          : age === 0
            ? m.forEveryAge
            : m.ratingFromAge({ age });
  return set === undefined ? words : `${words} (${m.setByHand})`;
}
