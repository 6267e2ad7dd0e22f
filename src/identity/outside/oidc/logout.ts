/** Back-channel logout: the provider says who has signed out there, and their sessions end here. */
import { Failure } from '../../../lib/failure.ts';
import type { CallerOrigin, Step } from '../../types.ts';
import type { Core } from '../../core.ts';
import { RefusedAnswer } from '../proof.ts';
import type { Issuer } from './issuer.ts';
import { judgeLogout, type OutsideLogout } from './judge.ts';

/** Ids of used tokens that are remembered, the oldest of which are forgotten first. */
const MAX_USED = 10_000;

export interface Logout {
  /** Ends the sessions that a logout token names. Throws `Failure('invalid')` for a token that is not accepted. */
  logout(token: string, from: CallerOrigin): Promise<void>;
}

/** `issuerFor` returns the provider for a caller; it throws where there is none. */
export function createLogout(core: Core, issuerFor: (from: CallerOrigin) => Issuer): Logout {
  const { identities, clock, log } = core;
  const used = new Map<string, number>();

  /** Notes a token as used. Returns false if it was used before. */
  const useOnce = ({ token, endsAt }: OutsideLogout): boolean => {
    for (const [id, until] of used) if (until < clock.now()) used.delete(id);
    if (used.has(token)) return false;
    for (const id of used.keys()) {
      if (used.size < MAX_USED) break;
      used.delete(id);
    }
    // Its expiry is judged with a tolerance of a minute, so it is remembered for longer than that.
    used.set(token, endsAt + 2 * 60_000);
    return true;
  };

  return {
    logout: async (token, from) => {
      const issuer = issuerFor(from);
      try {
        const said = judgeLogout(await issuer.verifyLogout(token), clock.now());
        if (!useOnce(said)) throw new RefusedAnswer('used before');
        const { issuer: name } = issuer.settings;
        await core.change(() => {
          const ended = [...identities.sessions.values()].filter(
            ({ way, outside }) =>
              way === 'oidc' &&
              outside?.issuer === name &&
              (said.subject === undefined || outside.subject === said.subject) &&
              (said.sid === undefined || outside.sid === said.sid),
          );
          return {
            steps: ended.flatMap(({ id, profile }): Step[] => [
              { drop: 'session', id },
              core.audit({ kind: 'outside-logout', outcome: 'done', via: 'directory', profile, target: id, from }),
            ]),
            result: undefined,
          };
        });
      } catch (error) {
        if (!(error instanceof RefusedAnswer) && !(error instanceof Failure)) throw error;
        log.info('identity.outside.logout-refused', {
          detail: error instanceof RefusedAnswer ? error.detail : error.reason,
        });
        throw new Failure(
          'invalid',
          'this logout token is not accepted',
          { reason: 'logout-token-invalid' },
          { cause: error },
        );
      }
    },
  };
}
