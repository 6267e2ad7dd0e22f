/**
 * Browsers that stay signed in: their tokens are replaced as they are used, and a copied one ends the session.
 *
 * Such a session also needs the cookie of the device that it was opened on, so its token alone opens nothing.
 */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Core } from '../core.ts';
import { hashOf } from '../tokens.ts';
import type { CallerOrigin, SessionRow } from '../types.ts';
import { createRotator } from './rotator.ts';

export interface RememberedBrowsers {
  /** Whether a browser may stay signed in on this server. */
  isOffered(): boolean;
  /** Returns the session of a token while it is good. A copied token ends the session. */
  meet(id: string, hash: string, from: CallerOrigin): Promise<SessionRow | undefined>;
  /** Notes the token that a caller came with. */
  note(by: Principal, hash: string): void;
  /** Returns a new token for the caller's browser, with its seconds; undefined as long as the present one is fresh. */
  renew(by: Principal): Promise<{ token: string; seconds: number } | undefined>;
}

export function createRememberedBrowsers(core: Core): RememberedBrowsers {
  const { identities, clock } = core;
  const cameWith = new WeakMap<Principal, string>();
  const rotator = createRotator<SessionRow>(core, {
    kind: 'ses',
    rowOf: (id) => identities.sessions.get(id),
    put: (row) => ({ put: 'session', row }),
    end: ({ id, profile }, from) => {
      core.log.warn('identity.session.copied', { profile });
      return [
        { drop: 'session', id },
        core.audit({ kind: 'session-copied', outcome: 'refused', profile, target: id, from }),
      ];
    },
  });

  return {
    isOffered: () => core.config.get('security.stay_signed_in'),

    meet: async (id, hash, from) => {
      const device = identities.devices.get(identities.sessions.get(id)?.device ?? '');
      const isOnDevice = device !== undefined && from.device !== undefined && device.hash === hashOf(from.device);
      return rotator.meet(id, { hash, from, isOnDevice });
    },

    note: (by, hash) => void cameWith.set(by, hash),

    renew: async (by) => {
      const hash = cameWith.get(by);
      const token = hash === undefined ? undefined : await rotator.renew(by.credential, hash);
      const endsAt = identities.sessions.get(by.credential)?.endsAt ?? 0;
      return token === undefined
        ? undefined
        : { token, seconds: Math.max(0, Math.floor((endsAt - clock.now()) / 1000)) };
    },
  };
}
