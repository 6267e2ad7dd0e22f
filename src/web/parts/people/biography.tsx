/** The life of a person or an artist in words. A long text is folded. */
import { useState } from 'preact/hooks';
import { Button } from '../../kit/forms/button.tsx';
import { cx } from '../../lib/cx.ts';
import { peopleWords as m } from '../../messages/people.ts';
import css from './people.module.css';

const SHORT_BIOGRAPHY = 600;

/** `source` says where the text is from. */
export const Biography = ({ text, source }: { text: string; source?: string }) => {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > SHORT_BIOGRAPHY;
  return (
    <section aria-labelledby="biography">
      <h2 id="biography" className="unseen">
        {m.biography}
      </h2>
      <p className={cx(css.biography, isLong && !isOpen && css.folded)}>{text}</p>
      {isLong && (
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? m.readLess : m.readMore}
        </Button>
      )}
      {source !== undefined && <p className="muted small">{source}</p>}
    </section>
  );
};
