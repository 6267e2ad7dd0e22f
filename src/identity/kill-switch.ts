/**
 * The switch that cuts remote access. It is a mark in the database, set in the transaction that ends the sessions
 * from outside, so it holds over restarts. As long as it is set no session opens from outside, on any listener.
 */
import type { Principal } from '../contract/kernel/principal.ts';
import { Failure } from '../lib/failure.ts';
import type { Core } from './core.ts';
import type { Network, Step } from './types.ts';

export interface KillSwitch {
  /** When access was cut, in milliseconds since the epoch; undefined while it is allowed. */
  cutAt(): number | undefined;
  /** Ends every session and every code from outside. Does nothing more if access is cut already. */
  cut(by: Principal): Promise<void>;
  /** Allows access again. What was ended stays so. */
  allow(by: Principal): Promise<void>;
}

/** Refuses a session from outside while access is cut. Called under the lock of changes. */
export function refuseWhileCut({ identities }: Pick<Core, 'identities'>, network: Network): void {
  if (network === 'public' && identities.mark('remote-cut') !== undefined)
    throw new Failure('forbidden', 'remote access is cut off', { reason: 'remote-cut' });
}

export function createKillSwitch(core: Core, forgetOutsideCodes: () => void): KillSwitch {
  const { identities, clock } = core;
  const cutAt = (): number | undefined => {
    const text = identities.mark('remote-cut');
    return text === undefined ? undefined : Number(text);
  };
  const said = (kind: 'remote-cut' | 'remote-allowed', by: Principal): Step =>
    core.audit({ kind, outcome: 'done', by });
  return {
    cutAt,
    cut: async (by) => {
      await core.change(() => {
        const at = clock.now();
        const ended = [...identities.sessions.values()].filter(({ network }) => network === 'public');
        const steps: Step[] = [
          ...(cutAt() === undefined ? [{ mark: { name: 'remote-cut', text: String(at), at } } as const] : []),
          ...ended.map(({ id }): Step => ({ drop: 'session', id })),
          said('remote-cut', by),
        ];
        return { steps, result: undefined };
      });
      // One that is approved in the meantime opens nothing: the mark is there.
      forgetOutsideCodes();
    },
    allow: (by) =>
      core.change(() => ({
        steps: cutAt() === undefined ? [] : [{ unmark: 'remote-cut' }, said('remote-allowed', by)],
        result: undefined,
      })),
  };
}
