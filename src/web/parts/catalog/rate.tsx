/** The rating of an item by this Profile: a menu from 10 to 1, which is also how it is removed. */
import star from 'lucide/dist/esm/icons/star.mjs';
import type { Card } from '../../../contract/catalog/cards.ts';
import { call } from '../../data/client.ts';
import { Menu } from '../../kit/layers/menu.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { formatRating } from '../../lib/format.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import { attempt } from './actions.ts';

const RATINGS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1] as const;
type RatedByMe = Pick<Card, 'id' | 'title' | 'userData'>;

async function rate({ id, title, userData }: RatedByMe, rating: number | null): Promise<void> {
  const before = userData.rating ?? null;
  if (!(await attempt(() => call.watching.rate({ id, rating })))) return;
  toast({
    message: rating === null ? m.ratingRemoved({ title }) : m.ratedAs({ title, rating: formatRating(rating) }),
    undo: () => void attempt(() => call.watching.rate({ id, rating: before })),
  });
}

export const RateMenu = ({ item }: { item: RatedByMe }) => {
  const { rating } = item.userData;
  return (
    <Menu
      label={rating === undefined ? m.rate : m.yourRating({ rating: formatRating(rating) })}
      icon={star}
      isLarge
      items={[
        ...RATINGS.map((value) => ({
          label: m.ratingOfTen({ rating: value }),
          isChosen: value === rating,
          onChoose: () => void rate(item, value),
        })),
        { label: m.noRating, isChosen: rating === undefined, onChoose: () => void rate(item, null) },
      ]}
    />
  );
};
