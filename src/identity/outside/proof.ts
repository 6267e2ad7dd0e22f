/**
 * Identities that a provider has confirmed, whatever the protocol, and answers that are not accepted. Pure.
 *
 * An identity is the value of one claim of one issuer.
 */
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';
import type { OutsideSession } from '../types.ts';

/** Difference of clocks that is tolerated between a provider and this server. */
export const OUTSIDE_SKEW_SECONDS = 60;
const MAX_VALUE = 255;
const MAX_LABEL = 128;

/** An identity that the provider has confirmed. */
export interface OutsideProof {
  protocol: OutsideProtocolName;
  issuer: string;
  claim: string;
  /** The value of the claim. */
  subject: string;
  label: string | undefined;
  session: OutsideSession;
  /** When the person authenticated there, in milliseconds since the epoch; undefined if the provider does not say. */
  authenticatedAt: number | undefined;
  /** Whether the provider says that it asked for more than one factor. */
  isStrong: boolean;
  /** When a session has to be over, in milliseconds since the epoch, if the provider says so. */
  endsBy?: number;
}

/** Thrown for an answer of a provider that is not accepted. `detail` is for the log and holds nothing of the answer. */
export class RefusedAnswer extends Error {
  readonly detail: string;
  constructor(detail: string, cause?: unknown) {
    super(`the answer of the identity provider is not accepted: ${detail}`, { cause });
    this.name = 'RefusedAnswer';
    this.detail = detail;
  }
}
export function refuseAnswer(detail: string): never {
  throw new RefusedAnswer(detail);
}

/** Returns a text of 1 to 255 characters without control characters; undefined for anything else. */
export const identityValue = (given: unknown): string | undefined =>
  typeof given === 'string' && given.length >= 1 && given.length <= MAX_VALUE && !/\p{Cc}/u.test(given)
    ? given
    : undefined;

/** Returns what a person recognises the identity by: the first of the values that is a usable text, cut to length. */
export function identityLabel(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const text = identityValue(value)?.trim();
    if (text) return [...text].slice(0, MAX_LABEL).join('');
  }
  return undefined;
}

/**
 * Returns when a person authenticated, or refuses a time that lies ahead, and with `isFresh` one that is not of the
 * last minute. Milliseconds since the epoch.
 */
export function authenticationTime(
  at: number | undefined,
  { now, isFresh }: { now: number; isFresh: boolean },
): number | undefined {
  const skew = OUTSIDE_SKEW_SECONDS * 1000;
  if (at !== undefined && at > now + skew) refuseAnswer('time of authentication');
  if (isFresh && (at === undefined || at < now - skew)) refuseAnswer('time of authentication');
  return at;
}
