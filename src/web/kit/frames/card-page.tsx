/** Layout of the pages before sign-in: the logo, a title and one column. */
import type { ComponentChildren } from 'preact';
import { cx } from '../../lib/cx.ts';
import { Logo } from '../art/mark.tsx';
import css from './card-page.module.css';

export const CardPage = ({
  title,
  lead,
  step,
  children,
  isWide = false,
}: {
  title: string;
  lead?: ComponentChildren;
  step?: string | undefined;
  children: ComponentChildren;
  isWide?: boolean;
}) => (
  <div className={css.page}>
    <div className={cx(css.inside, isWide && css.wide)}>
      <div className={css.brand}>
        <Logo size={2.5} />
        <span>Matinee</span>
      </div>
      {step && <p className={css.step}>{step}</p>}
      <h1 className={css.title} tabIndex={-1}>
        {title}
      </h1>
      {lead !== undefined && <p className={css.lead}>{lead}</p>}
      <div className={css.body}>{children}</div>
    </div>
  </div>
);
