/** States of a page or a part: empty, failed, loading and in progress, and small notes about a state. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import alert from 'lucide/dist/esm/icons/circle-alert.mjs';
import compass from 'lucide/dist/esm/icons/compass.mjs';
import { CallFailed, sentence } from '../../data/client.ts';
import { cx } from '../../lib/cx.ts';
import { useTitle } from '../../lib/title.ts';
import { shellWords } from '../../messages/shell.ts';
import { Icon, type IconNode } from '../art/icon.tsx';
import { Button, ButtonLink } from '../forms/button.tsx';
import css from './states.module.css';
import { later } from '../../lib/pending-work.ts';

export const EmptyState = ({
  icon,
  title,
  children,
  action,
  isAlone = false,
}: {
  icon?: IconNode;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
  /** Whether it is all that a page shows: it is in the middle of the screen, and larger on a large one. */
  isAlone?: boolean;
}) => (
  <div className={cx(css.state, isAlone && css.alone)}>
    {icon && (
      <div className={css.mark}>
        <Icon of={icon} size={2} />
      </div>
    )}
    <h2>{title}</h2>
    {children !== undefined && <div className={css.says}>{children}</div>}
    {action !== undefined && <div className={css.action}>{action}</div>}
  </div>
);

export interface ErrorStateProps {
  title: string;
  error?: unknown;
  /** Text to show if there is no error of the server. */
  says?: string;
  retry?: () => void;
  retryLabel?: string;
  /** Whether it replaces the whole page, so that its title is the first heading. */
  isAlone?: boolean;
}
export const ErrorState = ({
  title,
  error,
  says,
  retry,
  retryLabel = shellWords.tryAgain,
  isAlone = false,
}: ErrorStateProps) => {
  // Trying again does not help when the page does not exist.
  const isGone = error instanceof CallFailed && error.status === 404;
  useTitle(isAlone ? (isGone ? shellWords.notFound : title) : undefined);
  const Heading = isAlone ? 'h1' : 'h2';
  return (
    <div className={cx(css.state, isAlone && css.alone)} role="alert">
      <div className={cx(css.mark, !isGone && css.bad)}>
        <Icon of={isGone ? compass : alert} size={2} />
      </div>
      <Heading className={css.title}>{isGone && isAlone ? shellWords.notFound : title}</Heading>
      {says !== undefined && <p className={css.says}>{says}</p>}
      {error !== undefined && (
        <p className={css.says}>{isGone && isAlone ? shellWords.notFoundHelp : sentence(error)}</p>
      )}
      {(retry ?? isGone) && (
        <div className={css.action}>
          {isGone ? (
            <ButtonLink to={{ page: 'home' }}>{shellWords.goHome}</ButtonLink>
          ) : (
            <Button onClick={retry}>{retryLabel}</Button>
          )}
        </div>
      )}
    </div>
  );
};

/** Shows a text after 0.7 s. Replies within a home network rarely take longer, so that nothing flickers. */
export const Pending = ({ says = shellWords.loading }: { says?: string }) => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => later(700, () => setSlow(true)), []);
  return (
    <div className={css.pending} role="status">
      {isSlow ? says : ''}
    </div>
  );
};

/** Progress from 0 to 1; undefined if it is unknown. */
export const ProgressBar = ({
  value,
  label,
  isThin = false,
}: {
  value: number | undefined;
  label: string;
  isThin?: boolean;
}) => {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={cx(css.bar, isThin && css.thin)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div
        className={cx(css.done, percent === undefined && css.unknown)}
        style={percent === undefined ? {} : { width: `${percent}%` }}
      />
    </div>
  );
};

/** A short label for a state: "4K", "Managed", "Offline". */
export const Badge = ({
  children,
  tone = 'plain',
}: {
  children: ComponentChildren;
  tone?: 'plain' | 'good' | 'warn' | 'danger' | 'accent';
}) => <span className={cx(css.badge, css[tone])}>{children}</span>;

/** A note within a page. */
export const Notice = ({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'warn' | 'danger' | 'good';
  children: ComponentChildren;
}) => (
  <div className={cx(css.notice, css[`n-${tone}`])} role={tone === 'danger' ? 'alert' : undefined}>
    {children}
  </div>
);
