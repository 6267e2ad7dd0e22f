/** Events about the sign-in methods of this Profile, until they are marked as seen; for Owners also those of others. */
import { useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Badge, ErrorState, Pending } from '../../kit/states/states.tsx';
import { activityWords as m } from '../../messages/activity.ts';
import { entryFacts, entrySentence } from '../../parts/activity/entry.ts';
import { AccountPart } from './part.tsx';
import css from './account.module.css';

const markSeen = (seen: string[]): Promise<void> =>
  runWithToast(() => call.security.seen({ seen }), m.markedSeen).then(() => readAgain('security'));

const Notices = () => {
  const [isAll, setAll] = useState(false);
  const { data, error, refetch } = useAsk('security', 'notices', isAll ? { seen: 'true' } : {}, { keep: true });
  if (!data)
    return error ? <ErrorState title={m.noticesCouldNotBe} error={error} retry={() => void refetch()} /> : <Pending />;
  const unseen = data.items.filter(({ seen }) => !seen);
  return (
    <>
      {data.items.length === 0 && <p className="muted">{m.noNotices}</p>}
      {data.items.length > 0 && (
        <ul className={css.devices}>
          {data.items.map((item) => (
            <li key={item.id} className={css.device}>
              <div>
                <p className={css.names}>
                  <strong>{entrySentence(item)}</strong>{' '}
                  {item.outcome === 'refused' && <Badge tone="warn">{m.refused}</Badge>}{' '}
                  {!item.seen && <Badge tone="accent">{m.isNew}</Badge>}
                </p>
                <p className="muted small">{entryFacts(item).join(' · ')}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {unseen.some(({ own }) => own) && <p className="muted small">{m.notYou}</p>}
      <div className={css.noticeActions}>
        {unseen.length > 0 && <Button onClick={() => void markSeen(unseen.map(({ id }) => id))}>{m.markSeen}</Button>}
        <Button look="quiet" onClick={() => setAll(!isAll)}>
          {isAll ? m.hideSeen : m.showSeen}
        </Button>
      </div>
    </>
  );
};

export const SecurityEvents = () => (
  <AccountPart title={m.notices} says={m.noticesSay}>
    <Notices />
  </AccountPart>
);
