/** The items with the state of each language, to filter, to choose from, and to fetch for. */
import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../../app/addresses.ts';
import { Link } from '../../app/link.tsx';
import { go } from '../../app/navigate.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field, Select } from '../../kit/forms/field.tsx';
import { Badge, EmptyState } from '../../kit/states/states.tsx';
import { language, many, moment } from '../../lib/format.ts';
import { useStore } from '../../lib/store.ts';
import { batch, batchState } from './fetching.ts';
import { KINDS, listingOf, pageLinks, SORTS, STATUSES } from './listing.ts';
import { asSentence, titleOf, type Inventory, type LanguageState, type SubtitleItem } from './words.ts';
import css from './subtitles.module.css';

type Listing = ReturnType<typeof listingOf>;
const choicesOf = <T extends string>(words: Readonly<Record<T, string>>) => (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));
/** Changes filters in the address; any change but of the page begins at the first page again. */
const change = (listing: Listing, by: Partial<Record<keyof Listing, string | number | undefined>>) => {
  const { status, kind, sort, q, language: code } = { ...listing, ...by };
  const page = by.page ?? 1;
  go(hrefOf({ page: 'subtitles', query: { status: status === 'all' ? undefined : status, kind: kind === 'all' ? undefined : kind, sort: sort === 'title' ? undefined : sort, q, language: code, page: page === 1 ? undefined : page } }), { replace: by.page === undefined });
};

const Filters = ({ listing, languages }: { listing: Listing; languages: readonly string[] }) => {
  const [text, setText] = useState(listing.q ?? '');
  useEffect(() => {
    const timer = setTimeout(() => text.trim() !== (listing.q ?? '') && change(listing, { q: text.trim() || undefined }), 300);
    return () => clearTimeout(timer);
  }, [text]);
  const all = [...new Set([...languages, ...(listing.language ? [listing.language] : [])])];
  return (
    <form className={css.filters} role="search" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <Field label="Search" type="search" value={text} onValue={setText} maxLength={128} placeholder="Title" />
      <Select label="State" value={listing.status} choices={choicesOf(STATUSES)} onValue={(status) => change(listing, { status })} />
      <Select label="Kind" value={listing.kind} choices={choicesOf(KINDS)} onValue={(kind) => change(listing, { kind })} />
      <Select label="Language" value={listing.language ?? ''} choices={[{ value: '', label: 'All languages' }, ...all.map((code) => ({ value: code, label: language(code) }))]} onValue={(code) => change(listing, { language: code || undefined })} />
      <Select label="Order" value={listing.sort} choices={choicesOf(SORTS)} onValue={(sort) => change(listing, { sort })} />
    </form>
  );
};

/** What is known about a language that is missing. */
const whyMissing = ({ reason, nextRetry, lastSearch }: LanguageState): string =>
  [reason ? asSentence(reason) : lastSearch ? 'Nothing was found.' : 'Not looked for yet.', nextRetry && `Next try ${moment(nextRetry)}.`].filter(Boolean).join(' ');

const Row = ({ item, isChosen, onChoose }: { item: SubtitleItem; isChosen: boolean; onChoose: (is: boolean) => void }) => {
  const states = item.languages.filter((one) => item.missing.includes(one.language) && !one.installed);
  return (
    <li className={css.row}>
      {item.missing.length > 0 ? <input type="checkbox" className={css.check} checked={isChosen} onChange={(event) => onChoose(event.currentTarget.checked)} aria-label={`Choose ${titleOf(item)}`} /> : <span className={css.check} />}
      <div className={css.words}>
        <Link to={{ page: 'subtitleItem', params: { id: item.id } }} className={css.name}>
          {item.title} {item.year !== undefined && <span className="muted">{item.year}</span>}
        </Link>
        {item.context && <p className="small">{item.context}</p>}
        {states.map((state) => (
          <p key={`${state.language}${state.role}`} className="muted small">
            {language(state.language)}: {whyMissing(state)}
          </p>
        ))}
      </div>
      <div className={css.badges}>
        {item.languages.map((one) => (
          <Badge key={`${one.language}${one.role}`} tone={one.installed ? 'good' : 'warn'}>
            {one.language}
            {one.role === 'normal' ? '' : ` ${one.role}`}
            <span className="unseen">{one.installed ? ', there' : ', missing'}</span>
          </Badge>
        ))}
        {!item.ready && item.missing.length === 0 && <Badge>Being checked</Badge>}
      </div>
    </li>
  );
};

const Pages = ({ listing, pages }: { listing: Listing; pages: number }) => {
  if (pages < 2) return null;
  return (
    <nav className={css.pages} aria-label="Pages">
      {pageLinks(listing.page, pages).map((one, at) =>
        one === undefined ? (
          <span key={`gap${at}`}>…</span>
        ) : (
          <button key={one} type="button" aria-current={one === listing.page ? 'page' : undefined} aria-label={`Page ${one}`} onClick={() => change(listing, { page: one })}>
            {one}
          </button>
        ),
      )}
    </nav>
  );
};

export const List = ({ inventory, query }: { inventory: Inventory; query: URLSearchParams }) => {
  const listing = listingOf(query);
  const { isRunning } = useStore(batchState);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { items, matched, pages, languages } = inventory;
  const wanted = items.filter(({ missing }) => missing.length > 0);
  const picked = wanted.filter(({ id }) => chosen.has(id));
  const choose = (id: string, is: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      if (is) next.add(id);
      else next.delete(id);
      return next;
    });
  const fetchAll = () => {
    const wishes = picked.flatMap((item) => item.missing.filter((code) => listing.language === undefined || code === listing.language).map((code) => ({ id: item.id, title: `${titleOf(item)}, ${language(code)}`, language: code })));
    setChosen(new Set());
    void batch.start(wishes);
  };
  return (
    <section aria-labelledby="items">
      <h2 id="items" className="unseen">
        Items
      </h2>
      <Filters listing={listing} languages={languages} />
      <div className={css.bar}>
        <span className="muted small" role="status">
          {many(matched, 'item')}
        </span>
        {wanted.length > 0 && (
          <div>
            <Button look="quiet" onClick={() => setChosen(picked.length === wanted.length ? new Set() : new Set(wanted.map(({ id }) => id)))}>
              {picked.length === wanted.length ? 'Choose none' : 'Choose all on this page'}
            </Button>
            <Button look="primary" disabled={picked.length === 0 || isRunning} onClick={fetchAll}>
              {picked.length === 0 ? 'Fetch' : `Fetch for ${many(picked.length, 'item')}`}
            </Button>
          </div>
        )}
      </div>
      {items.length === 0 ? (
        <EmptyState title={listing.status === 'wanted' && !listing.q ? 'Nothing is wanted' : 'Nothing fits these filters'} action={<Button onClick={() => go(hrefOf({ page: 'subtitles' }))}>Show everything</Button>} />
      ) : (
        <ul className={css.rows}>
          {items.map((item) => (
            <Row key={item.id} item={item} isChosen={chosen.has(item.id)} onChoose={(is) => choose(item.id, is)} />
          ))}
        </ul>
      )}
      <Pages listing={listing} pages={pages} />
    </section>
  );
};
