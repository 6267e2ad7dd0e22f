/** Leads to the page of an item that was asked for at the page of another kind, as by an address that was typed. */
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { pageOf } from './cards.tsx';

/** Returns the item if this page is its own. Otherwise goes there, and returns undefined. */
export function useOwnPage<I extends Parameters<typeof pageOf>[0]>(
  item: I | undefined,
  page: 'item' | 'audiobook' | 'book',
): I | undefined {
  const own = item && pageOf(item);
  const elsewhere = own && own.page !== page ? hrefOf(own) : undefined;
  useEffect(() => {
    if (elsewhere !== undefined) go(elsewhere, { replace: true });
  }, [elsewhere]);
  return elsewhere === undefined ? item : undefined;
}
