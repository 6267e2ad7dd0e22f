/** The passkeys of a Profile: added by a device, listed, renamed and removed by their person. */
import type { CreationOptions, Passkey, PasskeyHost, PasskeyRegistration } from '../../contract/identity/passkeys.ts';
import { MAX_PASSKEYS } from '../../contract/identity/passkeys.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { mustEnrol, type Core, type Settings } from '../core.ts';
import { endSessions, type Sessions } from '../accounts/sessions.ts';
import { requireSignInMethod } from '../accounts/sign-in-methods.ts';
import { newRecoveryCodes, recoveryHash } from '../proof/second-factor.ts';
import type { CallerOrigin, PasskeyRow, ProfileRow, SessionRow, Step } from '../types.ts';
import { CEREMONY_MS, type Ceremonies } from './ceremonies.ts';
import { ALGORITHMS, handleOf, judgeRegistration, type NewPasskey } from './judge.ts';
import { passkeyHost, passkeyHostName, requirePasskeyHost } from './relying-party.ts';

interface Asked {
  by: Principal;
  from: CallerOrigin;
}
interface Added {
  passkey: Passkey;
  recoveryCodes: string[] | undefined;
  /** The new token of a browser's session, if it was replaced. */
  token: string | undefined;
}

export interface PasskeyRegistering {
  list(given: Asked): { items: Passkey[]; at: PasskeyHost | undefined };
  beginRegistration(given: Asked): { ceremony: string; publicKey: CreationOptions };
  finishRegistration(
    given: Asked & { ceremony: string; credential: PasskeyRegistration; name?: string | undefined },
  ): Promise<Added>;
  rename(given: { id: string; name: string; by: Principal }): Promise<Passkey>;
  remove(given: Asked & { id: string }): Promise<void>;
}

const noPasskey = 'no such passkey';

function refuseMore(own: readonly PasskeyRow[]): void {
  if (own.length >= MAX_PASSKEYS)
    throw new Failure('conflict', `a profile has at most ${MAX_PASSKEYS} passkeys`, { reason: 'too-many-passkeys' });
}

/** From outside, a stolen code must not leave a key behind: only a passkey, or an approval for it, may add one. */
function requireLeave(session: SessionRow, { network }: CallerOrigin): void {
  if (network === 'public' && session.way !== 'passkey' && session.mayAddPasskey !== true)
    throw new Failure('forbidden', 'away from home, only a session opened by a passkey adds another one', {
      reason: 'passkey-from-outside',
    });
}

const shownPasskey = (
  config: Settings,
  { id, name, host, isSynced, isSuspect, createdAt, lastUsedAt }: PasskeyRow,
): Passkey => ({
  id,
  name,
  host,
  usable: host === passkeyHostName(config),
  synced: isSynced,
  suspect: isSuspect,
  createdAt: iso(createdAt),
  ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }),
});

/** Returns the options of a new passkey, for the browser. */
const creationOptions = (
  { challenge, at, server }: { challenge: string; at: PasskeyHost; server: string },
  profile: ProfileRow,
  own: readonly PasskeyRow[],
): CreationOptions => ({
  challenge,
  rp: { id: at.host, name: server },
  user: { id: handleOf(profile.id), name: profile.name, displayName: profile.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: CEREMONY_MS,
  attestation: 'none',
  excludeCredentials: own
    .filter(({ host }) => host === at.host)
    .map(({ credential, transports }) => ({ type: 'public-key', id: credential, transports: [...transports] })),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
});

/** Adds the key of a new passkey, for a session that may. */
function createAdding(core: Core, sessions: Sessions) {
  const { identities, clock } = core;
  const sessionOf = ({ by, from }: Asked): { session: SessionRow; profile: ProfileRow } => {
    const session = identities.sessions.get(by.credential);
    const profile = identities.profiles.get(by.profile);
    if (!profile || session?.profile !== profile.id)
      throw new Failure('unauthenticated', 'this session has ended', { reason: 'session-ended' });
    requireLeave(session, from);
    return { session, profile };
  };
  /** Returns the steps that add a key. Runs under the lock. */
  const adding = (asked: Asked, made: NewPasskey, { host }: PasskeyHost, name: string | undefined) => {
    const { session, profile } = sessionOf(asked);
    refuseMore(identities.passkeysOf(profile.id));
    if (identities.passkeyOf(made.credential))
      throw new Failure('conflict', 'this passkey is already registered here', { reason: 'passkey-known' });
    const row: PasskeyRow = {
      ...made,
      id: newId(),
      profile: profile.id,
      host,
      name: name ?? sessions.deviceOf(asked.by) ?? 'Passkey',
      isSuspect: false,
      createdAt: clock.now(),
      lastUsedAt: undefined,
    };
    const codes = profile.recovery.length === 0 ? newRecoveryCodes() : undefined;
    const recovery = codes?.map((one) => recoveryHash(core.keyFor('recovery'), profile.id, one));
    // With the first factor of a Profile that needs one, its other sessions end: they had proved a password only.
    const isFirst = mustEnrol(core, profile, asked.from.network);
    const rotated = isFirst ? sessions.rotated(session) : undefined;
    const steps: Step[] = [
      { put: 'passkey', row },
      ...(recovery ? [{ put: 'profile', row: { ...profile, recovery } } as const] : []),
      ...(rotated ? [{ put: 'session', row: rotated.row } as const] : []),
      ...(isFirst ? endSessions(core, profile.id, session.id) : []),
      core.audit({
        kind: 'passkey-added',
        outcome: 'done',
        by: asked.by,
        target: row.id,
        from: asked.from,
      }),
    ];
    return { steps, result: { passkey: shownPasskey(core.config, row), recoveryCodes: codes, token: rotated?.token } };
  };
  return { sessionOf, adding };
}

export function createPasskeyRegistering(core: Core, ceremonies: Ceremonies, sessions: Sessions): PasskeyRegistering {
  const { identities, config } = core;
  const shown = (row: PasskeyRow): Passkey => shownPasskey(config, row);
  const { sessionOf, adding } = createAdding(core, sessions);
  const ownPasskey = (id: string, by: Principal): PasskeyRow => {
    const row = identities.passkeys.get(id);
    return found(row?.profile === by.profile ? row : undefined, noPasskey, 'no-such-passkey');
  };

  return {
    list: ({ by, from }) => ({
      items: identities
        .passkeysOf(by.profile)
        .toSorted((a, b) => b.createdAt - a.createdAt)
        .map(shown),
      at: passkeyHost(config, from),
    }),
    beginRegistration: (asked) => {
      const { by, from } = asked;
      const { profile } = sessionOf(asked);
      const at = requirePasskeyHost(config, from);
      const own = identities.passkeysOf(profile.id);
      refuseMore(own);
      const purpose = { kind: 'register', session: by.credential, profile: profile.id } as const;
      const { ceremony, challenge } = ceremonies.begin(purpose, at, from);
      const given = { challenge, at, server: core.serverName() };
      return { ceremony, publicKey: creationOptions(given, profile, own) };
    },
    finishRegistration: async ({ ceremony: id, credential, name, ...asked }) => {
      const { by, from } = asked;
      const ceremony = ceremonies.take(id, { kind: 'register', network: from.network, session: by.credential });
      if (!ceremony)
        throw new Failure('missing', 'this was not begun here, or its time is over', { reason: 'no-such-ceremony' });
      const made = await judgeRegistration(credential, ceremony);
      if (!made)
        throw new Failure('invalid', 'this passkey is not one that this server can use', { reason: 'passkey-unfit' });
      return core.change(() => adding(asked, made, ceremony.at, name));
    },
    rename: ({ id, name, by }) =>
      core.change(() => {
        const row = { ...ownPasskey(id, by), name };
        return {
          steps: [{ put: 'passkey', row }, core.audit({ kind: 'passkey-renamed', outcome: 'done', by, target: id })],
          result: shown(row),
        };
      }),
    remove: ({ id, by, from }) =>
      core.change(() => {
        ownPasskey(id, by);
        const profile = found(identities.profiles.get(by.profile), 'no such profile', 'no-such-profile');
        const rest = identities.passkeysOf(profile.id).filter((one) => one.id !== id);
        requireSignInMethod(core, profile, { passkeys: rest });
        const hasFactor = profile.totp !== undefined || rest.length > 0;
        const ended = [...identities.sessions.values()].filter(
          (one) => one.profile === profile.id && one.way === 'passkey' && one.id !== by.credential,
        );
        return {
          steps: [
            { drop: 'passkey', id },
            ...(hasFactor ? [] : [{ put: 'profile', row: { ...profile, recovery: [] } } as const]),
            ...ended.map((one): Step => ({ drop: 'session', id: one.id })),
            core.audit({
              kind: 'passkey-removed',
              outcome: 'done',
              by,
              target: id,
              from,
            }),
          ],
          result: undefined,
        };
      }),
  };
}
