/** Addresses of the parts and pages of a book. */

export const hrefOfProgress = (id: string): string => `/api/v1/books/${id}/reader/progress`;
export const partHref = (id: string, part: number, version: string): string => `/read/${id}/part/${part}?v=${version}`;

/** Returns the part and the place that an address inside the book leads to. */
export function partAt(id: string, href: string): { part: number; fragment?: string } | undefined {
  const url = new URL(href, location.href);
  const part = new RegExp(`^/read/${id}/part/(\\d{1,6})$`).exec(url.pathname)?.[1];
  if (url.origin !== location.origin || part === undefined) return undefined;
  const fragment = decodeURIComponent(url.hash.slice(1));
  return { part: Number(part), ...(fragment !== '' && { fragment }) };
}

/** Widths that pages are asked for in, so that a window that is resized does not ask for each of its widths. */
const PAGE_WIDTHS = [640, 960, 1280, 1920, 2560] as const;

/** Returns the address of a page of a comic for a width in device pixels. Above all fixed widths it is as stored. */
export function pageHref(id: string, page: number, { version, width }: { version: string; width: number }): string {
  const fixed = PAGE_WIDTHS.find((one) => one >= width);
  return `/read/${id}/page/${page}?v=${version}${fixed === undefined ? '' : `&width=${fixed}`}`;
}
