/** How much is covered, by language, and how the providers are. */
import { useState } from 'preact/hooks';
import { Link } from '../../app/link.tsx';
import { call, sentence } from '../../data/client.ts';
import { queries, readAgain } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, Progress } from '../../kit/states/states.tsx';
import { ago, count, language, many, moment } from '../../lib/format.ts';
import { asSentence, PROVIDER_WORDS, sourceName, type Inventory, type Provider } from './words.ts';
import css from './subtitles.module.css';

const Number_ = ({ value, label }: { value: number; label: string }) => (
  <div>
    <dd>{count(value)}</dd>
    <dt>{label}</dt>
  </div>
);

const Coverage = ({ inventory }: { inventory: Inventory }) => {
  const { coverage, ready, wanted, pending, unavailable, total, byLanguage } = inventory;
  return (
    <section className={css.card} aria-labelledby="coverage">
      <h2 id="coverage">Coverage</h2>
      <p className={css.big}>
        {coverage === 100 ? 100 : Math.floor(coverage * 10) / 10} % <span>of {many(total, 'item')}</span>
      </p>
      <dl className={css.numbers}>
        <Number_ value={ready} label="Ready" />
        <Number_ value={wanted} label="Wanted" />
        {pending > 0 && <Number_ value={pending} label="Being checked" />}
        {unavailable > 0 && <Number_ value={unavailable} label="Unavailable" />}
      </dl>
      <ul>
        {byLanguage.map(({ language: code, ready: have, wanted: lack }) => (
          <li key={code} className={css.language}>
            <div>
              <Link to={{ page: 'subtitles', query: { language: code, status: lack > 0 ? 'wanted' : undefined } }} className="link">
                {language(code)}
              </Link>
              <span className="muted small">{have === total ? 'complete' : `${count(have)} of ${count(total)}`}</span>
            </div>
            <Progress value={total === 0 ? 0 : have / total} label={`${language(code)}: ${have} of ${total}`} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const remainingOf = ({ remaining, resetAt }: Provider): string | undefined => (remaining === undefined ? undefined : `${many(remaining, 'download')} left${resetAt === undefined ? '' : ` until ${moment(resetAt)}`}`);

const One = ({ provider }: { provider: Provider }) => {
  const { name, state, lastSuccess, lastError, nextRetry } = provider;
  const { label, tone } = PROVIDER_WORDS[state];
  const lines = [remainingOf(provider), lastSuccess && `Last answered ${ago(lastSuccess)}`, lastError && asSentence(lastError), nextRetry && `Asked again ${moment(nextRetry)}`].filter(Boolean);
  return (
    <li className={css.provider}>
      <div>
        <strong>{sourceName(name)}</strong>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {lines.length > 0 && <p className="muted small">{lines.join(' · ')}</p>}
      {state === 'not-configured' && (
        <p className="small">
          <Link to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: `integrations.${name}` } }} className="link">
            Set up {sourceName(name)}
          </Link>
        </p>
      )}
    </li>
  );
};

const Providers = ({ providers }: { providers: readonly Provider[] }) => {
  const [isBusy, setBusy] = useState(false);
  const isAny = providers.some(({ configured }) => configured);
  const test = async () => {
    setBusy(true);
    try {
      const { attempted, connected, providers: fresh } = await call.subtitles.testProviders({});
      queries.setQueriesData({ queryKey: ['subtitles', 'inventory'] }, (before: Inventory | undefined) => before && { ...before, providers: fresh });
      readAgain('subtitles');
      toast({ message: `${connected} of ${many(attempted, 'provider')} answered`, isError: connected < attempted });
    } catch (error) {
      toast({ message: sentence(error), isError: true });
    }
    setBusy(false);
  };
  return (
    <section className={css.card} aria-labelledby="providers">
      <div className={css.head}>
        <h2 id="providers">Providers</h2>
        {isAny && (
          <Button onClick={() => void test()} isBusy={isBusy}>
            {isBusy ? 'Testing' : 'Test'}
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

export const Overview = ({ inventory }: { inventory: Inventory }) => (
  <div className={css.overview}>
    <Coverage inventory={inventory} />
    <Providers providers={inventory.providers} />
  </div>
);
