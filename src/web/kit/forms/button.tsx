/** Buttons, and links that look like them. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Link, type LinkProps } from '../../lib/navigation/link.tsx';
import { cx } from '../../lib/cx.ts';
import { Icon, type IconNode } from '../art/icon.tsx';
import css from './button.module.css';

/**
 * `primary` once per view; `plain` for the others; `quiet` without a frame; `danger` for changes that cannot be undone.
 */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';
interface Common {
  look?: ButtonLook;
  icon?: IconNode;
  /** Puts the icon behind the words, as for what opens a menu. */
  isIconAfter?: boolean;
  isLarge?: boolean;
  isFilled?: boolean;
  children?: ComponentChildren;
}
export type ButtonProps = Common & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> & { isBusy?: boolean };

export const Button = ({
  look = 'plain',
  icon,
  isIconAfter = false,
  isLarge,
  isFilled = false,
  isBusy = false,
  children,
  className,
  type = 'button',
  disabled,
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    disabled={disabled}
    aria-disabled={isBusy || undefined}
    aria-busy={isBusy || undefined}
    className={cx(css.button, css[look], isLarge && css.large, className as string)}
    onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
  >
    {icon && !isIconAfter && <Icon of={icon} isFilled={isFilled} />}
    {children !== undefined && <span className={css.label}>{children}</span>}
    {icon && isIconAfter && <Icon of={icon} isFilled={isFilled} />}
  </button>
);

export const ButtonLink = ({
  look = 'plain',
  icon,
  isLarge,
  isFilled = false,
  children,
  className,
  ...rest
}: Omit<Common, 'isIconAfter'> & LinkProps) => (
  <Link {...rest} className={cx(css.button, css[look], isLarge && css.large, className as string)}>
    {icon && <Icon of={icon} isFilled={isFilled} />}
    <span className={css.label}>{children}</span>
  </Link>
);

/** A round button with an icon only; the label is said and shown as a hint. */
export const IconButton = ({
  icon,
  label,
  isFilled = false,
  className,
  type = 'button',
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'label'> & {
  icon: IconNode;
  label: string;
  isFilled?: boolean;
}) => (
  <button {...rest} type={type} aria-label={label} title={label} className={cx(css.round, className as string)}>
    <Icon of={icon} isFilled={isFilled} />
  </button>
);
