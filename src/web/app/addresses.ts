/** Typed addresses: a link to a page names it in the table of pages and gives exactly the parts it needs. */
import { PAGES, type Page } from '../../contract/dashboard/pages.ts';

type Parts<A extends string> = A extends `${string}{${infer Name}}${infer Rest}` ? Name | Parts<Rest> : never;
/** What a page's address needs: `{ id: string }` for an item, nothing for home. */
export type Params<P extends Page> = { [K in Parts<(typeof PAGES)[P]>]: string };
export type Query = Record<string, string | number | boolean | undefined>;
/** Where a link leads. `params` is asked for exactly when the page has some. */
export type To<P extends Page = Page> = P extends Page
  ? { page: P; query?: Query } & (Parts<(typeof PAGES)[P]> extends never
      ? { params?: undefined }
      : { params: Params<P> })
  : never;

export function hrefOf(to: To): string {
  const params = (to.params ?? {}) as Record<string, string>;
  const path = PAGES[to.page].replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(to.query ?? {}).filter(
    ([, value]) => value !== undefined && value !== '' && value !== false,
  );
  const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query ? `${path}?${query}` : path;
}

const patterns = Object.entries(PAGES).map(([page, address]) => ({
  page: page as Page,
  names: [...address.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? ''),
  shape: new RegExp(`^${address.replace(/\{\w+\}/g, '([a-z0-9-]{1,64})')}/?$`),
}));

/** Which page an address is, with its parts; undefined when there is no such page. */
export function pageAt(path: string): { page: Page; params: Record<string, string> } | undefined {
  for (const { page, names, shape } of patterns) {
    const found = shape.exec(path);
    if (found) return { page, params: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) };
  }
  return undefined;
}

/** A path of this dashboard to go back to after signing in; anything else becomes home. */
export const safeNext = (next: string | null): string =>
  next && /^\/(?![/\\])/.test(next) && pageAt(next.split('?')[0] ?? '') ? next : '/';
