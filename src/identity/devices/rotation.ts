/**
 * Rules of the tokens of a browser that stays signed in.
 *
 * A token is replaced after a while: a new one is offered, and is in force once the browser has sent it. Until then the
 * one before counts, so a lost reply signs no one out. A token that was replaced counts a few seconds longer, for
 * requests of other tabs that were under way. After that only a copy can send it, and the session or device ends.
 */
import type { Rotation } from '../types.ts';

/** A row with a token that rotates: a session, or a household device. */
export interface RotatingRow {
  hash: string;
  remembered?: Rotation | undefined;
}

const MINUTE_MS = 60_000;
/** How long a token is in force before another is offered. */
export const ROTATE_AFTER_MS = 60 * MINUTE_MS;
/** How long a replaced token is still accepted. Requests of two tabs are milliseconds apart; a slow upload is not. */
const REPLACED_FOR_MS = MINUTE_MS / 2;
/** How many replaced tokens are remembered: with one an hour of use, those of the last days. */
const MAX_RETIRED = 64;

/** Every hash by which a row is found. */
export const hashesOf = ({ hash, remembered }: RotatingRow): string[] => [
  hash,
  ...(remembered?.offered === undefined ? [] : [remembered.offered]),
  ...(remembered?.retired ?? []),
];

const retiring = (hash: string, { retired }: Rotation): string[] => [hash, ...retired].slice(0, MAX_RETIRED);

/**
 * How a token of a row is judged: in force, offered (it takes over now), replaced a moment ago, or copied.
 */
export function judgeToken(row: RotatingRow, hash: string, now: number): 'current' | 'offered' | 'late' | 'copied' {
  const { remembered } = row;
  if (hash === row.hash) return 'current';
  if (hash === remembered?.offered) return 'offered';
  const isLate = hash === remembered?.retired[0] && now < remembered.rotatedAt + REPLACED_FOR_MS;
  return isLate ? 'late' : 'copied';
}

/** The row with its offered token in force. */
export function withOffered<R extends RotatingRow>(row: R, now: number): R {
  const { remembered } = row;
  if (remembered?.offered === undefined) return row;
  const retired = retiring(row.hash, remembered);
  return { ...row, hash: remembered.offered, remembered: { rotatedAt: now, retired } };
}

/** The row with a new token offered. One that was offered before and never came back is retired. */
export function withOffer<R extends RotatingRow>(row: R, offered: string): R {
  const { remembered } = row;
  if (!remembered) return row;
  const { rotatedAt, offered: unused } = remembered;
  const retired = unused === undefined ? remembered.retired : retiring(unused, remembered);
  return { ...row, remembered: { rotatedAt, offered, retired } };
}

/** The rotation of a session that got another token at once: the one in force and the one offered open nothing now. */
export const restartedRotation = ({ remembered }: RotatingRow, now: number): Rotation | undefined =>
  remembered && { rotatedAt: now, retired: remembered.retired };
