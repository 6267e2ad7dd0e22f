/** Identity's endpoints, each tied to the operation that does it; cookies are set here and nowhere else. */
import { apiKeys, profiles as profileEndpoints } from '../contract/identity/profiles.ts';
import { sessions as sessionEndpoints } from '../contract/identity/sessions.ts';
import {
  me as meEndpoints,
  session as sessionEndpoint,
  setup as setupEndpoint,
} from '../contract/identity/accounts.ts';
import { type Call, implement, type MountedEndpoint } from '../http/handle.ts';
import { DEVICE_COOKIE, SESSION_COOKIE } from '../http/caller.ts';
import type { Identity, Operations } from './index.ts';
import type { SignedIn } from './accounts/opening.ts';

/** As long as browsers allow: 400 days. */
const DEVICE_SECONDS = 400 * 86_400;

/** Strict, so that no other site can make a request that carries it; Secure where there is TLS. */
function setCookie(call: Call, names: { secure: string; plain: string }, value: string, seconds: number): void {
  const { isSecure } = call.from;
  call.header(
    'set-cookie',
    `${isSecure ? names.secure : names.plain}=${value}; Path=/; HttpOnly; SameSite=Strict; ` +
      `Max-Age=${seconds}${isSecure ? '; Secure' : ''}`,
  );
}

/** The reply of a sign-in. By cookie it carries no token, so no script can get hold of one. */
function answer(call: Call, transport: 'token' | 'cookie', made: SignedIn) {
  const { token, device, lasts, ...shown } = made;
  if (device !== undefined) setCookie(call, DEVICE_COOKIE, device, DEVICE_SECONDS);
  if (transport === 'token') return { token, ...shown };
  setCookie(call, SESSION_COOKIE, token, lasts);
  return shown;
}

const counted = <T>(items: T[]) => ({ items, total: items.length });

export const identityRoutes = ({ operations }: Pick<Identity, 'operations'>): MountedEndpoint[] => [
  ...signingIn(operations),
  ...managing(operations),
];

function signingIn({ signIn, sessions, me }: Operations): MountedEndpoint[] {
  return [
    ...implement(setupEndpoint, {
      state: () => ({ required: !signIn.isSetUp() }),
      create: async (given, call) => answer(call, given.transport, await signIn.setUp({ ...given, from: call.from })),
    }),
    ...implement(sessionEndpoint, {
      create: async (given, call) => {
        // A public endpoint may be called without a credential, whatever the type says.
        const before = call.by as Call['by'] | undefined;
        const made = await signIn.signIn({
          ...given,
          from: call.from,
          replaces: before?.cookie && before.via === 'session' ? before.credential : undefined,
        });
        return answer(call, given.transport, made);
      },
      read: (_given, { by }) => ({ ...sessions.read(by), mfaEnrollmentRequired: by.enrolling }),
      remove: async (_given, call) => {
        await sessions.end(call.by.credential, call.by);
        if (call.by.cookie) setCookie(call, SESSION_COOKIE, '', 0);
      },
      stepUp: (given, { by, from }) => signIn.stepUp({ ...given, by, from }),
    }),
    ...implement(meEndpoints, {
      read: (_given, { by }) => me.read(by),
      preferences: (given, { by }) => me.setPreferences(given, by),
      password: (given, { by, from }) => me.setPassword({ ...given, by, from }),
      beginMfa: (given, { by }) => me.beginMfa(by, given),
      finishMfa: async ({ code }, call) => {
        const token = await me.finishMfa({ code, by: call.by, from: call.from });
        if (token !== undefined) setCookie(call, SESSION_COOKIE, token, sessions.secondsLeft(call.by));
      },
      removeMfa: ({ code }, { by, from }) => me.removeMfa({ code, by, from }),
    }),
  ];
}

function managing({ sessions, devices, profiles, keys }: Operations): MountedEndpoint[] {
  return [
    ...implement(profileEndpoints, {
      list: () => counted(profiles.list()),
      create: (given, { by }) => profiles.create(given, by),
      read: ({ id }) => profiles.read(id),
      update: (given, { by }) => profiles.update(given, by),
      remove: ({ id }, { by }) => profiles.remove(id, by),
      password: (given, { by }) => profiles.setPassword(given, by),
    }),
    ...implement(apiKeys, {
      list: () => counted(keys.list()),
      create: (given, { by }) => keys.create(given, by),
      remove: ({ id }, { by }) => keys.remove(id, by),
    }),
    ...implement(sessionEndpoints, {
      list: (_given, { by }) => counted(sessions.list(by)),
      removeAll: (_given, { by }) => sessions.endOthers(by),
      remove: ({ id }, { by }) => sessions.end(id, by),
      devices: () => counted(devices.list()),
      forget: ({ id }, { by }) => devices.forget(id, by.profile),
    }),
  ];
}
