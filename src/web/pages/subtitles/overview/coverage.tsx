/** How much is covered: in all, and in each library by language. Every number leads to what it counts. */
import { Link } from '../../../lib/navigation/link.tsx';
import type { Query } from '../../../lib/navigation/addresses.ts';
import { ProgressBar } from '../../../kit/states/states.tsx';
import { count } from '../../../lib/format.ts';
import { isSameKind, shortName, subtitleName, type Inventory } from '../../../parts/subtitles/words.ts';
import shared from '../subtitles.module.css';
import css from './overview.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

type Numbers = Inventory['byWanted'];

const Figure = ({ value, label, status }: { value: number; label: string; status: string }) => (
  <div>
    <dd>
      <Link to={{ page: 'subtitles', query: { status } }} className="link" aria-label={`${label}: ${count(value)}`}>
        {count(value)}
      </Link>
    </dd>
    <dt>{label}</dt>
  </div>
);

const Cell = ({
  label,
  have,
  lack,
  total,
  query,
}: {
  label: string;
  have: number;
  lack: number;
  total: number;
  query: Query;
}) => (
  <td>
    {total === 0 ? (
      <span className="muted small">{m.empty}</span>
    ) : (
      <>
        <Link to={{ page: 'subtitles', query: { ...query, status: lack > 0 ? 'wanted' : undefined } }} className="link">
          <span className="unseen">{label}: </span>
          {have === total ? m.complete : m.of({ have: count(have), total: count(total) })}
        </Link>
        <ProgressBar value={have / total} label={label} isThin />
      </>
    )}
  </td>
);

/** A table of two or three columns fits a phone; more of them scroll sideways inside. */
const Table = ({ inventory: { languages, wants, byLibrary, byWanted } }: { inventory: Inventory }) => {
  // A single language needs no filter.
  const of = (code: string): Query => (languages.length > 1 ? { language: code } : {});
  const row = (name: string, each: Numbers, totalOf: (column: Numbers[number]) => number, query: Query) =>
    wants.map((column) => {
      const own = each.find((one) => isSameKind(one, column));
      const key = `${column.language} ${column.role}`;
      return own ? (
        <Cell
          key={key}
          label={`${name}, ${subtitleName(column)}`}
          have={own.ready}
          lack={own.wanted}
          total={totalOf(own)}
          query={{ ...query, ...of(column.language) }}
        />
      ) : (
        <td key={key}>
          <span className="muted small">{m.notWanted}</span>
        </td>
      );
    });
  const totalWanting = (column: Numbers[number]): number =>
    byLibrary
      .filter(({ wants: own }) => own.some((one) => isSameKind(one, column)))
      .reduce((sum, { total }) => sum + total, 0);
  return (
    <div
      className={css.scrolls}
      role="region"
      aria-label={m.coverageByLibraryAndLanguage}
      tabIndex={wants.length > 2 ? 0 : undefined}
    >
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{m.library}</th>
            {wants.map((one) => (
              <th key={`${one.language} ${one.role}`} scope="col" title={subtitleName(one)}>
                {shortName(one)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byLibrary.map(({ library, name, total: items, wants: each }) => (
            <tr key={library}>
              <th scope="row">{name}</th>
              {row(name, each, () => items, { library })}
            </tr>
          ))}
          {byLibrary.length !== 1 && (
            <tr>
              <th scope="row">{m.allLibraries}</th>
              {row(m.allLibraries, byWanted, totalWanting, {})}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
};

export const Coverage = ({ inventory }: { inventory: Inventory }) => {
  const { coverage, ready, wanted, pending, unavailable, total } = inventory;
  return (
    <section className={shared.card} aria-labelledby="coverage">
      <div className={shared.head}>
        <h2 id="coverage">{m.coverage}</h2>
      </div>
      <p className={css.big}>
        {coverage === 100 ? 100 : Math.floor(coverage * 10) / 10} %{' '}
        <span>{m.ofWithItems({ items: m.filmsAndEpisodesCount({ count: total }) })}</span>
      </p>
      <dl className={css.numbers}>
        <Figure value={ready} label={m.ready} status="ready" />
        <Figure value={wanted} label={m.missing} status="wanted" />
        {pending > 0 && <Figure value={pending} label={m.checking} status="checking" />}
        {unavailable > 0 && <Figure value={unavailable} label={m.notFoundOrUnavailable} status="unavailable" />}
      </dl>
      <Table inventory={inventory} />
    </section>
  );
};
