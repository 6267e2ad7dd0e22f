/** The frame of what stands alone: set-up and sign-in. The name above, one card, nothing else. */
import type { ComponentChildren } from 'preact';
import { cx } from '../lib/cx.ts';
import { Mark } from './brand.tsx';
import css from './bare.module.css';

export const Bare = ({
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
        <Mark size={2.5} />
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
