/** A line's text as elements: its marks, the words that differ, and how sure each word of a draft is. */
import type { ComponentChildren } from 'preact';
import { cx } from '../../lib/cx.ts';
import { piecesOf, type CueTextNode } from '../../parts/subtitles/cue-text.ts';
import type { DiffWord } from '../model/diff.ts';
import { DOUBTFUL, UNSURE } from '../model/rows.ts';
import type { SureWord } from '../model/settings.ts';
import css from './cue-text.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';

const drawn = (pieces: readonly CueTextNode[]): ComponentChildren =>
  pieces.map((piece, at) => {
    if (typeof piece === 'string') return piece;
    const { tag: Tag, children } = piece;
    return <Tag key={at}>{drawn(children)}</Tag>;
  });

export const CueText = ({ text }: { text: string }) => <>{drawn(piecesOf(text))}</>;

/** Words that are not in the other text are marked, by colour and by a line. */
export const Differing = ({ words, as }: { words: readonly DiffWord[]; as: 'del' | 'ins' }) => {
  const Tag = as;
  return (
    <>
      {words.map(({ text, isOther }, at) =>
        isOther && text.trim() !== '' ? (
          <Tag key={at} className={css[as]}>
            {text}
          </Tag>
        ) : (
          text
        ),
      )}
    </>
  );
};

const percent = (value: number): number => Math.round(value * 100);
/** The words of a draft: what is doubtful stands out, and says how sure it is. */
export const SureWords = ({ words }: { words: readonly SureWord[] }) => (
  <>
    {words.map(({ text, confidence }, at) => (
      <>
        {at > 0 && ' '}
        {confidence >= UNSURE ? (
          <span key={at}>{text}</span>
        ) : (
          <span
            key={at}
            className={cx(css.unsure, confidence < DOUBTFUL && css.doubtful)}
            title={m.certain({ confidence: percent(confidence) })}
          >
            {text}
            <span className="unseen" lang="en">
              {' '}
              {m.certainWithConfidence({ confidence: percent(confidence) })}
            </span>
          </span>
        )}
      </>
    ))}
  </>
);
