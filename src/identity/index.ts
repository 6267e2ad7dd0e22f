/**
 * The door of identity: who is calling, what they may see, and the operations behind set-up, sign-in and Profiles.
 *
 * Everything that is asked on each request is answered from memory, which changes in the same breath as the
 * committed transaction. So a revoked credential is refused from the next request on, and `revoked` is called for
 * what is open.
 */
import { hostname } from 'node:os';
import type { Activity } from '../activity/index.ts';
import type { Access, Purpose } from '../contract/kernel/endpoint.ts';
import type { IdentityFinding } from '../contract/identity/findings.ts';
import type { Principal, ServiceCaller } from '../contract/kernel/principal.ts';
import type { Policy } from '../contract/identity/profiles.ts';
import type { Bus } from '../lib/bus.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { CommitCursor, Database } from '../lib/db/index.ts';
import type { Lock } from '../lib/lock.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { unlessFull } from '../lib/unless-full.ts';
import type { Net } from '../lib/net.ts';
import type { Processes } from '../lib/process.ts';
import { createCore, isSessionOpen, MINUTE, type Core, type Sealing, type Settings } from './core.ts';
import { corrections } from './accounts/correct.ts';
import { createDevices, type Devices } from './accounts/devices.ts';
import { createIdentifier } from './identify.ts';
import { createFaces, type Faces } from './accounts/faces.ts';
import { createKeys, type Keys } from './accounts/keys.ts';
import { createKillSwitch, type KillSwitch } from './kill-switch.ts';
import { createMe, type Me } from './accounts/me.ts';
import { createPasswordless, type Passwordless } from './accounts/passwordless.ts';
import { createProfiles, type Profiles } from './accounts/profiles.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createProving, type Proving } from './accounts/proving.ts';
import { createRememberedBrowsers, type RememberedBrowsers } from './devices/remembered.ts';
import { createServiceTokens, type ServiceTokens } from './directory/tokens.ts';
import { createDirectoryUsers, type DirectoryUsers } from './directory/users.ts';
import { createHouseholdDevices, type HouseholdDevices } from './household/devices.ts';
import { createPins, type Pins } from './household/pins.ts';
import { createHouseholdPicker, type HouseholdPicker } from './household/picker.ts';
import { createSetUp, type SetUp } from './accounts/set-up.ts';
import { createSignIn, type SignIn } from './accounts/sign-in.ts';
import { createOutside, type Outside, type OutsideProtocols } from './outside/create.ts';
import { createOidcProtocol } from './outside/oidc/protocol.ts';
import { openSamlProtocol } from './outside/saml/protocol.ts';
import { samlStore } from './store/saml.ts';
import { identityStore } from './store/store.ts';
import type { UncheckedCredentials, Step } from './types.ts';
import type { HashingCost } from './passwords/hashing.ts';
import { createCeremonies } from './passkeys/ceremonies.ts';
import { createPasskeyProving, type PasskeyProving } from './passkeys/proving.ts';
import { createPasskeyRegistering, type PasskeyRegistering } from './passkeys/registering.ts';
import { createQuickConnect, type QuickConnect } from './quick-connect/quick-connect.ts';
import { createUses } from './uses.ts';
import { watchedStore } from './store/watched.ts';
import { createGranting, overGrants, type Granting } from './viewing/granting.ts';
import { createViewingTime, type ViewingTime } from './viewing/viewing-time.ts';

export { recoverProfile } from './recover.ts';
export { identityMigrations, identityTableMigrations } from './store/tables.ts';
export type { HashingCost } from './passwords/hashing.ts';
export { newDirectoryToken } from './tokens.ts';
export type { DirectoryPerson, DirectoryUser } from './directory/users.ts';

/** The directory: its users, and the token with which it calls. */
export interface Directory extends DirectoryUsers, Pick<ServiceTokens, 'settle'> {
  token(): ReturnType<ServiceTokens['state']>;
}

/** Operations that the routes tie to endpoints. */
export interface Operations {
  signIn: SetUp & Proving & { signIn: SignIn };
  sessions: Sessions;
  devices: Devices;
  remembered: RememberedBrowsers;
  household: HouseholdDevices & HouseholdPicker & Pins;
  profiles: Profiles;
  passwordless: Passwordless;
  faces: Faces;
  keys: Keys;
  me: Me;
  quickConnect: QuickConnect;
  outside: Outside;
  passkeys: PasskeyRegistering & PasskeyProving;
  viewing: ViewingTime;
  /** Returns the name of a Profile, device, household device, API key or passkey; undefined if there is none. */
  nameOf(id: string): string | undefined;
  killSwitch: KillSwitch;
  granting: Granting;
  directory: Directory;
}

export interface Identity {
  /**
   * Returns the caller that a credential belongs to; undefined without one. A wrong Bearer or link fails as
   * `unauthenticated`; a stale cookie counts as none. At an endpoint of a service, that service or a failure.
   */
  identify(asked: UncheckedCredentials): Promise<Principal | ServiceCaller | undefined>;
  /** The caller of an open reply as they are now; undefined once it has to end. */
  current(by: Principal, access: Access): Principal | undefined;
  /** A signed link to one item for one purpose, as good as the credential it is made with and for six hours at most. */
  makeTicket(given: { by: Principal; purpose: Purpose; item: string }): { ticket: string; expiresAt: number };
  /** Returns the current policy of a Profile; undefined once it is removed. */
  policyOf(profile: string): Policy | undefined;
  /**
   * Whether there is an Owner yet: `lost` when there is none although something is there that only follows set-up.
   */
  setUpState(): 'open' | 'done' | 'lost';
  /** The Profiles there are. */
  profiles(): readonly { id: string; name: string; role: 'owner' | 'viewer' }[];
  /**
   * Returns the removed Profiles that a domain has not forgotten yet, the first removed first. The domain removes its
   * rows of each and runs `commitCursor` in the same transaction.
   */
  removedFor(domain: string): Promise<{ profile: string; commitCursor: CommitCursor }[]>;
  /** Returns findings for the diagnostics. */
  findings(): IdentityFinding[];
  readonly operations: Operations;
  /** Writes what is still only noted, and stops. */
  close(): Promise<void>;
}

export interface IdentityNeeds {
  db: Database;
  activity: Activity;
  config: Settings & { on?(key: 'security.require_mfa' | 'security.stay_signed_in', listener: () => void): () => void };
  sealer: Sealing;
  bus: Bus;
  net: Net;
  processes: Pick<Processes, 'startHelper'>;
  clock?: Clock;
  log?: Log;
  /** Called after every change that may have ended a credential: `server.review`. */
  revoked?: () => void;
  /** Called when the first Owner is in the database, before set-up is acknowledged. */
  setUpDone?: () => Promise<void>;
  /** This machine's host name; the system's unless given. */
  machine?: string;
  /** Cost of new password hashes. Only for tests, like what follows. */
  hashingCost?: HashingCost | undefined;
  lock?: Pick<Lock, 'run'> | undefined;
}

/** How often last uses are written and what is over is cleared away. */
const TIDY = MINUTE;

/** Loads everybody. Fails as `conflict` when the key file does not fit what is kept. */
export async function createIdentity(needs: IdentityNeeds): Promise<Identity> {
  const { clock = systemClock, log = silentLog, revoked = () => {} } = needs;
  const store = identityStore(needs.db);
  const memory = samlStore(needs.db);
  const outsideNeeds = { net: needs.net, clock, config: needs.config };
  const saml = await openSamlProtocol({ ...outsideNeeds, log, memory, processes: needs.processes });
  const protocols: OutsideProtocols = { oidc: createOidcProtocol(outsideNeeds), saml };
  const core = await createCore({
    store,
    protocols,
    activity: needs.activity,
    config: needs.config,
    sealer: needs.sealer,
    clock,
    bus: needs.bus,
    log,
    revoked,
    setUpDone: needs.setUpDone,
    hashingCost: needs.hashingCost,
    lock: needs.lock,
  });
  needs.activity.useProfiles(() => [...core.identities.profiles.values()]);
  const uses = createUses(core.identities, clock);
  const remembered = createRememberedBrowsers(core);
  const tokens = createServiceTokens(core, uses);
  const { identify, current, makeTicket } = createIdentifier(core, { uses, remembered, tokens });
  const sessions = createSessions(core);
  const signIn = {
    ...createSetUp(core, needs.machine ?? hostname()),
    ...createProving(core),
    signIn: createSignIn(core),
  };
  const ceremonies = createCeremonies(core);
  const quickConnect = createQuickConnect(core);
  const operations: Operations = {
    signIn,
    sessions,
    devices: createDevices(core),
    remembered,
    household: { ...createHouseholdDevices(core), ...createHouseholdPicker(core), ...createPins(core) },
    profiles: createProfiles(core),
    passwordless: createPasswordless(core),
    faces: createFaces(core),
    keys: createKeys(core),
    me: createMe(core, { provePassword: signIn.provePassword, sessions }),
    quickConnect,
    killSwitch: createKillSwitch(core, quickConnect.forgetOutside),
    outside: createOutside(core, protocols),
    passkeys: { ...createPasskeyRegistering(core, ceremonies, sessions), ...createPasskeyProving(core, ceremonies) },
    nameOf: namesOf(core),
    viewing: await createViewingTime(core, watchedStore(needs.db)),
    granting: createGranting(core),
    directory: { ...createDirectoryUsers(core, tokens), token: () => tokens.state('directory'), settle: tokens.settle },
  };

  const tidy = async (): Promise<void> => {
    const used = uses.take();
    if (used.length > 0) await store.touch(used);
    await core.change(() => ({ steps: corrections(core), result: undefined }));
    await core.change(() => ({ steps: overdue(core, operations.directory), result: undefined }));
    await tokens.settle();
    await operations.viewing.tidy();
    await memory.forgetAssertions(clock.now());
  };
  const { profiles, keys, sessions: open } = core.identities;
  const wasUsed = !signIn.isSetUp() && (profiles.size + keys.size + open.size > 0 || (await store.isUsed()));
  const timer = setInterval(() => {
    void tidy().catch((error: unknown) => log.fault('identity.tidy.failed', error));
    void protocols.saml?.refresh();
  }, TIDY);
  timer.unref();
  // A stricter rule holds for streams that are open already.
  const stops = [
    needs.config.on?.('security.require_mfa', revoked),
    needs.config.on?.('security.stay_signed_in', revoked),
  ];
  await unlessFull(tidy, log);
  void protocols.saml?.refresh();

  return {
    identify,
    current,
    makeTicket,
    policyOf: (profile) => {
      const row = core.identities.profiles.get(profile);
      return row && core.policyAt(row);
    },
    setUpState: () => (signIn.isSetUp() ? 'done' : wasUsed ? 'lost' : 'open'),
    profiles: () => [...core.identities.profiles.values()].map(({ id, name, role }) => ({ id, name, role })),
    removedFor: store.removedFor,
    findings: () => [...findingsOf(core, protocols), ...tokens.findings()],
    operations,
    close: async () => {
      clearInterval(timer);
      await protocols.saml?.close();
      for (const stop of stops) stop?.();
      const used = uses.take();
      if (used.length > 0) await store.touch(used);
      await operations.viewing.flush();
    },
  };
}

const namesOf =
  ({ identities }: Core): Operations['nameOf'] =>
  (id) =>
    [identities.profiles, identities.devices, identities.households, identities.keys, identities.passkeys]
      .map((rows) => rows.get(id)?.name)
      .find((name) => name !== undefined);

/** Sessions, keys and grants whose time is over, and users that the directory removed long ago. */
function overdue(core: Core, directory: Pick<Directory, 'overdue'>): Step[] {
  const { identities, clock, config } = core;
  const now = clock.now();
  return [
    ...overGrants(core),
    ...directory.overdue(),
    ...[...identities.sessions.values()]
      .filter((one) => !isSessionOpen(one, now, config))
      .map(({ id }): Step => ({ drop: 'session', id })),
    ...[...identities.keys.values()]
      .filter(({ expiresAt }) => now >= expiresAt)
      .map(({ id }): Step => ({ drop: 'key', id })),
  ];
}

function findingsOf({ identities, config, throttle }: Core, { oidc, saml }: OutsideProtocols): IdentityFinding[] {
  const out: IdentityFinding[] = [];
  if (identities.mark('set-up') === undefined)
    out.push({
      level: 'warning',
      code: 'no-owner-yet',
      subject: 'Signing in',
      sentence: 'There is no Owner yet. The first person to open the server on the home network can become one.',
      values: {},
    });
  else if (identities.profiles.size === 0)
    out.push({
      level: 'error',
      code: 'no-profiles',
      subject: 'Signing in',
      sentence: 'There are no Profiles, and the server is already set up. Restore a backup.',
      values: {},
    });
  const bare = [...identities.profiles.values()].filter(
    ({ id, role, totp, password }) =>
      role === 'owner' && totp === undefined && password !== undefined && identities.passkeysOf(id).length === 0,
  ).length;
  if (bare > 0)
    out.push({
      level: 'warning',
      code: 'owners-without-second-factor',
      subject: 'Signing in',
      sentence: `${bare === 1 ? 'One Owner has' : `${bare} Owners have`} no second factor.`,
      values: { count: bare },
      ...(!config.get('security.require_mfa') && { setting: 'security.require_mfa' }),
    });
  out.push(...(oidc?.findings() ?? []), ...(saml?.findings() ?? []));
  const refused = throttle.refused();
  if (refused > 0)
    out.push({
      level: 'warning',
      code: 'sign-in-guessed',
      subject: 'Signing in',
      sentence: 'Passwords or codes are being guessed: sign-in attempts are held back.',
      values: {},
    });
  return out;
}
