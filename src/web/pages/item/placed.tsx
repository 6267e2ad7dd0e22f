/** For Owners: how the file was recognised, how sure that is, and what spoke for it. */
import type { DetailedItem } from '../../parts/details/types.ts';
import { Badge } from '../../kit/states/states.tsx';
import { capital, percent } from '../../lib/format.ts';
import css from './item.module.css';
import { clueText } from '../../messages/server-clues.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

const sure = (confidence: number): [string, 'good' | 'warn' | 'danger'] =>
  confidence >= 0.8 ? [m.certain, 'good'] : confidence >= 0.5 ? [m.likely, 'warn'] : [m.uncertain, 'danger'];

export const GuessNotice = ({ guess: { confidence, evidence } }: { guess: NonNullable<DetailedItem['guess']> }) => {
  const [word, tone] = sure(confidence);
  return (
    <section className={css.part} aria-labelledby="placed">
      <h2 id="placed">{m.howItWasMatched}</h2>
      <p>
        <Badge tone={tone}>{word}</Badge> <span className="muted">{m.confidence({ share: percent(confidence) })}</span>
      </p>
      {evidence.length > 0 && (
        <ul className={css.evidence}>
          {evidence.map((one) => (
            <li key={one}>{capital(clueText(one))}</li>
          ))}
        </ul>
      )}
    </section>
  );
};
