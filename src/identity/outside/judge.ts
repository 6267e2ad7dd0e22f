/**
 * Judges the claims of an ID token whose signature, audience, expiry and nonce were verified before. Pure.
 *
 * An identity is the value of one claim of one issuer. With `email` as that claim, only an address
 * that the issuer has verified counts.
 */
import type { OutsideSession } from '../types.ts';

/** Difference of clocks that is tolerated between the issuer and this server. */
export const OUTSIDE_SKEW_SECONDS = 60;
const MAX_VALUE = 255;
const MAX_LABEL = 128;

/** Claims as they came. */
export type Claims = Readonly<Record<string, unknown>>;

/** An identity that the issuer has confirmed. */
export interface OutsideProof {
  issuer: string;
  claim: string;
  /** The value of the claim. */
  subject: string;
  label: string | undefined;
  session: OutsideSession;
  /** When the person authenticated there, in milliseconds since the epoch; undefined if the issuer does not say. */
  authenticatedAt: number | undefined;
  /** Whether the issuer says that it asked for more than one factor. */
  isStrong: boolean;
}

/** Thrown for an answer of the issuer that is not accepted. `detail` is for the log and holds nothing of the answer. */
export class RefusedAnswer extends Error {
  readonly detail: string;
  constructor(detail: string, cause?: unknown) {
    super(`the answer of the identity provider is not accepted: ${detail}`, { cause });
    this.name = 'RefusedAnswer';
    this.detail = detail;
  }
}
const refuse = (detail: string): never => {
  throw new RefusedAnswer(detail);
};

/** Returns a text of 1 to 255 characters without control characters; undefined for anything else. */
const valueOf = (given: unknown): string | undefined =>
  typeof given === 'string' && given.length >= 1 && given.length <= MAX_VALUE && !/\p{Cc}/u.test(given)
    ? given
    : undefined;

/** Returns what a person recognises the identity by. */
function labelOf(claims: Claims): string | undefined {
  for (const name of ['name', 'preferred_username', 'email']) {
    const value = valueOf(claims[name])?.trim();
    if (value) return [...value].slice(0, MAX_LABEL).join('');
  }
  return undefined;
}

/** Returns when the person authenticated, or refuses a time that is none or lies ahead. */
function authenticatedAt(given: unknown, now: number): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'number' || !Number.isFinite(given) || given < 0) return refuse('auth_time');
  return given * 1000 > now + OUTSIDE_SKEW_SECONDS * 1000 ? refuse('auth_time') : given * 1000;
}

export interface ExpectedClaims {
  issuer: string;
  claim: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Whether the person must have authenticated within the last minute. */
  isFresh: boolean;
}

/** Returns the identity of an ID token, or throws `RefusedAnswer`. */
export function judgeClaims(claims: Claims, { issuer, claim, now, isFresh }: ExpectedClaims): OutsideProof {
  if (claims['iss'] !== issuer) refuse('iss');
  const sub = valueOf(claims['sub']) ?? refuse('sub');
  const { iat } = claims;
  if (typeof iat !== 'number' || iat * 1000 > now + OUTSIDE_SKEW_SECONDS * 1000) refuse('iat');
  // A logout token is signed with the same key for the same audience.
  if (claims['events'] !== undefined) refuse('events');
  const subject = valueOf(claims[claim]) ?? refuse('identity claim');
  if (claim === 'email' && claims['email_verified'] !== true) refuse('email_verified');
  const sid = claims['sid'] === undefined ? undefined : (valueOf(claims['sid']) ?? refuse('sid'));
  const at = authenticatedAt(claims['auth_time'], now);
  if (isFresh && (at === undefined || at < now - OUTSIDE_SKEW_SECONDS * 1000)) refuse('auth_time');
  const methods = new Set(Array.isArray(claims['amr']) ? claims['amr'].filter((one) => typeof one === 'string') : []);
  return {
    issuer,
    claim,
    subject,
    label: labelOf(claims),
    session: { issuer, subject: sub, ...(sid !== undefined && { sid }) },
    authenticatedAt: at,
    isStrong: methods.has('mfa') || methods.size >= 2,
  };
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** A logout token older than this is a replay, whatever its expiry says. */
const MAX_LOGOUT_AGE_SECONDS = 600;

/** Identity whose sessions end, and the id by which the token is used once. */
export interface OutsideLogout {
  subject: string | undefined;
  sid: string | undefined;
  token: string;
  /** Milliseconds since the epoch. */
  endsAt: number;
}

/** Returns which sessions end, from a logout token whose signature, issuer, audience and expiry were verified. */
export function judgeLogout(claims: Claims, now: number): OutsideLogout {
  const { iat, exp, events, nonce } = claims;
  const seconds = now / 1000;
  if (typeof iat !== 'number' || iat > seconds + OUTSIDE_SKEW_SECONDS || iat < seconds - MAX_LOGOUT_AGE_SECONDS)
    return refuse('iat');
  if (typeof exp !== 'number') return refuse('exp');
  if (nonce !== undefined) refuse('nonce');
  const event = typeof events === 'object' && events !== null ? (events as Claims)[LOGOUT_EVENT] : undefined;
  if (typeof event !== 'object' || event === null || Array.isArray(event)) refuse('events');
  const token = valueOf(claims['jti']) ?? refuse('jti');
  const [subject, sid] = ['sub', 'sid'].map((name) =>
    claims[name] === undefined ? undefined : (valueOf(claims[name]) ?? refuse(name)),
  );
  if (subject === undefined && sid === undefined) refuse('sub');
  return { subject, sid, token, endsAt: exp * 1000 };
}
