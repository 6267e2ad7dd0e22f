/** A link to a page of the dashboard, checked against the table of pages. */
import type { ComponentChildren, PartialAnchorHTMLAttributes } from 'preact';
import type { Page } from '../../contract/dashboard/pages.ts';
import { hrefOf, type To } from './addresses.ts';
import { followClick } from './navigate.ts';
import { preload } from './pages.ts';

type Rest = Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'role'>;
export type LinkProps = Rest & { to: To; children?: ComponentChildren };

export const Link = ({ to, children, ...rest }: LinkProps) => {
  const warm = () => preload(to.page as Page);
  return (
    <a {...rest} href={hrefOf(to)} onClick={followClick as never} onPointerEnter={warm} onFocus={warm}>
      {children}
    </a>
  );
};
