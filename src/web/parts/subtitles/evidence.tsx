/** Why a subtitle was taken: what speaks for it and against it, with points. */
import type { ItemLanguage } from './words.ts';
import { asSentence } from './words.ts';
import { evidenceText } from '../../messages/server-evidence.ts';
import { changeText } from '../../messages/server-notes.ts';
import css from './evidence.module.css';

export const EvidenceList = ({ evidence }: { evidence: ItemLanguage['evidence'] }) => (
  <ul className={css.evidence}>
    {evidence.map(({ kind, detail, notes, why, points }) => (
      <li key={`${kind}${detail}`}>
        {points === 0 ? (
          <span className={css.noted} aria-hidden="true">
            ·
          </span>
        ) : (
          <span className={points < 0 ? css.against : css.for}>
            {points > 0 ? `+${points}` : `−${Math.abs(points)}`}
          </span>
        )}
        <span>{asSentence(notes ? changeText({ detail, notes }) : evidenceText({ detail, why }))}</span>
      </li>
    ))}
  </ul>
);
