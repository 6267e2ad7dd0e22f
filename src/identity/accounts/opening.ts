/** Opens a session for a Profile that has proved who it is: the session, its device, and the reply. */
import type { OwnProfile } from '../../contract/identity/profiles.ts';
import { iso } from '../../lib/clock.ts';
import { mustEnrol, type Core } from '../core.ts';
import type { CallerOrigin, ProfileRow, Step } from '../types.ts';
import { deviceFor } from './devices.ts';
import { type OpeningProof, sessionFor } from './sessions.ts';
import { showOwnProfile } from './shown.ts';

type Transport = 'token' | 'cookie';

export interface SignedIn {
  /** The session's token; the caller puts it in the reply or in a cookie. */
  token: string;
  /** A new token of the device, where the browser had none of ours. */
  device: string | undefined;
  expiresAt: string;
  /** The whole seconds it may last. */
  lasts: number;
  profile: OwnProfile;
  mfaEnrollmentRequired: boolean;
}

export interface SignInGiven {
  name: string;
  password: string;
  code?: string | undefined;
  device?: string | undefined;
  transport: Transport;
  /** Whether the browser stays signed in. It has an effect with a cookie only. */
  remember?: boolean | undefined;
  from: CallerOrigin;
  /** The session this browser came with. It ends: a sign-in begins a new one. */
  replaces?: string | undefined;
}

/** Returns the steps that open a session for a Profile, the reply, and the id of the session. */
export function openSession(
  core: Core,
  profile: ProfileRow,
  given: Pick<SignInGiven, 'device' | 'transport' | 'remember' | 'from' | 'replaces'> & { proof?: OpeningProof },
): { steps: Step[]; result: SignedIn; session: string } {
  const { identities, clock, config } = core;
  const { from, transport, replaces } = given;
  const now = clock.now();
  const remember = given.remember === true && transport === 'cookie' && config.get('security.stay_signed_in');
  const device = deviceFor(core, { profile: profile.id, name: given.device, from });
  const session = sessionFor(core, {
    profile: profile.id,
    device: device.row.id,
    kind: transport,
    network: from.network,
    remember,
    ...given.proof,
  });
  const isNewDevice = !identities.devices.has(device.row.id);
  const added = { profile: profile.id, target: device.row.id, session: session.row.id, from };
  const steps: Step[] = [
    ...device.steps,
    ...session.steps,
    ...(isNewDevice ? [core.audit({ kind: 'device-added', outcome: 'done', ...added })] : []),
  ];
  if (replaces !== undefined && identities.sessions.has(replaces)) steps.push({ drop: 'session', id: replaces });
  const lasts = Math.max(0, Math.floor((session.row.endsAt - now) / 1000));
  return {
    steps,
    session: session.row.id,
    result: {
      token: session.token,
      device: device.token,
      expiresAt: iso(now + lasts * 1000),
      lasts,
      profile: showOwnProfile(core, profile),
      mfaEnrollmentRequired: mustEnrol(core, profile, from.network),
    },
  };
}
