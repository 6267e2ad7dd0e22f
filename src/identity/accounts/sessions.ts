/** Sessions: opened by a sign-in, listed, and ended in the same step that removes their row. */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Session } from '../../contract/identity/sessions.ts';
import { Failure, found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { HOUSEHOLD_LIFE, isSessionOpen, lifeOf, type Core } from '../core.ts';
import { isBarred } from '../directory/rules.ts';
import { deviceNameOf, showSession } from './shown.ts';
import { restartedRotation } from '../devices/rotation.ts';
import { refuseWhileCut } from '../kill-switch.ts';
import { hashOf, newToken } from '../tokens.ts';
import type { SessionRow, Step } from '../types.ts';

/** How many sessions one Profile may have open; the one longest unused ends first. */
export const MAX_SESSIONS = 200;
/** How many of them may be from outside; the oldest ends first. */
const MAX_PUBLIC_SESSIONS = 10;

/** Proof with which a session is opened: its way, when it was proved who opens it, and which identity proved it. */
export type OpeningProof = Pick<SessionRow, 'way' | 'provedAt'> &
  Partial<Pick<SessionRow, 'outside' | 'mayAddPasskey'>> & {
    /** When the session has to be over, whatever its kind. */
    endsBy?: number | undefined;
  };

/**
 * Returns the steps that open a session, and its token. By default a password was proved just now. Every sign-in
 * method ends here: throws `Failure('unauthenticated')` for a Profile that the directory has barred, and
 * `Failure('forbidden')` for one from outside while that is cut.
 */
export function sessionFor(
  { identities, clock }: Pick<Core, 'identities' | 'clock'>,
  {
    remember = false,
    endsBy = Number.POSITIVE_INFINITY,
    ...given
  }: Pick<SessionRow, 'profile' | 'device' | 'kind' | 'network' | 'household'> &
    Partial<OpeningProof> & { remember?: boolean },
): { steps: Step[]; token: string; row: SessionRow } {
  refuseWhileCut({ identities }, given.network);
  if (isBarred(identities, given.profile))
    throw new Failure('unauthenticated', 'these credentials are not valid', { reason: 'credentials-invalid' });
  const now = clock.now();
  const token = newToken('ses');
  const row: SessionRow = {
    way: 'password',
    provedAt: now,
    outside: undefined,
    ...given,
    id: newId(),
    hash: hashOf(token),
    createdAt: now,
    lastUsedAt: now,
    endsAt: Math.min(
      now + (given.household === undefined ? lifeOf(given.kind, given.network, remember) : HOUSEHOLD_LIFE),
      endsBy,
    ),
    ...(remember && { remembered: { rotatedAt: now, retired: [] } }),
  };
  const ended = [...overCount(identities, row)].map((id): Step => ({ drop: 'session', id }));
  return { steps: [...ended, { put: 'session', row }], token, row };
}

/** Returns the sessions of a Profile that make room for one more. */
function overCount({ sessions }: Core['identities'], { profile, network }: SessionRow): Set<string> {
  const own = [...sessions.values()].filter((one) => one.profile === profile);
  const unused = own.toSorted((a, b) => a.lastUsedAt - b.lastUsedAt);
  const outside = own.filter((one) => one.network === 'public').toSorted((a, b) => a.createdAt - b.createdAt);
  const first = (of: readonly SessionRow[], most: number) => of.slice(0, Math.max(0, of.length + 1 - most));
  return new Set(
    [...first(unused, MAX_SESSIONS), ...(network === 'public' ? first(outside, MAX_PUBLIC_SESSIONS) : [])].map(
      ({ id }) => id,
    ),
  );
}

/** Returns the steps that end all sessions of a Profile except one. */
export const endSessions = ({ identities }: Core, profile: string, keep?: string): Step[] =>
  [...identities.sessions.values()]
    .filter((one) => one.profile === profile && one.id !== keep)
    .map(({ id }): Step => ({ drop: 'session', id }));

export interface Sessions {
  read(by: Principal): Session;
  list(by: Principal): Session[];
  /** Returns the open sessions of the caller's own Profile. */
  own(by: Principal): Session[];
  /** Returns the name of the device of a session, or of an API key; undefined for a device without a name. */
  deviceOf(by: Principal): string | undefined;
  /** Returns the id of the device or household device of a session. */
  deviceIdOf(by: Pick<Principal, 'credential'>): string | undefined;
  /** Ends one. Fails as `missing`. */
  end(id: string, by: Principal): Promise<void>;
  /** Ends one of the caller's own Profile. Fails as `missing` for another's. */
  endOwn(id: string, by: Principal): Promise<void>;
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
  const listed = (by: Principal): Session[] =>
    [...identities.sessions.values()]
      .filter((one) => isSessionOpen(one, clock.now(), core.config))
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt)
      .map((one) => showSession(core, one, by.credential));
  const end = (session: SessionRow | undefined, by: Principal): Promise<void> =>
    core.change(() => {
      const { id, profile } = found(
        session && identities.sessions.get(session.id),
        'no such session',
        'no-such-session',
      );
      const kind = id === by.credential ? 'sign-out' : 'session-ended';
      return {
        steps: [{ drop: 'session', id }, core.audit({ kind, outcome: 'done', by, profile, target: id })],
        result: undefined,
      };
    });
  return {
    read: (by) =>
      showSession(
        core,
        found(identities.sessions.get(by.credential), 'no such session', 'no-such-session'),
        by.credential,
      ),
    list: listed,
    own: (by) => listed(by).filter(({ profile }) => profile.id === by.profile),
    deviceOf: ({ credential }) => {
      const key = identities.keys.get(credential);
      if (key) return key.name;
      const session = identities.sessions.get(credential);
      return session && deviceNameOf(core, session);
    },
    deviceIdOf: ({ credential }) => {
      const session = identities.sessions.get(credential);
      return session?.device ?? session?.household;
    },
    end: (id, by) => end(identities.sessions.get(id), by),
    endOwn: (id, by) => {
      const session = identities.sessions.get(id);
      return end(session?.profile === by.profile ? session : undefined, by);
    },
    endOthers: (by) =>
      core.change(() => ({
        steps: [
          ...[...identities.sessions.keys()]
            .filter((id) => id !== by.credential)
            .map((id): Step => ({ drop: 'session', id })),
          core.audit({ kind: 'sessions-ended', outcome: 'done', by }),
        ],
        result: undefined,
      })),
    secondsLeft: (by) =>
      Math.max(0, Math.floor(((identities.sessions.get(by.credential)?.endsAt ?? 0) - clock.now()) / 1000)),
    rotated: (session) => {
      if (session.kind !== 'cookie') return undefined;
      const token = newToken('ses');
      const row = { ...session, hash: hashOf(token), remembered: restartedRotation(session, clock.now()) };
      return { row, token };
    },
  };
}
