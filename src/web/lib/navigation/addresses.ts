/** Typed addresses: a link names a page of the table of pages, with exactly the parameters that its address needs. */
import { pageAt, PAGES, type Page } from '../../../contract/dashboard/pages.ts';

export { pageAt };

type Parts<A extends string> = A extends `${string}{${infer Name}}${infer Rest}` ? Name | Parts<Rest> : never;
/** Parameters in a page's address: `{ id: string }` for an item, none for home. */
export type Params<P extends Page> = { [K in Parts<(typeof PAGES)[P]>]: string };
/** Properties of the component that shows a page: the parameters of its address. */
export interface PageProps<P extends Page> {
  params: Params<P>;
}
export type Query = Record<string, string | number | boolean | undefined>;
/** Target of a link. `params` is required exactly when the page's address has some. */
export type To<P extends Page = Page> = P extends Page
  ? { page: P; query?: Query } & (Parts<(typeof PAGES)[P]> extends never
      ? { params?: undefined }
      : { params: Params<P> })
  : never;

/** Returns the path and query of a page. Members of `query` that are undefined, empty or false are left out. */
export function hrefOf(to: To): string {
  const params = (to.params ?? {}) as Record<string, string>;
  const path = PAGES[to.page].replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(to.query ?? {}).filter(
    ([, value]) => value !== undefined && value !== '' && value !== false,
  );
  const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query ? `${path}?${query}` : path;
}

/** Returns `next` if it is a path of this dashboard, else the home page. Prevents open redirects after signing in. */
export const safeNext = (next: string | null): string =>
  next && /^\/(?![/\\])/.test(next) && pageAt(next.split('?')[0] ?? '') ? next : '/';
