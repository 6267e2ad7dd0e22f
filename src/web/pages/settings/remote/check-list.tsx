/** Card with what was checked, and what was found. */
import { Badge } from '../../../kit/states/states.tsx';
import { remoteWords as m } from '../../../messages/remote.ts';
import { checkWord, type CheckState } from './words.ts';
import css from '../settings.module.css';
import own from './remote.module.css';

export interface ShownCheck {
  name: string;
  state: CheckState;
  says: string;
}

export const CheckList = ({ checks }: { checks: readonly ShownCheck[] }) => (
  <section className={css.card} aria-labelledby="checks">
    <h2 id="checks">{m.checks}</h2>
    <ul className={own.checks}>
      {checks.map(({ name, state, says }) => {
        const { word, tone } = checkWord(state);
        return (
          <li key={name}>
            <p className={css.tags}>
              <strong>{name}</strong> <Badge tone={tone}>{word}</Badge>
            </p>
            <p className="small">{says}</p>
          </li>
        );
      })}
    </ul>
  </section>
);
