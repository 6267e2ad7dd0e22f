/** Items that were allowed or hidden for a Profile, each of which can be taken off the list. */
import x from 'lucide/dist/esm/icons/x.mjs';
import type { Profile } from '../../../../contract/identity/profiles.ts';
import { useAll, type Reply } from '../../../data/query.ts';
import { IconButton } from '../../../kit/forms/button.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { episodeCode } from '../../../lib/format.ts';
import { decideFor } from '../../../parts/catalog/ages.tsx';
import { agesWords as m } from '../../../messages/ages.ts';
import css from './profiles.module.css';

type DecidedItem = Reply<'ratings', 'items'>['items'][number];

const titleOf = ({ card }: DecidedItem): string =>
  card === undefined
    ? m.notInTheLibraryNow
    : card.show === undefined
      ? card.title
      : `${card.show.title} ${episodeCode(card)}`.trim();

export const DecidedItems = ({ profile }: { profile: Profile }) => {
  const { data } = useAll('ratings', 'items', { id: profile.id });
  if (!data) return null;
  return (
    <section className={css.decided} aria-label={m.allowedAndHiddenItemsOf({ name: profile.name })}>
      <h3>{m.allowedAndHiddenItems}</h3>
      {data.items.length === 0 && <p className="muted small">{m.noItemIsAllowedOrHidden}</p>}
      <ul>
        {data.items.map((item) => {
          const title = titleOf(item);
          return (
            <li key={item.id}>
              <span>{title}</span>
              <Badge tone={item.access === 'allowed' ? 'good' : 'plain'}>
                {item.access === 'allowed' ? m.allowed : m.hidden}
              </Badge>
              <IconButton
                icon={x}
                label={m.goBackToRatingOf({ title })}
                onClick={() => void decideFor(profile, { id: item.id, title }, 'default', item.access)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
};
