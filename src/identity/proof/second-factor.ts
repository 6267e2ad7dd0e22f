/**
 * The second factor: time-based codes (RFC 6238: SHA-1, six digits, 30 seconds) and recovery codes.
 *
 * A code is accepted one step early or late, and a step once: judging returns the Profile as it must be written in the
 * same transaction as what the code allows. Recovery codes are kept as keyed hashes, so the database alone does not
 * give them away, and each works once.
 */
import { createHmac, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { isAhead } from '../../lib/clock.ts';
import type { ProfileRow } from '../types.ts';

const PERIOD = 30;
const RECOVERY_CODES = 10;
/** Letters and digits that cannot be mistaken for one another. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const totp = (secret: string, names: { issuer: string; label: string } = { issuer: '', label: '' }): TOTP =>
  new TOTP({ ...names, algorithm: 'SHA1', digits: 6, period: PERIOD, secret: Secret.fromBase32(secret) });

export interface Enrolment {
  /** Base32, for typing in. */
  secret: string;
  /** For the QR code. */
  uri: string;
  recoveryCodes: string[];
}

/** Makes a secret of 160 bits and ten recovery codes of 49 bits. */
export function newEnrolment(issuer: string, profile: string): Enrolment {
  const secret = new Secret({ size: 20 }).base32;
  // A colon separates issuer and account in these addresses.
  const clean = (text: string): string => text.replaceAll(':', ' ');
  return {
    secret,
    uri: totp(secret, { issuer: clean(issuer), label: clean(profile) }).toString(),
    recoveryCodes: newRecoveryCodes(),
  };
}

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, recoveryCode);

function recoveryCode(): string {
  const part = (): string => Array.from({ length: 5 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return `${part()}-${part()}`;
}

/** Returns the stored form of a recovery code. */
export const recoveryHash = (key: Uint8Array, profile: string, code: string): string =>
  createHmac('sha256', key).update(`matinee-recovery-1\0${profile}\0${code}`).digest('hex');

/** The time step whose code this is, or undefined. `now` in milliseconds since the epoch. */
export function timeStepOf(secret: string, code: string, now: number): number | undefined {
  const delta = /^\d{6}$/.test(code) ? totp(secret).validate({ token: code, timestamp: now, window: 1 }) : null;
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta;
}

/**
 * Whether a spent step lies further ahead than any that can be accepted: a clock that ran ahead stored it, and it
 * blocks nothing.
 */
const isStepAhead = (step: number, now: number): boolean => isAhead((step - 1) * PERIOD * 1000, now);

/** The Profile with the code spent, or undefined when the code is wrong, was used, or is too old. */
export function spendCode(
  profile: ProfileRow,
  given: { code: string; secret: string | undefined; key: Uint8Array; now: number },
): ProfileRow | undefined {
  const { code, secret, key, now } = given;
  const step = secret === undefined ? undefined : timeStepOf(secret, code, now);
  if (step !== undefined)
    return step > profile.totpStep || isStepAhead(profile.totpStep, now) ? { ...profile, totpStep: step } : undefined;
  const hash = recoveryHash(key, profile.id, code);
  return profile.recovery.includes(hash)
    ? { ...profile, recovery: profile.recovery.filter((one) => one !== hash) }
    : undefined;
}
