/** Identity's endpoints, each tied to the operation that does it; cookies are set here and nowhere else. */
import { appearance as appearanceEndpoints } from '../contract/identity/appearance.ts';
import { apiKeys } from '../contract/identity/api-keys.ts';
import { profiles as profileEndpoints } from '../contract/identity/profiles.ts';
import { quickConnect as quickConnectEndpoints } from '../contract/identity/quick-connect.ts';
import { oidcReturns } from '../contract/identity/oidc.ts';
import { samlReturns } from '../contract/identity/saml.ts';
import {
  oidc as oidcEndpoints,
  outside as outsideEndpoints,
  saml as samlEndpoints,
} from '../contract/identity/outside.ts';
import { passkeys as passkeyEndpoints } from '../contract/identity/passkeys.ts';
import { ownSessions as ownSessionEndpoints, sessions as sessionEndpoints } from '../contract/identity/sessions.ts';
import {
  me as meEndpoints,
  session as sessionEndpoint,
  setup as setupEndpoint,
} from '../contract/identity/accounts.ts';
import { viewing as viewingEndpoints } from '../contract/identity/viewing.ts';
import { waysIn as wayInEndpoints } from '../contract/identity/ways-in.ts';
import { household as householdEndpoints } from '../contract/identity/household.ts';
import { type Call, implement, type MountedEndpoint } from '../http/handle.ts';
import { DEVICE_COOKIE, FLOW_COOKIE, HOUSEHOLD_COOKIE, SESSION_COOKIE } from '../http/caller.ts';
import type { IssuerFault } from '../contract/identity/reasons.ts';
import { sortedPage } from '../lib/json/page.ts';
import { Failure } from '../lib/failure.ts';
import type { Identity, Operations } from './index.ts';
import type { OutsideWay } from './outside/create.ts';
import { METADATA_TYPE } from './outside/saml/metadata.ts';
import type { BegunStep } from './outside/parts.ts';
import type { ReturnOutcome } from './outside/returning.ts';
import { FLOW_MS } from './outside/flows.ts';
import type { SignedIn } from './accounts/opening.ts';

/** As long as browsers allow: 400 days. */
const DEVICE_SECONDS = 400 * 86_400;

/** Strict, so that no other site can make a request that carries it; Secure where there is TLS. */
function setCookie(
  call: Call,
  names: { secure: string; plain: string },
  { value, seconds, sameSite = 'Strict' }: { value: string; seconds: number; sameSite?: 'Strict' | 'Lax' | 'None' },
): void {
  const { isSecure } = call.from;
  call.header(
    'set-cookie',
    `${isSecure ? names.secure : names.plain}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; ` +
      `Max-Age=${seconds}${isSecure ? '; Secure' : ''}`,
  );
}

/** The reply of a sign-in. By cookie it carries no token, so no script can get hold of one. */
function answer(call: Call, transport: 'token' | 'cookie', made: SignedIn) {
  const { token, device, lasts, ...shown } = made;
  if (device !== undefined) setCookie(call, DEVICE_COOKIE, { value: device, seconds: DEVICE_SECONDS });
  if (transport === 'token') return { token, ...shown };
  setCookie(call, SESSION_COOKIE, { value: token, seconds: lasts });
  return shown;
}

/** The session of the browser that signs in: a public endpoint may be called without, whatever the type says. */
function replacedBy(call: Call): string | undefined {
  const before = call.by as Call['by'] | undefined;
  return before?.cookie && (before.via === 'session' || before.household) ? before.credential : undefined;
}

const latest = (time: string | undefined): number => -Date.parse(time ?? '');

export const identityRoutes = ({ operations }: Pick<Identity, 'operations'>): MountedEndpoint[] => [
  ...signingIn(operations),
  ...signingInOutside(operations),
  ...managing(operations),
  ...connecting(operations),
  ...signingInByPasskey(operations),
  ...showing(operations),
  ...implement(viewingEndpoints, {
    ownTime: (_given, { by }) => operations.viewing.shown(by.profile),
    profileTime: ({ id }) => operations.viewing.shown(id),
  }),
];

function signingIn({ signIn, sessions, me, remembered, passkeys }: Operations): MountedEndpoint[] {
  /** Replaces the token of a browser that stays signed in, when it is due: every page begins with such a read. */
  const renew = async (call: Call): Promise<void> => {
    const renewed = await remembered.renew(call.by);
    if (renewed) setCookie(call, SESSION_COOKIE, { value: renewed.token, seconds: renewed.seconds });
  };
  return [
    ...implement(setupEndpoint, {
      state: () => ({ required: !signIn.isSetUp(), staySignedIn: remembered.isOffered() }),
      create: async (given, call) => answer(call, given.transport, await signIn.setUp({ ...given, from: call.from })),
    }),
    ...implement(sessionEndpoint, {
      create: async (given, call) => {
        const made = await signIn.signIn({
          ...given,
          from: call.from,
          replaces: replacedBy(call),
        });
        return answer(call, given.transport, made);
      },
      read: async (_given, call) => {
        await renew(call);
        return { ...sessions.read(call.by), mfaEnrollmentRequired: call.by.enrolling };
      },
      remove: async (_given, call) => {
        await sessions.end(call.by.credential, call.by);
        if (call.by.cookie) setCookie(call, SESSION_COOKIE, { value: '', seconds: 0 });
      },
      stepUp: ({ ceremony, credential, ...given }, { by, from }) =>
        ceremony !== undefined && credential
          ? passkeys.finishStepUp({ ceremony, credential, by, from })
          : signIn.stepUp({ ...given, by, from }),
    }),
    ...implement(meEndpoints, {
      read: async (_given, call) => {
        await renew(call);
        return me.read(call.by);
      },
      preferences: (given, { by }) => me.setPreferences(given, by),
      password: (given, { by, from }) => me.setPassword({ ...given, by, from }),
      beginMfa: (given, { by }) => me.beginMfa(by, given),
      finishMfa: async ({ code }, call) => {
        const token = await me.finishMfa({ code, by: call.by, from: call.from });
        if (token !== undefined)
          setCookie(call, SESSION_COOKIE, { value: token, seconds: sessions.secondsLeft(call.by) });
      },
      removeMfa: ({ code }, { by, from }) => me.removeMfa({ code, by, from }),
    }),
  ];
}

/**
 * Sets the cookie of a flow. It is Lax, because the provider's redirect must bring it; where the provider's page sends
 * a form, only one that is sent from every site comes along. It opens nothing without the answer of the provider.
 */
function begun<T>(call: Call, { secret, returnsBy, ...step }: BegunStep & T) {
  setCookie(call, FLOW_COOKIE, {
    value: secret,
    seconds: FLOW_MS / 1000,
    sameSite: returnsBy === 'POST' ? 'None' : 'Lax',
  });
  return step;
}
const endFlow = (call: Call): void => setCookie(call, FLOW_COOKIE, { value: '', seconds: 0, sameSite: 'Lax' });

/** Ends a return from the provider: the session that it opened, the cookie of its flow, and the page that follows. */
function returnedTo(call: Call, { page, signedIn, owesCode }: ReturnOutcome) {
  if (signedIn) answer(call, 'cookie', signedIn);
  if (!owesCode) endFlow(call);
  return page;
}

/** Ties the operations of one protocol. */
const signingInThrough = (endpoints: typeof oidcEndpoints, way: OutsideWay<never>): MountedEndpoint[] =>
  implement(endpoints, {
    begin: async ({ to, device }, call) =>
      begun(call, await way.beginSignIn({ to, device, from: call.from, by: call.by as Call['by'] | undefined })),
    finish: async ({ code }, call) => {
      const { signedIn } = await way.finishSignIn({ code, from: call.from });
      endFlow(call);
      return answer(call, 'cookie', signedIn);
    },
    prove: async ({ to }, call) => {
      const { address } = begun(call, await way.beginStepUp({ to, by: call.by, from: call.from }));
      return { url: address.href };
    },
    finishProof: async ({ code }, call) => {
      const until = await way.finishStepUp({ code, by: call.by, from: call.from });
      endFlow(call);
      return until;
    },
    linked: (_given, { by, from }) => {
      const [provider, linked] = [way.provider(from), way.linkOf(by)];
      return { ...(provider && { provider }), ...(linked && { linked }) };
    },
    link: async (_given, call) => {
      const { address, flow } = begun(call, await way.beginLink({ by: call.by, from: call.from }));
      return { url: address.href, flow };
    },
    shown: ({ flow }, { by }) => way.shownLink(flow, by),
    confirm: ({ flow }, { by, from }) => way.confirmLink({ flow, by, from }),
    unlink: (_given, { by, from }) => way.unlink({ by, from }),
  });

function signingInOutside({ outside, passkeys }: Operations): MountedEndpoint[] {
  const { oidc, saml } = outside;
  return [
    ...signingInThrough(oidcEndpoints, oidc),
    ...signingInThrough(samlEndpoints, saml),
    ...implement(outsideEndpoints, {
      ways: (_given, { from }) => {
        const [byOidc, bySaml, passkey] = [oidc.provider(from), saml.provider(from), passkeys.hostFor(from)];
        const { network } = from;
        return {
          network,
          password: network === 'local',
          ...(byOidc && { oidc: byOidc }),
          ...(bySaml && { saml: bySaml }),
          ...(passkey && { passkey }),
        };
      },
      test: async ({ protocol }) => {
        const unusable = (failure: Failure) => ({
          configured: true,
          connected: false,
          error: failure.message,
          reason: failure.reason as IssuerFault,
        });
        return outside[protocol].test().then(
          (state) => ({ configured: state === 'works', connected: state === 'works' }),
          (error: unknown) => {
            if (error instanceof Failure && error.kind === 'unavailable') return unusable(error);
            throw error;
          },
        );
      },
    }),
    ...implement(samlReturns, {
      consume: async (given, call) => returnedTo(call, await saml.returned(given, call.from)),
      metadata: () => ({ type: METADATA_TYPE, bytes: Buffer.from(saml.metadata()) }),
    }),
    ...implement(oidcReturns, {
      callback: async (given, call) => returnedTo(call, await oidc.returned(given, call.from)),
      logout: async ({ logout_token: token }, { from }) => {
        await oidc.logout(token, from);
        return {};
      },
    }),
  ];
}

function managing({ sessions, devices, household, profiles, passwordless, keys }: Operations): MountedEndpoint[] {
  return [
    ...implement(profileEndpoints, {
      list: (paging) =>
        sortedPage(profiles.list(), { query: ['profiles'], keyOf: ({ name, id }) => [name, id], ...paging }),
      create: (given, { by }) => profiles.create(given, by),
      read: ({ id }) => profiles.read(id),
      update: (given, { by }) => profiles.update(given, by),
      remove: ({ id }, { by }) => profiles.remove(id, by),
      password: (given, { by }) => profiles.setPassword(given, by),
    }),
    ...implement(wayInEndpoints, {
      exempt: (given, { by }) => passwordless.exempt(given, by),
      removePassword: ({ id }, { by }) => passwordless.removePassword(id, by),
      setOwnPassword: ({ newPassword }, { by, from }) => passwordless.setOwnPassword({ newPassword, by, from }),
      removeOwnPassword: (_given, { by, from }) => passwordless.removeOwnPassword({ by, from }),
    }),
    ...implement(ownSessionEndpoints, {
      list: (paging, { by }) =>
        sortedPage(sessions.own(by), {
          query: ['own sessions', by.profile],
          keyOf: ({ lastUsedAt, id }) => [latest(lastUsedAt), id],
          ...paging,
        }),
      remove: async ({ id }, call) => {
        await sessions.endOwn(id, call.by);
        if (id === call.by.credential && call.by.cookie) setCookie(call, SESSION_COOKIE, { value: '', seconds: 0 });
      },
    }),
    ...implement(householdEndpoints, {
      picker: async (_given, call) => {
        const { token, ...shown } = await household.picker(call.from);
        if (token !== undefined) setCookie(call, HOUSEHOLD_COOKIE, { value: token, seconds: DEVICE_SECONDS });
        return shown;
      },
      open: async (given, call) => {
        const { token, lasts, ...opened } = await household.open({
          ...given,
          from: call.from,
          replaces: replacedBy(call),
        });
        setCookie(call, SESSION_COOKIE, { value: token, seconds: lasts });
        return opened;
      },
      close: async (_given, call) => {
        await household.close(call.by);
        setCookie(call, SESSION_COOKIE, { value: '', seconds: 0 });
      },
      list: (paging) =>
        sortedPage(household.list(), {
          query: ['household devices'],
          keyOf: ({ lastSeenAt, id }) => [latest(lastSeenAt), id],
          ...paging,
        }),
      approve: async (given, call) => {
        const { device, token } = await household.approve({ ...given, by: call.by, from: call.from });
        setCookie(call, HOUSEHOLD_COOKIE, { value: token, seconds: DEVICE_SECONDS });
        if (call.by.cookie) setCookie(call, SESSION_COOKIE, { value: '', seconds: 0 });
        return device;
      },
      update: (given, { by }) => household.update(given, by),
      remove: ({ id }, { by }) => household.remove(id, by),
      pin: (given, { by }) => household.setPin(given, by),
    }),
    ...implement(apiKeys, {
      list: (paging) =>
        sortedPage(keys.list(), {
          query: ['api keys'],
          keyOf: ({ createdAt, id }) => [latest(createdAt), id],
          ...paging,
        }),
      create: (given, { by }) => keys.create(given, by),
      remove: ({ id }, { by }) => keys.remove(id, by),
    }),
    ...implement(sessionEndpoints, {
      list: (paging, { by }) =>
        sortedPage(sessions.list(by), {
          query: ['sessions'],
          keyOf: ({ lastUsedAt, id }) => [latest(lastUsedAt), id],
          ...paging,
        }),
      removeAll: (_given, { by }) => sessions.endOthers(by),
      remove: ({ id }, { by }) => sessions.end(id, by),
      devices: (paging) =>
        sortedPage(devices.list(), {
          query: ['devices'],
          keyOf: ({ lastSeenAt, id }) => [latest(lastSeenAt), id],
          ...paging,
        }),
      forget: ({ id }, { by }) => devices.forget(id, by),
    }),
  ];
}

/** As long as a picture of a version is kept by a browser: a year. */
const PICTURE_SECONDS = 31_536_000;

function showing({ faces, household }: Operations): MountedEndpoint[] {
  const shown = (bytes: Uint8Array, version: string | undefined) => ({
    type: 'image/webp',
    bytes,
    cache: version === undefined ? 'private, no-cache' : `private, max-age=${PICTURE_SECONDS}, immutable`,
  });
  return implement(appearanceEndpoints, {
    setFace: (given, { by }) => faces.setFace(given, by),
    setPicture: ({ id }, { by, bytes }) => faces.setPicture({ id, bytes }, by),
    picture: async ({ id, v }, { by }) => shown(await faces.picture(id, by), v),
    setOwnFace: (given, { by }) => faces.setOwnFace(given, by),
    setOwnPicture: (_given, { by, bytes }) => faces.setOwnPicture(bytes, by),
    pickerPicture: async ({ id, v }, { from }) => {
      await household.requireShown(id, from);
      return shown(await faces.pictureOf(id), v);
    },
  });
}

const connecting = ({ quickConnect }: Operations): MountedEndpoint[] =>
  implement(quickConnectEndpoints, {
    begin: (given, { from }) => quickConnect.begin({ ...given, from }),
    token: async (given, call) => {
      const made = await quickConnect.take({ ...given, from: call.from, replaces: replacedBy(call) });
      if (made) return answer(call, given.transport, made);
      call.succeedAs(202);
      return { state: 'waiting' as const };
    },
    cancel: (given, { from }) => quickConnect.cancel({ ...given, from }),
    list: (paging) =>
      sortedPage(quickConnect.list(), {
        query: ['quick connect'],
        keyOf: ({ createdAt, network, device = '' }) => [latest(createdAt), network, device],
        ...paging,
      }),
    preview: ({ code }, { by, from }) => quickConnect.preview({ code, by, from }),
    approve: (given, { by, from }) => quickConnect.approve({ ...given, by, from }),
  });

const signingInByPasskey = ({ passkeys, sessions }: Operations): MountedEndpoint[] =>
  implement(passkeyEndpoints, {
    list: (_given, { by, from }) => {
      const { items, at } = passkeys.list({ by, from });
      return { items, total: items.length, ...(at && { at }) };
    },
    beginRegistration: (_given, { by, from }) => passkeys.beginRegistration({ by, from }),
    finishRegistration: async (given, call) => {
      const { by, from } = call;
      const { token, recoveryCodes, passkey } = await passkeys.finishRegistration({ ...given, by, from });
      if (token !== undefined) setCookie(call, SESSION_COOKIE, { value: token, seconds: sessions.secondsLeft(by) });
      return { passkey, ...(recoveryCodes && { recoveryCodes }) };
    },
    rename: ({ id, name }, { by }) => passkeys.rename({ id, name, by }),
    remove: ({ id }, { by, from }) => passkeys.remove({ id, by, from }),
    beginSignIn: (_given, { from }) => passkeys.beginSignIn(from),
    finishSignIn: async (given, call) =>
      answer(
        call,
        given.transport,
        await passkeys.finishSignIn({ ...given, from: call.from, replaces: replacedBy(call) }),
      ),
    beginStepUp: (_given, { by, from }) => passkeys.beginStepUp({ by, from }),
  });
