/** Pages to which a browser returns from the identity provider. */
import { pageAt, type Page } from '../../contract/dashboard/pages.ts';

/** A page with its parameters and query, for a redirect. */
export interface ReturnPage {
  page: Page;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

/** Returns a page of the dashboard. */
export const returnTo = (page: Page, query: Readonly<Record<string, string>> = {}): ReturnPage => ({
  page,
  params: {},
  query,
});

/** Returns the page at a path with a query, and home for a path that is none. */
export function returnPageOf(to: string | undefined, more: Readonly<Record<string, string>> = {}): ReturnPage {
  const [path = '', query = ''] = (to ?? '/').split(/\?(.*)/s, 2);
  const found = pageAt(path);
  if (!found) return returnTo('home', more);
  return { ...found, query: { ...Object.fromEntries(new URLSearchParams(query)), ...more } };
}
