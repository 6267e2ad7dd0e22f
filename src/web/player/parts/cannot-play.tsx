/** An item that this browser cannot play: why, in plain words, and what can be done instead. */
import { useQueries } from '@tanstack/react-query';
import arrow from 'lucide/dist/esm/icons/arrow-left.mjs';
import download from 'lucide/dist/esm/icons/download.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import type { Item } from '../../../contract/catalog/items.ts';
import type { To } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Badge } from '../../kit/states/states.tsx';
import { codec, facts, resolution, size } from '../../lib/format.ts';
import { askPlan, deliveryOf, type PlanReply } from '../../parts/playback/plan.ts';
import { wayOf, whyOf } from '../../parts/playback/words.ts';
import css from './cannot-play.module.css';
import { playerWords as m } from '../../messages/player.ts';

/** More than this many versions of one item are only listed. */
const MAX_ASKED = 6;

const Versions = ({ item, current }: { item: Item; current: string | undefined }) => {
  const others = item.versions.filter((version) => version.id !== (current ?? item.versions[0]?.id));
  const plans = useQueries({
    queries: others.slice(0, MAX_ASKED).map((version) => ({
      queryKey: ['player', 'plan', item.id, version.id],
      queryFn: () => askPlan({ id: item.id, version: version.id }),
      retry: false,
    })),
  });
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">{m.otherVersions}</h2>
      <ul className={css.versions}>
        {others.map((version, at) => {
          const plan = plans[at]?.data as PlanReply | undefined;
          return (
            <li key={version.id}>
              <Link
                to={{ page: 'player', params: { id: item.id }, query: { version: version.id } }}
                className={css.version}
              >
                <strong>{version.label || (version.resolution ? resolution(version.resolution) : m.version)}</strong>
                <span className="muted small">
                  {facts(version.container && codec(version.container), size(version.size)).join(' · ')}
                </span>
                {plan && (
                  <Badge tone={deliveryOf(plan) ? 'good' : 'plain'}>
                    {deliveryOf(plan) ? wayOf(plan) : m.doesNotPlayHere}
                  </Badge>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

export interface CannotPlayProps {
  item: Item;
  plan: PlanReply;
  version: string | undefined;
  behind: To;
  onTry: () => void;
}
export const CannotPlay = ({ item, plan, version, behind, onTry }: CannotPlayProps) => {
  const file = plan.urls.download ?? item.links.download;
  return (
    <div className={css.page}>
      <Link to={behind} className={css.back}>
        <Icon of={arrow} /> <span>{m.back}</span>
      </Link>
      <div className={css.inside}>
        <p className={css.over}>{item.title}</p>
        <h1>{m.thisBrowserCannotPlayThis}</h1>
        {plan.reasons.length > 0 ? (
          <ul className={css.reasons}>
            {whyOf(plan).map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        ) : (
          <p className={css.reasons}>{m.theServerHasNoVersion}</p>
        )}
        <p className="muted">{m.anotherBrowserOrAnApp}</p>
        <div className={css.actions}>
          {file !== undefined && (
            <a className={css.download} href={file} download="">
              <Icon of={download} />{' '}
              <span>{item.size === undefined ? m.download : m.downloadSize({ size: size(item.size) })}</span>
            </a>
          )}
          {plan.urls.media !== undefined && (
            <Button icon={play} onClick={onTry}>
              {m.tryAnyway}
            </Button>
          )}
          <ButtonLink look="quiet" to={{ page: 'item', params: { id: item.id } }}>
            {m.details}
          </ButtonLink>
        </div>
        <Versions item={item} current={version} />
      </div>
    </div>
  );
};
