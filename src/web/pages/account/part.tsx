/** A part of the account page, with its heading next to it where there is room. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import css from './account.module.css';

export const AccountPart = ({
  title,
  says,
  children,
}: {
  title: string;
  says?: string;
  children: ComponentChildren;
}) => {
  const id = useId();
  return (
    <section className={css.part} aria-labelledby={id}>
      <div className={css.side}>
        <h2 id={id}>{title}</h2>
        {says !== undefined && <p className="muted small">{says}</p>}
      </div>
      <div className={css.body}>{children}</div>
    </section>
  );
};
