/**
 * Last uses: noted in memory on every request, written in groups at most once a minute.
 *
 * Losing the last minute to a crash makes an idle session end a minute early and harms nothing else.
 */
import type { Clock } from '../lib/clock.ts';
import type { IdentityCache } from './identity-cache.ts';
import type { LastUse } from './store/store.ts';

export interface Uses {
  of(what: LastUse['what'], id: string): void;
  /** Returns what was used since the last call. */
  take(): LastUse[];
}

export function createUses(identities: IdentityCache, clock: Clock): Uses {
  const noted = new Map<string, LastUse>();
  return {
    of: (what, id) => {
      const at = clock.now();
      // The row itself is changed: the idle limit of a session is judged by it on the next request.
      if (what === 'session') {
        const row = identities.sessions.get(id);
        if (row) row.lastUsedAt = at;
        const device = row?.device === undefined ? undefined : identities.devices.get(row.device);
        if (device) {
          device.lastSeenAt = at;
          noted.set(device.id, { what: 'device', id: device.id, at });
        }
      } else if (what === 'key') {
        const row = identities.keys.get(id);
        if (row) row.lastUsedAt = at;
      } else if (what === 'service') {
        for (const row of identities.serviceTokens.values()) if (row.hash === id) row.lastUsedAt = at;
      }
      noted.set(id, { what, id, at });
    },
    take: () => {
      const all = [...noted.values()];
      noted.clear();
      return all;
    },
  };
}
