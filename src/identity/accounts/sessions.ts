/** Sessions: opened by a sign-in, listed, and ended for good in the same breath as their row is gone. */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Session } from '../../contract/identity/sessions.ts';
import { found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { isSessionOpen, lifeOf, type Core } from '../core.ts';
import { showSession } from './shown.ts';
import { hashOf, newToken } from '../tokens.ts';
import type { SessionRow, Step } from '../types.ts';

/** How many sessions one Profile may have open; the one longest unused ends first. */
const MOST = 200;

/** The steps that open a session, proved just now, and its token. */
export function sessionFor(
  { identities, clock }: Core,
  given: Pick<SessionRow, 'profile' | 'device' | 'kind' | 'network'>,
): { steps: Step[]; token: string; row: SessionRow } {
  const now = clock.now();
  const token = newToken('ses');
  const row: SessionRow = {
    ...given,
    id: newId(),
    hash: hashOf(token),
    createdAt: now,
    lastUsedAt: now,
    provedAt: now,
    endsAt: now + lifeOf(given.kind, given.network),
  };
  const own = [...identities.sessions.values()]
    .filter(({ profile }) => profile === given.profile)
    .sort((a, b) => a.lastUsedAt - b.lastUsedAt);
  const ended = own.slice(0, Math.max(0, own.length + 1 - MOST)).map(({ id }): Step => ({ drop: 'session', id }));
  return { steps: [...ended, { put: 'session', row }], token, row };
}

/** The steps that end a Profile's sessions, but for one. */
export const endSessions = ({ identities }: Core, profile: string, keep?: string): Step[] =>
  [...identities.sessions.values()]
    .filter((one) => one.profile === profile && one.id !== keep)
    .map(({ id }): Step => ({ drop: 'session', id }));

export interface Sessions {
  read(by: Principal): Session;
  list(by: Principal): Session[];
  /** Returns the name of the device of a session, or of an API key; undefined for a device without a name. */
  deviceOf(by: Principal): string | undefined;
  /** Ends one. Fails as `missing`. */
  end(id: string, by: Principal): Promise<void>;
  endOthers(by: Principal): Promise<void>;
  /** How many seconds the session may still last, for its cookie. */
  secondsLeft(by: Principal): number;
  /**
   * Replaces the token of a browser's session, so that one known before is worthless. Undefined for other sessions,
   * which could not be notified.
   */
  rotated(session: SessionRow): { row: SessionRow; token: string } | undefined;
}

export function createSessions(core: Core): Sessions {
  const { identities, clock } = core;
  return {
    read: (by) =>
      showSession(
        core,
        found(identities.sessions.get(by.credential), 'no such session', 'no-such-session'),
        by.credential,
      ),
    list: (by) =>
      [...identities.sessions.values()]
        .filter((one) => isSessionOpen(one, clock.now()))
        .sort((a, b) => b.lastUsedAt - a.lastUsedAt)
        .map((one) => showSession(core, one, by.credential)),
    deviceOf: ({ credential }) => {
      const key = identities.keys.get(credential);
      if (key) return key.name;
      const device = identities.sessions.get(credential)?.device;
      return device === undefined ? undefined : identities.devices.get(device)?.name;
    },
    end: (id, by) =>
      core.change(() => {
        const session = found(identities.sessions.get(id), 'no such session', 'no-such-session');
        return {
          steps: [
            { drop: 'session', id: session.id },
            core.audit({
              kind: id === by.credential ? 'sign-out' : 'session-ended',
              outcome: 'done',
              profile: by.profile,
              subject: id,
            }),
          ],
          result: undefined,
        };
      }),
    endOthers: (by) =>
      core.change(() => ({
        steps: [
          ...[...identities.sessions.keys()]
            .filter((id) => id !== by.credential)
            .map((id): Step => ({ drop: 'session', id })),
          core.audit({ kind: 'sessions-ended', outcome: 'done', profile: by.profile }),
        ],
        result: undefined,
      })),
    secondsLeft: (by) =>
      Math.max(0, Math.floor(((identities.sessions.get(by.credential)?.endsAt ?? 0) - clock.now()) / 1000)),
    rotated: (session) => {
      if (session.kind !== 'cookie') return undefined;
      const token = newToken('ses');
      return { row: { ...session, hash: hashOf(token) }, token };
    },
  };
}
