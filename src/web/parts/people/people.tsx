/** People with links to their pages: the cast of an item, and names in a line of facts. */
import type { Credit } from '../../../contract/catalog/people.ts';
import { Portrait } from '../../kit/art/portrait.tsx';
import { Link } from '../../lib/navigation/link.tsx';
import css from './people.module.css';

/** Returns the people with a job, each once. */
export const withJob = (people: readonly Credit[], job: Credit['job']): Credit[] => {
  const seen = new Set<string>();
  return people.filter((one) => one.job === job && !seen.has(one.id) && seen.add(one.id));
};

export const PersonLinks = ({ people }: { people: readonly Pick<Credit, 'id' | 'name'>[] }) => (
  <>
    {people.map(({ id, name }, at) => (
      <span key={id}>
        {at > 0 && ', '}
        <Link to={{ page: 'person', params: { id } }} className="link">
          {name}
        </Link>
      </span>
    ))}
  </>
);

export const PersonList = ({ people, label }: { people: readonly Credit[]; label: string }) => (
  <ul className={css.people} aria-label={label}>
    {people.map(({ id, name, role, image }) => (
      <li key={`${id}${role ?? ''}`}>
        <Link to={{ page: 'person', params: { id } }} className={css.person}>
          <Portrait id={id} name={name} version={image} />
          <span className={css.words}>
            <strong>{name}</strong>
            {role !== undefined && <span className="muted small">{role}</span>}
          </span>
        </Link>
      </li>
    ))}
  </ul>
);
