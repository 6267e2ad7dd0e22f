/** A person: who they are, and the works that this Profile may see, by what the person did in them. */
import { useState } from 'preact/hooks';
import type { PersonWork } from '../../../contract/catalog/people.ts';
import { PERSON_JOBS, type PersonJob } from '../../../contract/catalog/person-jobs.ts';
import { call } from '../../data/client.ts';
import { usePending } from '../../data/pending.ts';
import { type Reply, useAsk } from '../../data/query.ts';
import { Portrait } from '../../kit/art/portrait.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { day } from '../../lib/format.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { useTitle } from '../../lib/title.ts';
import { peopleWords as m } from '../../messages/people.ts';
import { Poster } from '../../parts/catalog/cards.tsx';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import gridCss from '../../parts/catalog/grid.module.css';
import { Biography } from '../../parts/people/biography.tsx';
import { Fact } from '../../parts/details/facts.tsx';
import css from './person.module.css';

type ShownPerson = Reply<'people', 'read'>;
const PAGE = 200;

const Works = ({ job, works }: { job: PersonJob; works: readonly PersonWork[] }) => (
  <section aria-labelledby={`as-${job}`}>
    <h2 id={`as-${job}`} className={css.heading}>
      {m.as[job]} <span className="muted small">{m.works({ count: works.length })}</span>
    </h2>
    <ul className={gridCss.few} aria-labelledby={`as-${job}`}>
      {works.map(({ item, credits, parts }) => {
        const roles = credits.flatMap((one) => (one.job === job && one.role !== undefined ? [one.role] : []));
        const under = [...roles, ...(parts === undefined ? [] : [m.inParts({ count: parts })])];
        return (
          <li key={item.id}>
            <Poster card={item} />
            {under.length > 0 && <span className={cx('muted', 'small', css.role)}>{under.join(' · ')}</span>}
          </li>
        );
      })}
    </ul>
  </section>
);

/** Returns the works of all pages that were loaded, and a function that loads the next one. */
function useWorks({ id, items, nextCursor }: ShownPerson) {
  const [more, setMore] = useState<{ items: PersonWork[]; next: string | undefined }>();
  const next = more ? more.next : nextCursor;
  const load = () =>
    runWithToast(async () => {
      const page = await call.people.read({ id, limit: PAGE, ...(next !== undefined && { cursor: next }) });
      setMore({ items: [...(more?.items ?? []), ...page.items], next: page.nextCursor });
    });
  return { works: [...items, ...(more?.items ?? [])], load: next === undefined ? undefined : load };
}

const Shown = ({ person }: { person: ShownPerson }) => {
  const { id, name, image, born, died, birthplace, biography, pending, total } = person;
  const { works, load } = useWorks(person);
  const jobs = PERSON_JOBS.filter((job) => works.some(({ credits }) => credits.some((one) => one.job === job)));
  return (
    <div className={css.page}>
      <header className={css.head}>
        <Portrait id={id} name={name} version={image} isLarge />
        <div className={css.who}>
          <h1>{name}</h1>
          <p className="muted">{[...jobs.map((job) => m.as[job]), m.works({ count: total })].join(' · ')}</p>
          {(born ?? died ?? birthplace) !== undefined && (
            <dl className={css.facts}>
              {born !== undefined && <Fact name={m.born}>{day(born)}</Fact>}
              {died !== undefined && <Fact name={m.died}>{day(died)}</Fact>}
              {birthplace !== undefined && <Fact name={m.birthplace}>{birthplace}</Fact>}
            </dl>
          )}
        </div>
      </header>
      {biography !== undefined && <Biography key={id} text={biography} source={m.biographyFrom} />}
      {pending && (
        <p className="muted small" role="status">
          {m.biographyOnTheWay}
        </p>
      )}
      <SelectableList order={orderOf(works.map(({ item }) => item.id))}>
        {jobs.map((job) => (
          <Works key={job} job={job} works={works.filter(({ credits }) => credits.some((one) => one.job === job))} />
        ))}
      </SelectableList>
      {load && <Button onClick={() => void load()}>{m.showMoreWorks}</Button>}
    </div>
  );
};

export const Page = ({ params: { id } }: PageProps<'person'>) => {
  const read = useAsk('people', 'read', { id, limit: PAGE });
  const { data, error, refetch } = read;
  const isPending = usePending(read, id);
  useTitle(data?.name);
  if (data) return <Shown key={data.id} person={{ ...data, pending: isPending }} />;
  return error ? (
    <ErrorState isAlone title={m.personCouldNotBeLoaded} error={error} retry={() => void refetch()} />
  ) : (
    <Pending />
  );
};
