/** A link to a page of the dashboard. Starts to load the page's code when it is hovered over or focused. */
import type { ComponentChildren, PartialAnchorHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { hrefOf, type To } from './addresses.ts';
import { followClick, followClosing } from './navigate.ts';
import { PreloadPage } from './preload.ts';

type Rest = Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'role'>;
export type LinkProps = Rest & {
  to: To;
  /** Whether the link closes a page that was opened from `to`: then it is a step back. */
  isClosing?: boolean;
  children?: ComponentChildren;
};

export const Link = ({ to, isClosing = false, children, ...rest }: LinkProps) => {
  const preload = useContext(PreloadPage);
  const warm = () => preload(to.page);
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={(isClosing ? followClosing : followClick) as never}
      onPointerEnter={warm}
      onFocus={warm}
    >
      {children}
    </a>
  );
};
