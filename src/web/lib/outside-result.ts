/** Result of a step at an identity provider, in the query of the page to which the browser comes back. */
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';

/** Longest path to return to that the server takes. */
export const MAX_TO = 512;

/** Result of a step at the provider, as the address of the page that follows has it. */
export type OutsideResult =
  | { kind: 'failed'; reason: 'outside-unknown' | 'outside-refused' | 'outside-expired' }
  | { kind: 'owes-code'; protocol: OutsideProtocolName }
  | { kind: 'confirmed' };

const NAMES = ['reason', 'owes', 'through', 'confirmed'] as const;
const MARK = 'outside';

/** Returns the address of this page with the mark that a proof was given; its length is bounded. */
export const confirmedHere = (): string => {
  const query = new URLSearchParams(location.search);
  query.set('confirmed', MARK);
  const to = `${location.pathname}?${query.toString()}`;
  return to.length > MAX_TO ? `${location.pathname}?confirmed=${MARK}` : to;
};

/** Reads from the query of a page by which protocol a step went. */
export const protocolIn = (query: URLSearchParams): OutsideProtocolName =>
  query.get('through') === 'saml' ? 'saml' : 'oidc';

/** Reads the result of a step from the query of a page. */
export function outsideResultIn(query: URLSearchParams): OutsideResult | undefined {
  const reason = query.get('reason');
  if (reason === 'outside-unknown' || reason === 'outside-refused' || reason === 'outside-expired')
    return { kind: 'failed', reason };
  if (query.get('owes') === 'code') return { kind: 'owes-code', protocol: protocolIn(query) };
  return query.get('confirmed') === MARK ? { kind: 'confirmed' } : undefined;
}

/** Returns the path and query of the page without the result of a step. */
export function withoutOutsideResult(path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of NAMES) rest.delete(name);
  const text = rest.toString();
  return text === '' ? path : `${path}?${text}`;
}
