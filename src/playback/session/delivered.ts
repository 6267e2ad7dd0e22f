/**
 * Seconds of media that Profiles with a limit were sent, whatever their players report.
 *
 * A player may have one allowance ahead for each item and sign-in. What it is sent beyond that, and beyond the time
 * that was counted for it already, counts as played: a film that is saved in a minute is watched without the server
 * later. Time that passes is not counted once more for those seconds, so a player with a large buffer, or a person who
 * jumped, pays for them once. Sending the same seconds again soon after costs nothing, because players fetch again
 * after a small seek, and sound and picture of a second are two files.
 */
import type { Clock } from '../../lib/clock.ts';
import type { PlaybackSession } from './types.ts';

/** Most that a player has ahead without it being counted: the buffer of the dashboard's player, and a segment. */
export const AHEAD_S = 90;
/** Seconds that are sent again within this time are sent once. */
const AGAIN_MS = 30_000;
/** Items of all Profiles that are remembered; those that were used longest ago are forgotten. */
const MAX_LEDGERS = 1_000;
/** Speed at which a file is sent as it is, as a multiple of real time. */
export const DIRECT_SPEED = 1.5;

/** Seconds on the timeline of an item: `to` is not among them. */
export interface DeliveredSpan {
  from: number;
  to: number;
}

export interface DeliveryLedger {
  /** Notes what is sent. Returns the milliseconds that are neither counted nor allowed ahead. */
  send(session: PlaybackSession, span: DeliveredSpan): number;
  /** Returns the time to count for each Profile, in milliseconds, after these sessions played for `ms`. */
  count(sessions: readonly PlaybackSession[], ms: number): Map<string, number>;
  /** Returns what is neither counted nor allowed ahead for each Profile, in milliseconds, and regards it as counted. */
  takeOwed(): Map<string, number>;
  /** Notes what is sent of a file as it is. Returns the milliseconds for which the next bytes have to wait. */
  pace(session: PlaybackSession, span: DeliveredSpan): number;
}

interface Ledger {
  profile: string;
  sentMs: number;
  countedMs: number;
  /** Part of it that was counted when it was sent, and has not been played since. */
  aheadMs: number;
  /** When a second was sent last, in milliseconds of the steady clock; the oldest first. */
  lately: Map<number, number>;
  /** Seconds that were sent of files as they are, since a moment of the steady clock. */
  direct?: { since: number; seconds: number };
}

const keyOf = ({ profile, credential, item }: PlaybackSession): string => `${profile} ${credential} ${item}`;
const newLedger = (profile: string): Ledger => ({ profile, sentMs: 0, countedMs: 0, aheadMs: 0, lately: new Map() });
const owedOf = ({ sentMs, countedMs }: Ledger): number => Math.max(0, sentMs - AHEAD_S * 1000 - countedMs);

export function createDelivered({ clock }: { clock: Pick<Clock, 'monotonic'> }): DeliveryLedger {
  const ledgers = new Map<string, Ledger>();

  const ledgerOf = (session: PlaybackSession): Ledger => {
    const key = keyOf(session);
    const ledger = ledgers.get(key) ?? newLedger(session.profile);
    ledgers.delete(key);
    ledgers.set(key, ledger);
    for (const oldest of ledgers.keys()) {
      if (ledgers.size <= MAX_LEDGERS) break;
      ledgers.delete(oldest);
    }
    return ledger;
  };
  /** Returns how many of these seconds were not sent a moment ago. */
  const freshOf = ({ lately }: Ledger, { from, to }: DeliveredSpan): number => {
    const now = clock.monotonic();
    for (const [second, at] of lately) {
      if (now - at < AGAIN_MS) break;
      lately.delete(second);
    }
    let fresh = 0;
    for (let second = Math.ceil(from); second < to; second++) {
      if (lately.has(second)) continue;
      lately.set(second, now);
      fresh += 1;
    }
    return fresh;
  };
  const send: DeliveryLedger['send'] = (session, span) => {
    const ledger = ledgerOf(session);
    ledger.sentMs += freshOf(ledger, span) * 1000;
    return owedOf(ledger);
  };

  return {
    send,
    count: (sessions, ms) => {
      const counted = new Map<string, number>();
      for (const [profile, own] of Map.groupBy(sessions, (session) => session.profile)) {
        const playing = [...new Set(own.map(keyOf))].map((key) => ledgers.get(key));
        // Two films at a time are counted once, so only what was counted for both is not counted again.
        const paid = Math.min(ms, ...playing.map((ledger) => ledger?.aheadMs ?? 0));
        for (const ledger of playing) {
          if (!ledger) continue;
          ledger.aheadMs -= paid;
          ledger.countedMs += ms - paid;
        }
        if (ms > paid) counted.set(profile, ms - paid);
      }
      return counted;
    },
    takeOwed: () => {
      const owed = new Map<string, number>();
      for (const ledger of ledgers.values()) {
        const ms = owedOf(ledger);
        if (ms === 0) continue;
        ledger.countedMs += ms;
        ledger.aheadMs += ms;
        owed.set(ledger.profile, (owed.get(ledger.profile) ?? 0) + ms);
      }
      return owed;
    },
    pace: (session, { from, to }) => {
      const ledger = ledgerOf(session);
      const direct = (ledger.direct ??= { since: clock.monotonic(), seconds: 0 });
      // These bytes may go at once if those before them might: of music, they are more than a minute.
      const ahead = direct.seconds - AHEAD_S;
      direct.seconds += to - from;
      return (ahead / DIRECT_SPEED) * 1000 - (clock.monotonic() - direct.since);
    },
  };
}
