/**
 * Judges the claims of an ID token whose signature, audience, expiry and nonce were verified before. Pure.
 *
 * An identity is the value of one claim of one issuer. With `email` as that claim, only an address
 * that the issuer has verified counts.
 */
import {
  authenticationTime,
  identityLabel,
  identityValue,
  OUTSIDE_SKEW_SECONDS,
  type OutsideProof,
  refuseAnswer,
} from '../proof.ts';

/** Claims as they came. */
export type Claims = Readonly<Record<string, unknown>>;

/** Returns the time of a claim in milliseconds, or refuses one that is none. */
function authTimeOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'number' || !Number.isFinite(given) || given < 0) return refuseAnswer('auth_time');
  return given * 1000;
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
  if (claims['iss'] !== issuer) refuseAnswer('iss');
  const sub = identityValue(claims['sub']) ?? refuseAnswer('sub');
  const { iat } = claims;
  if (typeof iat !== 'number' || iat * 1000 > now + OUTSIDE_SKEW_SECONDS * 1000) refuseAnswer('iat');
  // A logout token is signed with the same key for the same audience.
  if (claims['events'] !== undefined) refuseAnswer('events');
  const subject = identityValue(claims[claim]) ?? refuseAnswer('identity claim');
  if (claim === 'email' && claims['email_verified'] !== true) refuseAnswer('email_verified');
  const sid = claims['sid'] === undefined ? undefined : (identityValue(claims['sid']) ?? refuseAnswer('sid'));
  const authenticatedAt = authenticationTime(authTimeOf(claims['auth_time']), { now, isFresh });
  const methods = new Set(Array.isArray(claims['amr']) ? claims['amr'].filter((one) => typeof one === 'string') : []);
  return {
    protocol: 'oidc',
    issuer,
    claim,
    subject,
    label: identityLabel([claims['name'], claims['preferred_username'], claims['email']]),
    session: { issuer, subject: sub, ...(sid !== undefined && { sid }) },
    authenticatedAt,
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
    return refuseAnswer('iat');
  if (typeof exp !== 'number') return refuseAnswer('exp');
  if (nonce !== undefined) refuseAnswer('nonce');
  const event = typeof events === 'object' && events !== null ? (events as Claims)[LOGOUT_EVENT] : undefined;
  if (typeof event !== 'object' || event === null || Array.isArray(event)) refuseAnswer('events');
  const token = identityValue(claims['jti']) ?? refuseAnswer('jti');
  const [subject, sid] = ['sub', 'sid'].map((name) =>
    claims[name] === undefined ? undefined : (identityValue(claims[name]) ?? refuseAnswer(name)),
  );
  if (subject === undefined && sid === undefined) refuseAnswer('sub');
  return { subject, sid, token, endsAt: exp * 1000 };
}
