/** What a place shows when it is empty, when something failed, and while a slow answer is on its way. Each says what to do. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import alert from 'lucide/dist/esm/icons/circle-alert.mjs';
import compass from 'lucide/dist/esm/icons/compass.mjs';
import { CallFailed, sentence } from '../../data/client.ts';
import { cx } from '../../lib/cx.ts';
import { Icon, type IconNode } from '../art/icon.tsx';
import { Button, ButtonLink } from '../forms/button.tsx';
import css from './states.module.css';

export const EmptyState = ({
  icon,
  title,
  children,
  action,
}: {
  icon?: IconNode;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) => (
  <div className={css.state}>
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
  /** What to say where there is no error of the server. */
  says?: string;
  retry?: () => void;
  retryLabel?: string;
  /** It stands for the whole page, and so is its first heading. */
  isAlone?: boolean;
  /** Alone on the screen, without a frame around it. */
  isPage?: boolean;
}
export const ErrorState = ({
  title,
  error,
  says,
  retry,
  retryLabel = 'Try again',
  isPage = false,
  isAlone = isPage,
}: ErrorStateProps) => {
  const Tag = (isPage ? 'main' : 'div') as 'div';
  // What is not there will not be there on the next try either.
  const isGone = error instanceof CallFailed && error.status === 404;
  const Heading = isAlone ? 'h1' : 'h2';
  return (
    <Tag className={cx(css.state, isPage && css.page)} {...(!isPage && { role: 'alert' as const })}>
      <div className={cx(css.mark, !isGone && css.bad)}>
        <Icon of={isGone ? compass : alert} size={2} />
      </div>
      <Heading className={css.title}>{isGone && isAlone ? 'There is nothing at this address' : title}</Heading>
      {says !== undefined && <p className={css.says}>{says}</p>}
      {error !== undefined && (
        <p className={css.says}>
          {isGone && isAlone ? 'It may have been removed, or it is not open to your Profile.' : sentence(error)}
        </p>
      )}
      {(retry ?? isGone) && (
        <div className={css.action}>
          {isGone ? (
            <ButtonLink to={{ page: 'home' }}>Go home</ButtonLink>
          ) : (
            <Button onClick={retry}>{retryLabel}</Button>
          )}
        </div>
      )}
    </Tag>
  );
};

/** Nothing for most of a second, then a quiet word: an answer from the same house rarely takes longer. */
export const Pending = ({ says = 'Loading' }: { says?: string }) => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 700);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={css.pending} role="status">
      {isSlow ? says : ''}
    </div>
  );
};

/** How far something is, 0 to 1. Without a value: it runs, and how far is not known. */
export const Progress = ({
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

/** A small word about a state: "4K", "Managed", "Offline". */
export const Badge = ({
  children,
  tone = 'plain',
}: {
  children: ComponentChildren;
  tone?: 'plain' | 'good' | 'warn' | 'danger' | 'accent';
}) => <span className={cx(css.badge, css[tone])}>{children}</span>;

/** A note beside what it is about. */
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
