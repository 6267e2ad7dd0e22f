/** The subtitles of one item: each language with where its subtitle came from and why it was trusted, and fetching one. */
import { useState } from 'preact/hooks';
import { useQuery } from '@tanstack/react-query';
import type { PageProps } from '../../app/pages.ts';
import { Link } from '../../app/link.tsx';
import { useTitle } from '../../app/title.ts';
import { call } from '../../data/client.ts';
import { queries, readAgain, useAsk } from '../../data/query.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { Badge, EmptyState, ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { facts, language, moment } from '../../lib/format.ts';
import { EvidenceList } from './evidence.tsx';
import { asSentence, MATCH_WORDS, refusal, roleWords, sourceName, type Fetched, type Inventory, type LanguageState, type SubtitleItem } from './words.ts';
import css from './subtitles.module.css';

interface Found {
  item: SubtitleItem | undefined;
  languages: readonly string[];
}
const two = (value: number): string => String(value).padStart(2, '0');
/** The item out of the inventory, which is asked by words: the title with its year or number, then the title alone. */
async function find(id: string, signal: AbortSignal): Promise<Found> {
  const { title, show, year, season, episode } = await call.catalog.item({ id }, signal);
  const name = (show?.title ?? title).slice(0, 100);
  const number = season === undefined || episode === undefined ? '' : ` S${two(season)}E${two(episode)}`;
  let languages: readonly string[] = [];
  for (const q of new Set([show ? `${name}${number}` : `${name}${year === undefined ? '' : ` ${year}`}`, name])) {
    const reply = await call.subtitles.inventory({ q, limit: 200 }, signal);
    languages = reply.languages;
    const item = reply.items.find((one) => one.id === id);
    if (item) return { item, languages };
  }
  return { item: undefined, languages };
}
const fromLists = (id: string): Found | undefined => {
  for (const [, data] of queries.getQueriesData<Inventory>({ queryKey: ['subtitles', 'inventory'] })) {
    const item = data?.items?.find((one) => one.id === id);
    if (data && item) return { item, languages: data.languages };
  }
  return undefined;
};

const State = ({ state }: { state: LanguageState }) => {
  const { installed, evidence, reason, lastSearch, nextRetry } = state;
  const role = roleWords(state.role);
  return (
    <li className={css.card}>
      <div className={css.head}>
        <h2>
          {language(state.language)}
          {role && <span className="muted">, {role}</span>}
        </h2>
        <Badge tone={installed ? 'good' : 'warn'}>{installed ? 'Present' : 'Missing'}</Badge>
      </div>
      {installed ? (
        <dl className={css.facts}>
          <dt>From</dt>
          <dd>{sourceName(installed.source)}</dd>
          <dt>Match</dt>
          <dd>{facts(MATCH_WORDS[installed.match], installed.score !== undefined && `score ${Math.round(installed.score)} of 100`).join(', ')}</dd>
          <dt>Format</dt>
          <dd>{facts(installed.format.toUpperCase(), installed.hidden && 'hidden').join(', ')}</dd>
          {installed.installedAt !== undefined && (
            <>
              <dt>Since</dt>
              <dd>{moment(installed.installedAt)}</dd>
            </>
          )}
          {installed.source !== 'embedded' && (
            <>
              <dt>Kept by</dt>
              <dd>{installed.managed ? 'This server wrote it, and may replace it with a clearly better one' : 'Someone put it there; only one made for this very file may take its place, and the old one is kept'}</dd>
            </>
          )}
        </dl>
      ) : (
        <p>{reason ? asSentence(reason) : lastSearch ? 'Nothing was found.' : 'Not looked for yet.'}</p>
      )}
      {(lastSearch !== undefined || nextRetry !== undefined) && <p className="muted small">{facts(lastSearch && `Last looked for ${moment(lastSearch)}`, nextRetry && `next try ${moment(nextRetry)}`).join(', ')}</p>}
      {evidence.length > 0 && (
        <details className={css.why}>
          <summary>Why it was taken</summary>
          <EvidenceList evidence={evidence} />
        </details>
      )}
    </li>
  );
};

type Result = { fetched: Fetched } | { says: string; isSetup: boolean };

const Outcome = ({ result, id }: { result: Result; id: string }) => {
  if (!('fetched' in result))
    return (
      <Notice tone="warn">
        {result.says}{' '}
        {result.isSetup && (
          <Link to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'subtitles' } }} className="link">
            Subtitle settings
          </Link>
        )}
      </Notice>
    );
  const { language: code, source, score, match, evidence, file } = result.fetched;
  return (
    <Notice tone="good">
      <p>
        <strong>{language(code)} from {sourceName(source)}</strong>, score {Math.round(score)} of 100. {MATCH_WORDS[match]}.
      </p>
      <p className="small">
        Written beside the film: <code>{file}</code>
      </p>
      <EvidenceList evidence={evidence} />
      <p>
        <Link to={{ page: 'player', params: { id }, query: { subtitle: code } }} className="link">
          Watch with it
        </Link>
      </p>
    </Notice>
  );
};

/** Other languages that people have here ask for; any of them may be fetched too. */
const OTHERS = ['en', 'de', 'fr', 'es', 'it', 'pt', 'pt-br', 'nl', 'sv', 'da', 'no', 'fi', 'pl', 'cs', 'hu', 'ro', 'el', 'tr', 'ru', 'uk', 'ar', 'he', 'ja', 'ko', 'zh'];

const Fetch = ({ item, languages }: { item: SubtitleItem; languages: readonly string[] }) => {
  const [code, setCode] = useState(item.missing[0] ?? languages[0] ?? 'en');
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const first = [...new Set([...item.missing, ...languages])];
  const choices = [...first, ...OTHERS.filter((one) => !first.includes(one))].map((value) => ({ value, label: item.missing.includes(value) ? `${language(value)} (missing)` : language(value) }));
  const fetchIt = async () => {
    setBusy(true);
    setResult(undefined);
    try {
      setResult({ fetched: await call.subtitles.fetch({ id: item.id, language: code }) });
      readAgain('subtitles');
      readAgain('catalog', 'item');
    } catch (error) {
      setResult(refusal(error));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="fetch">
      <h2 id="fetch" className="unseen">
        Fetch a subtitle
      </h2>
      <div className={css.fetch}>
        <Select label="Fetch a subtitle in" value={code} choices={choices} onValue={setCode} />
        <Button look="primary" isBusy={isBusy} onClick={() => void fetchIt()}>
          {isBusy ? 'Looking' : 'Fetch'}
        </Button>
      </div>
      <div aria-live="polite">{result && <Outcome result={result} id={item.id} />}</div>
    </section>
  );
};

export const Page = ({ params: { id } }: PageProps<'subtitleItem'>) => {
  const { data, error, refetch } = useQuery({ queryKey: ['subtitles', 'one', id], queryFn: ({ signal }) => find(id, signal), ...(fromLists(id) && { placeholderData: fromLists(id) as Found }) });
  const { data: card } = useAsk('catalog', 'item', { id });
  const item = data?.item;
  useTitle(item ? `Subtitles of ${item.title}` : 'Subtitles');
  if (error && !data) return <ErrorState title="This item could not be shown" error={error} retry={() => void refetch()} />;
  if (!data) return <Pending />;
  if (!item)
    return (
      <div className={css.page}>
        <h1>{card?.title ?? 'Subtitles'}</h1>
        <EmptyState title="Not in the subtitle inventory">Only films and episodes have their subtitles managed here. A new file appears after the next scan.</EmptyState>
      </div>
    );
  return (
    <div className={css.page}>
      <Link to={{ page: 'subtitles' }} className="link small">
        All subtitles
      </Link>
      <h1>{item.title}</h1>
      <p className="muted">{facts(item.context, item.year).join(' · ')}</p>
      <p className={css.file}>
        <code>{item.file}</code>
      </p>
      <div className={css.actions}>
        <ButtonLink to={{ page: 'player', params: { id } }}>Play</ButtonLink>
        <ButtonLink look="quiet" to={{ page: 'item', params: { id } }}>
          About this item
        </ButtonLink>
      </div>
      <Fetch item={item} languages={data.languages} />
      <ul className={css.states}>
        {item.languages.map((state) => (
          <State key={`${state.language}${state.role}`} state={state} />
        ))}
      </ul>
    </div>
  );
};
