/**
 * Ceremonies of passkeys that were begun and have not ended: in memory, bounded, gone after five minutes.
 *
 * One is taken out before anything about it is judged, so an answer of a device is judged once. It is bound to the
 * listener, the purpose and, where there is one, the session that began it.
 */
import { randomBytes } from 'node:crypto';
import type { PasskeyHost } from '../../contract/identity/passkeys.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { MINUTE } from '../core.ts';
import { networkBuckets } from '../proof/throttle.ts';
import type { CallerOrigin, Network } from '../types.ts';

export const CEREMONY_MS = 5 * MINUTE;
const MAX_CEREMONIES = 1_000;
/** Sign-ins that may be open from one network. Each open sign-in page has one, so the oldest gives way. */
const MAX_OF_NETWORK = 64;

/** Purpose of a ceremony. All but a sign-in belong to the session that began them. */
export type CeremonyPurpose = { kind: 'sign-in' } | { kind: 'register' | 'step-up'; session: string; profile: string };

export interface OpenCeremony {
  purpose: CeremonyPurpose;
  /** 32 random bytes in Base64url. */
  challenge: string;
  /** The listener on which it began. */
  network: Network;
  at: PasskeyHost;
}
interface HeldCeremony extends OpenCeremony {
  /** The network of the caller, as failed attempts are counted for it. */
  place: string;
  /** By the monotonic clock: a correction of the time must not keep it alive. */
  until: number;
}

export interface Ceremonies {
  /** Keeps a new ceremony. Throws `Failure('throttled')` if there are too many. */
  begin(purpose: CeremonyPurpose, at: PasskeyHost, from: CallerOrigin): { ceremony: string; challenge: string };
  /** Takes a ceremony out; undefined unless it is of this kind, listener and session. Whatever was there is gone. */
  take(
    id: string,
    of: { kind: CeremonyPurpose['kind']; network: Network; session?: string | undefined },
  ): OpenCeremony | undefined;
  readonly size: number;
}

export function createCeremonies({ clock }: { clock: Clock }): Ceremonies {
  const held = new Map<string, HeldCeremony>();
  const sessionOf = ({ purpose }: OpenCeremony): string | undefined =>
    purpose.kind === 'sign-in' ? undefined : purpose.session;
  const makeRoom = (purpose: CeremonyPurpose, place: string): void => {
    const now = clock.monotonic();
    for (const [id, one] of held) {
      const isReplaced =
        purpose.kind !== 'sign-in' && one.purpose.kind === purpose.kind && sessionOf(one) === purpose.session;
      if (now >= one.until || isReplaced) held.delete(id);
    }
    if (purpose.kind === 'sign-in') {
      const own = [...held].filter(([, one]) => one.purpose.kind === 'sign-in' && one.place === place);
      for (const [id] of own.slice(0, Math.max(0, own.length + 1 - MAX_OF_NETWORK))) held.delete(id);
    }
    if (held.size >= MAX_CEREMONIES)
      throw new Failure('throttled', 'too many sign-ins are in progress', {
        reason: 'too-many-attempts',
        retryAfterSeconds: 60,
      });
  };
  return {
    begin: (purpose, at, from) => {
      const place = networkBuckets(from.address)[0]?.key ?? '';
      makeRoom(purpose, place);
      const ceremony = newId();
      const challenge = randomBytes(32).toString('base64url');
      held.set(ceremony, {
        purpose,
        at,
        challenge,
        place,
        network: from.network,
        until: clock.monotonic() + CEREMONY_MS,
      });
      return { ceremony, challenge };
    },
    take: (id, { kind, network, session }) => {
      const found = held.get(id);
      held.delete(id);
      if (!found || clock.monotonic() >= found.until) return undefined;
      const isMeant = found.purpose.kind === kind && found.network === network && sessionOf(found) === session;
      return isMeant ? found : undefined;
    },
    get size() {
      return held.size;
    },
  };
}
