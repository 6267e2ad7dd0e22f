/** Shows each subtitle provider: its state, what is left of its allowance, and when the server asks it again. */
import { useState } from 'preact/hooks';
import { Link } from '../../../lib/navigation/link.tsx';
import { call, sentence } from '../../../data/client.ts';
import { queries, readAgain } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { ago, capital, count, moment } from '../../../lib/format.ts';
import { providerLabel, sourceName, type Inventory, type InventoryProvider } from '../../../parts/subtitles/words.ts';
import shared from '../subtitles.module.css';
import css from './overview.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

const isAhead = (iso: string | undefined): iso is string => iso !== undefined && Date.parse(iso) > Date.now();

/** Returns what is left of the allowance, and when it is renewed. */
function allowance({ remaining, resetAt }: InventoryProvider): string | undefined {
  if (remaining === undefined) return isAhead(resetAt) ? m.theLimitResets({ moment: moment(resetAt) }) : undefined;
  if (remaining <= 0) return isAhead(resetAt) ? m.noDownloadsLeftUntil({ moment: moment(resetAt) }) : m.noDownloadsLeft;
  return isAhead(resetAt)
    ? m.leftUntil({ downloads: m.downloadsCount({ count: remaining }), moment: moment(resetAt) })
    : m.leftNow({ downloads: m.downloadsCount({ count: remaining }) });
}

const One = ({ provider }: { provider: InventoryProvider }) => {
  const { name, lastSuccess, lastError, nextRetry, configured, restartPending } = provider;
  const { label, tone } = providerLabel(provider);
  const facts = [
    [m.downloads, allowance(provider)],
    [m.lastResponse, lastSuccess && ago(lastSuccess)],
    [m.problem, provider.state !== 'connected' && lastError],
    [m.nextTryLabel, isAhead(nextRetry) && moment(nextRetry)],
  ].flatMap(([what, says]) => (what && says ? [{ what, says }] : []));
  return (
    <li className={css.provider}>
      <div>
        <strong>{sourceName(name)}</strong>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {facts.length > 0 && (
        <dl className={css.facts}>
          {facts.map(({ what, says }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{capital(says)}</dd>
            </div>
          ))}
        </dl>
      )}
      {!configured && restartPending !== true && (
        <p className="small">
          <Link
            to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: `integrations.${name}` } }}
            className="link"
          >
            {m.setUp({ provider: sourceName(name) })}
          </Link>
        </p>
      )}
    </li>
  );
};

export const Providers = ({ providers }: { providers: readonly InventoryProvider[] }) => {
  const [isBusy, setBusy] = useState(false);
  const isAny = providers.some(({ configured }) => configured);
  const test = async () => {
    setBusy(true);
    try {
      const { attempted, connected, providers: fresh } = await call.subtitles.testProviders({});
      queries.setQueriesData(
        { queryKey: ['subtitles', 'inventory'] },
        (before: Inventory | undefined) => before && { ...before, providers: fresh },
      );
      readAgain('subtitles');
      toast({
        message:
          attempted === connected
            ? attempted === 1
              ? m.theProviderAnswered
              : m.allProvidersAnswered({ count: count(attempted) })
            : m.ofAnswered({ connected: count(connected), providers: m.providersCount({ count: attempted }) }),
        isError: connected < attempted,
      });
    } catch (error) {
      toast({ message: sentence(error), isError: true });
    }
    setBusy(false);
  };
  return (
    <section className={shared.card} aria-labelledby="providers">
      <div className={shared.head}>
        <h2 id="providers">{m.providers}</h2>
        {isAny && (
          <Button onClick={() => void test()} isBusy={isBusy} aria-label={m.testProviders}>
            {isBusy ? m.testing : m.test}
          </Button>
        )}
      </div>
      <ul>
        {providers.map((provider) => (
          <One key={provider.name} provider={provider} />
        ))}
      </ul>
    </section>
  );
};
