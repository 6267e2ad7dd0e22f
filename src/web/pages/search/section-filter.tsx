/** Filters of the results of a search: everything, or one section. */
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { Button } from '../../kit/forms/button.tsx';
import css from './search.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

export interface ShownSection {
  name: string;
  label: string;
  count: string;
}

export const SectionFilter = ({
  sections,
  chosen,
  asked,
}: {
  sections: readonly ShownSection[];
  chosen: string | undefined;
  asked: string;
}) => {
  const choose = (only: string | undefined) =>
    go(hrefOf({ page: 'search', query: { q: asked, only } }), { replace: true });
  return (
    <div className={css.filters} role="group" aria-label={m.resultsShown}>
      <Button
        look={chosen === undefined ? 'primary' : 'plain'}
        aria-pressed={chosen === undefined}
        onClick={() => choose(undefined)}
      >
        {m.allResults}
      </Button>
      {sections.map(({ name, label, count }) => (
        <Button
          key={name}
          look={chosen === name ? 'primary' : 'plain'}
          aria-pressed={chosen === name}
          onClick={() => choose(name)}
        >
          {`${label} ${count}`}
        </Button>
      ))}
    </div>
  );
};
