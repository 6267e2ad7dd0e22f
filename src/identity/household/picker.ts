/**
 * The picker of a household device: which Viewers it shows, and how one of them is opened and closed.
 *
 * A PIN has few digits, so guesses are counted for each Profile of each device, and are checked as a slow hash. A
 * session that was opened so needs the cookie of its device on every request, and works at home only.
 */
import type { Face, OwnProfile } from '../../contract/identity/profiles.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { faceOf, showOwnProfile } from '../accounts/shown.ts';
import { sessionFor } from '../accounts/sessions.ts';
import { HOUSEHOLD_LIFE, type Core } from '../core.ts';
import { createRotator, type Rotator } from '../devices/rotator.ts';
import type { Bucket } from '../proof/throttle.ts';
import { hashOf, isToken } from '../tokens.ts';
import type { CallerOrigin, HouseholdProfile, HouseholdRow, ProfileRow, Step } from '../types.ts';
import { openingOf } from './rules.ts';

/** Five guesses, then one in ten minutes: half of all PINs of four digits take more than a month. */
const pinBucket = (device: string, profile: string): Bucket => ({
  key: `pin ${device} ${profile}`,
  size: 5,
  leakMs: 10 * 60_000,
  grows: false,
});

export interface OpenGiven {
  id: string;
  pin?: string | undefined;
  password?: string | undefined;
  from: CallerOrigin;
  /** The session that this browser came with. It ends. */
  replaces?: string | undefined;
}

export interface HouseholdPicker {
  /** Returns the Viewers of this device, and a new token for its cookie when one is due. */
  picker(from: CallerOrigin): Promise<{
    device?: string;
    profiles: { id: string; name: string; face: Face; opens: HouseholdProfile['opens'] }[];
    token?: string | undefined;
  }>;
  /** Fails as `missing` for a Profile that the picker of this device does not show. */
  requireShown(profile: string, from: CallerOrigin): Promise<void>;
  open(given: OpenGiven): Promise<{ token: string; lasts: number; expiresAt: string; profile: OwnProfile }>;
  close(by: Principal): Promise<void>;
}

const deviceTokens = (core: Core): Rotator<HouseholdRow> =>
  createRotator<HouseholdRow>(core, {
    kind: 'hhd',
    rowOf: (id) => core.identities.households.get(id),
    put: (row) => ({ put: 'household', row }),
    end: ({ id }, from) => {
      core.log.warn('identity.household.copied', { device: id });
      const sessions = [...core.identities.sessions.values()].filter(({ household }) => household === id);
      return [
        ...sessions.map((one): Step => ({ drop: 'session', id: one.id })),
        { drop: 'household', id },
        core.audit({ kind: 'household-copied', outcome: 'refused', target: id, from }),
      ];
    },
  });

/** Throws unless the PIN or password is right. */
async function prove(
  core: Core,
  given: OpenGiven,
  { device, profile, opens }: { device: HouseholdRow; profile: ProfileRow; opens: HouseholdProfile['opens'] },
): Promise<void> {
  const { hashing, throttle } = core;
  if (opens === 'nothing') return;
  const wrong = () =>
    opens === 'pin'
      ? new Failure('unauthenticated', 'the PIN is wrong', { reason: 'pin-wrong' })
      : new Failure('unauthenticated', 'the password is wrong', { reason: 'password-wrong' });
  const [kept, secret] = opens === 'pin' ? [profile.pin, given.pin] : [profile.password, given.password];
  if (secret === undefined) throw wrong();
  const attempt = throttle.take([pinBucket(device.id, profile.id)]);
  const isRight = await hashing.verify(kept, secret, `household ${device.id}`).catch((error: unknown) => {
    attempt.refund();
    throw error;
  });
  if (isRight) return attempt.refund();
  await core.refused({
    kind: 'household-open',
    profile: profile.id,
    target: device.id,
    from: given.from,
  });
  throw wrong();
}

export function createHouseholdPicker(core: Core): HouseholdPicker {
  const { identities, clock } = core;
  const rotator = deviceTokens(core);

  /** The household device that asks. Away from home, and with a copied cookie, there is none. */
  const deviceFrom = async (from: CallerOrigin): Promise<HouseholdRow | undefined> => {
    const { household: token } = from;
    if (token === undefined || !isToken(token, 'hhd') || from.network !== 'local') return undefined;
    const hash = hashOf(token);
    const device = identities.householdOf(hash);
    return device && rotator.meet(device.id, { hash, from, isOnDevice: true });
  };

  const unknown = () =>
    new Failure('unauthenticated', 'this profile cannot be opened on this device', { reason: 'household-unknown' });

  return {
    picker: async (from) => {
      const device = await deviceFrom(from);
      if (!device) return { profiles: [] };
      const token = await rotator.renew(device.id, hashOf(from.household ?? ''));
      const profiles = device.allowed.flatMap(({ profile }) => {
        const row = identities.profiles.get(profile);
        const opens = row && openingOf(identities, device.id, row, from.network);
        return row && opens ? [{ id: row.id, name: row.name, face: faceOf(row), opens }] : [];
      });
      return { device: device.name, profiles, token };
    },

    requireShown: async (id, from) => {
      const device = await deviceFrom(from);
      const row = identities.profiles.get(id);
      if (!device || !row || openingOf(identities, device.id, row, from.network) === undefined)
        throw new Failure('missing', 'no such profile', { reason: 'no-such-profile' });
    },

    open: async (given) => {
      const device = await deviceFrom(given.from);
      const before = identities.profiles.get(given.id);
      const opens = device && before && openingOf(identities, device.id, before, given.from.network);
      if (!opens) throw unknown();
      await prove(core, given, { device, profile: before, opens });
      return core.change(() => {
        const [now, profile] = [identities.households.get(device.id), identities.profiles.get(given.id)];
        // While the proof was hashed, an Owner may have changed the picker, the PIN or the password.
        const isSame =
          profile?.pin === before.pin &&
          profile?.password === before.password &&
          profile !== undefined &&
          openingOf(identities, device.id, profile, given.from.network) === opens;
        if (!now || !isSame) throw unknown();
        const session = sessionFor(core, {
          profile: profile.id,
          device: undefined,
          kind: 'cookie',
          way: 'household',
          network: 'local',
          household: now.id,
        });
        const ended: Step[] =
          given.replaces !== undefined && identities.sessions.has(given.replaces)
            ? [{ drop: 'session', id: given.replaces }]
            : [];
        const said = { profile: profile.id, target: now.id, session: session.row.id, from: given.from };
        return {
          steps: [
            ...session.steps,
            ...ended,
            { put: 'household', row: { ...now, lastSeenAt: clock.now() } },
            core.audit({ kind: 'household-open', outcome: 'done', ...said }),
          ],
          result: {
            token: session.token,
            lasts: Math.floor(HOUSEHOLD_LIFE / 1000),
            expiresAt: iso(session.row.endsAt),
            profile: showOwnProfile(core, profile),
          },
        };
      });
    },

    close: (by) =>
      core.change(() => {
        const session = identities.sessions.get(by.credential);
        const { id } = found(
          session?.household === undefined ? undefined : session,
          'no such session',
          'no-such-session',
        );
        return {
          steps: [{ drop: 'session', id }, core.audit({ kind: 'sign-out', outcome: 'done', by, target: id })],
          result: undefined,
        };
      }),
  };
}
