/**
 * Signed short-lived links: a credential for one item and one purpose, for players that can send no header.
 *
 * A ticket is 24 bytes that say what it opens and for whom, and an HMAC-SHA-256 over them with a key of this
 * installation. Nothing is stored: at each use the session or key behind it, its Profile and its policy are looked up
 * again, so whatever ends those ends the link.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PURPOSES, type Purpose } from '../contract/kernel/endpoint.ts';
import { isAhead } from '../lib/clock.ts';
import { isId } from '../lib/ids.ts';

export const TICKET_MS = 6 * 3_600_000;
const PREFIX = 'mat_tkt_';
const VERSION = 1;
const SAID = 24;

export interface Ticket {
  /** The id of the session or key it was made with. */
  credential: string;
  purpose: Purpose;
  item: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const sign = (key: Uint8Array, said: Uint8Array): Buffer =>
  createHmac('sha256', key).update('matinee-ticket-1\0').update(said).digest();

export function writeTicket(key: Uint8Array, { credential, purpose, item, expiresAt }: Ticket): string {
  if (!isId(credential) || !isId(item)) throw new Error('a ticket is made for ids only');
  const said = Buffer.alloc(SAID);
  said.writeUInt8(VERSION, 0);
  said.writeUInt8(PURPOSES.indexOf(purpose), 1);
  said.write(credential, 2, 'hex');
  said.write(item, 10, 'hex');
  said.writeUIntBE(expiresAt, 18, 6);
  return PREFIX + Buffer.concat([said, sign(key, said)]).toString('base64url');
}

/** Returns the content of a ticket, or undefined if it is not one of ours or its time is over. */
export function readTicket(key: Uint8Array, text: string, now: number): Ticket | undefined {
  if (!/^mat_tkt_[A-Za-z0-9_-]{75}$/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  // 75 characters hold two bits more than 56 bytes: only the spelling that `writeTicket` produces is accepted.
  if (bytes.toString('base64url') !== text.slice(PREFIX.length)) return undefined;
  const said = bytes.subarray(0, SAID);
  if (!timingSafeEqual(sign(key, said), bytes.subarray(SAID)) || said[0] !== VERSION) return undefined;
  const purpose = PURPOSES[said[1] ?? PURPOSES.length];
  const expiresAt = said.readUIntBE(18, 6);
  // A link that ends later than one made now was made by a clock that ran ahead.
  if (purpose === undefined || expiresAt <= now || isAhead(expiresAt, now + TICKET_MS)) return undefined;
  return { credential: said.toString('hex', 2, 10), item: said.toString('hex', 10, 18), purpose, expiresAt };
}
