/**
 * Ceremonies of passkeys that were begun and have not ended: in memory, bounded, gone after five minutes.
 *
 * One is taken out before anything about it is judged, so an answer of a device is judged once. It is bound to the
 * listener, the purpose and, where there is one, the session that began it. Where there is no room, the oldest gives
 * way: each open sign-in page has one, and begins another when a person returns to it.
 */
import { randomBytes } from 'node:crypto';
import type { PasskeyHost } from '../../contract/identity/passkeys.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { MINUTE } from '../core.ts';
import { excessOccupants, type Occupant, occupantOf } from '../proof/occupants.ts';
import type { CallerOrigin, Network } from '../types.ts';

export const CEREMONY_MS = 5 * MINUTE;
/** Ceremonies of each area, and how many of these one network may have. */
const LIMITS = { area: 1_000, network: 64 };

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
interface HeldCeremony extends OpenCeremony, Occupant {
  id: string;
  /** By the monotonic clock: a correction of the time must not keep it alive. */
  until: number;
}

export interface Ceremonies {
  /** Keeps a new ceremony. */
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
  const makeRoom = (purpose: CeremonyPurpose, newcomer: Occupant): void => {
    const now = clock.monotonic();
    for (const [id, one] of held) {
      const isReplaced =
        purpose.kind !== 'sign-in' && one.purpose.kind === purpose.kind && sessionOf(one) === purpose.session;
      if (now >= one.until || isReplaced) held.delete(id);
    }
    const { ofNetwork, ofArea } = excessOccupants(newcomer, held.values(), LIMITS);
    // A session has one of each kind, whatever network it is on.
    for (const { id } of purpose.kind === 'sign-in' ? [...ofNetwork, ...ofArea] : ofArea) held.delete(id);
  };
  return {
    begin: (purpose, at, from) => {
      const occupant = occupantOf(from, purpose.kind !== 'sign-in');
      makeRoom(purpose, occupant);
      const ceremony = newId();
      const challenge = randomBytes(32).toString('base64url');
      held.set(ceremony, {
        purpose,
        at,
        challenge,
        id: ceremony,
        ...occupant,
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
