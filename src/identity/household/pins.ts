/** PINs, which open Viewers on household devices and nowhere else. */
import type { Principal } from '../../contract/kernel/principal.ts';
import { Failure } from '../../lib/failure.ts';
import { createProfileChecks } from '../accounts/profile-checks.ts';
import type { Core } from '../core.ts';
import type { Step } from '../types.ts';
import { openingsOf, viewerWith } from './rules.ts';

export interface Pins {
  /** Sets or removes the PIN of a Viewer. Profiles that the PIN before has opened are closed. */
  setPin(given: { id: string; pin: string | null }, by: Principal): Promise<void>;
}

export function createPins(core: Core): Pins {
  const { identities, hashing } = core;
  const { requireOwner } = createProfileChecks(core);
  return {
    setPin: async ({ id, pin }, by) => {
      viewerWith(identities, id);
      const kept = pin === null ? undefined : await hashing.make(pin, `session ${by.credential}`);
      await core.change(() => {
        requireOwner(by);
        const row = viewerWith(identities, id);
        const usesPin = (device: string | undefined): boolean =>
          (identities.households.get(device ?? '')?.allowed ?? []).some(
            ({ profile, opens }) => profile === id && opens === 'pin',
          );
        if (kept === undefined && openingsOf(identities, row).includes('pin'))
          throw new Failure('conflict', 'this PIN opens the profile on a household device', { reason: 'pin-in-use' });
        const ended = [...identities.sessions.values()].filter(
          ({ profile, household }) => profile === id && usesPin(household),
        );
        return {
          steps: [
            { put: 'profile', row: { ...row, pin: kept } },
            ...ended.map((one): Step => ({ drop: 'session', id: one.id })),
            core.audit({ kind: kept === undefined ? 'pin-removed' : 'pin-set', outcome: 'done', by, profile: id }),
          ],
          result: undefined,
        };
      });
    },
  };
}
