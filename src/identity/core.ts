/**
 * The parts that all of identity shares: the cache, the store behind it, and the one way to change both.
 *
 * A change is planned, written and applied under one lock, so a plan sees everything before it and nothing happens
 * between its check and its write. Slow work (hashing) is done before, and what it relied on is checked again inside.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { placeOf, type Activity, type ActivityEvent } from '../activity/index.ts';
import type { Policy } from '../contract/identity/profiles.ts';
import type { SettingKey, SettingValue } from '../config/index.ts';
import type { OutsideProtocolName } from '../contract/identity/outside.ts';
import type { Bus } from '../lib/bus.ts';
import { type Clock, isAhead } from '../lib/clock.ts';
import { Failure, restated } from '../lib/failure.ts';
import { createLock, type Lock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import type { ProviderIdentifiers } from './outside/protocol.ts';
import { createHashing, type Hashing, type HashingCost } from './passwords/hashing.ts';
import { createIdentityCache, type IdentityCache } from './identity-cache.ts';
import type { IdentityStore } from './store/store.ts';
import { policyWithGrants } from './viewing/grants.ts';
import { createThrottle, type Throttle } from './proof/throttle.ts';
import type { CallerOrigin, MarkRow, Network, ProfileRow, SessionRow, Step } from './types.ts';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** How long a proof of who it is counts as recent. */
export const RECENT = 10 * MINUTE;
/** A browser's session ends after this much silence. */
const IDLE = 15 * MINUTE;
const BROWSER = 8 * HOUR;
const PUBLIC = 8 * HOUR;
/** A browser that a person marked as theirs. */
const REMEMBERED = 90 * DAY;
const REMEMBERED_IDLE = 30 * DAY;
/** A Profile that was opened on a household device: long enough for a film that was paused. */
const HOUSEHOLD_IDLE = 4 * HOUR;
export const HOUSEHOLD_LIFE = 24 * HOUR;
const API = 30 * DAY;

export interface Settings {
  get<K extends SettingKey>(key: K): SettingValue<K>;
}
export interface Sealing {
  seal(name: string, text: string): Promise<string>;
  open(name: string, sealed: string): Promise<string>;
}

export interface CoreNeeds {
  store: IdentityStore;
  activity: Pick<Activity, 'recipients' | 'refused' | 'noticed' | 'repeated'>;
  config: Settings;
  sealer: Sealing;
  clock: Clock;
  bus: Bus;
  log: Log;
  /** The protocols of sign-in through others whose settings are complete. */
  protocols: Readonly<
    Partial<Record<OutsideProtocolName, { identifiers(): ProviderIdentifiers | undefined } | undefined>>
  >;
  /** Called after every change that may have ended a credential. */
  revoked(): void;
  /** Called when the first Owner is in the database, before set-up is acknowledged. */
  setUpDone?: (() => Promise<void>) | undefined;
  /** Cost of new password hashes. Given only by tests. */
  hashingCost?: HashingCost | undefined;
  /** Changes take turns on it. Given only by tests, which show that without it the rules do not hold. */
  lock?: Pick<Lock, 'run'> | undefined;
}

export interface ChangePlan<R> {
  steps: readonly Step[];
  result: R;
}

export interface Core extends CoreNeeds {
  identities: IdentityCache;
  hashing: Hashing;
  throttle: Throttle;
  /** Plans and makes one change. The plan runs alone; whatever it throws changes nothing. */
  change<R>(plan: () => ChangePlan<R> | Promise<ChangePlan<R>>): Promise<R>;
  /** The name under which authenticators and passwords know this server. */
  serverName(): string;
  /** Returns the step that records what a change does. */
  audit(said: Said): Step;
  /** The policy of a Profile now, with what was granted to it for a while. The same object until it changes. */
  policyAt(profile: ProfileRow): Policy;
  /** Records a refusal. It changes nothing, so no listener is called. */
  refused(said: SaidOf<Said, 'outcome'>): Promise<void>;
  /** A key of this installation for one use. There is one from set-up on. */
  keyFor(use: 'ticket' | 'recovery'): Uint8Array;
  /** The mark that brings the installation's key, ready to be written, unless there is one. */
  newInstallKey(): Promise<MarkRow | undefined>;
}

/** An event without some of its members; each kind keeps its own details. */
type SaidOf<E, Without extends string> = E extends unknown ? Omit<E, Without> : never;
/** An event of the activity log, with the origin of its request. */
export type Said = SaidOf<ActivityEvent, 'place' | 'notify'> & { from?: CallerOrigin | undefined };

/** Returns the event of what is said: of the origin as much as is kept. */
function eventOf({ from, ...said }: Said): ActivityEvent {
  return { ...said, ...(from && { place: placeOf(from) }) } as ActivityEvent;
}

export async function createCore(needs: CoreNeeds): Promise<Core> {
  const { store, clock, bus, sealer, lock = createLock() } = needs;
  const identities = createIdentityCache(await store.load());
  let install: Buffer | undefined;
  const useInstallKey = async (sealed: string): Promise<void> => {
    const opened = await sealer.open('identity.install-key', sealed).catch((error: unknown) => {
      throw error instanceof Failure
        ? restated(error, { message: `the key of this installation ${error.message}` })
        : error;
    });
    install = Buffer.from(opened, 'base64url');
  };

  const core: Core = {
    ...needs,
    identities,
    hashing: createHashing(needs.hashingCost),
    throttle: createThrottle({ clock }),
    change: (plan) =>
      lock.run(async () => {
        const planned = await plan();
        const { result } = planned;
        if (planned.steps.length === 0) return result;
        const { steps, count } = mergeRepeated(planned.steps, needs.activity);
        await store.commit(steps);
        count();
        for (const step of steps)
          if ('mark' in step && step.mark.name === 'install-key') await useInstallKey(step.mark.text);
        identities.apply(steps);
        needs.activity.noticed(steps.flatMap((step) => ('audit' in step ? (step.audit.notify ?? []) : [])));
        needs.revoked();
        bus.announce('identity.changed');
        return result;
      }),
    policyAt: (profile) => policyWithGrants(profile, clock.now()),
    serverName: () => needs.config.get('server.name') ?? 'Matinee',
    audit: (said) => {
      const event = eventOf(said);
      return { audit: { ...event, notify: needs.activity.recipients(event) }, at: clock.now() };
    },
    refused: (said) => {
      needs.log.info('identity.refused', { kind: said.kind, network: said.from?.network });
      return needs.activity.refused(eventOf({ ...said, outcome: 'refused' } as Said));
    },
    keyFor: (use) => {
      if (!install) throw new Error('there is no key before set-up');
      return createHmac('sha256', install).update(use).digest();
    },
    newInstallKey: async () =>
      install
        ? undefined
        : {
            name: 'install-key',
            text: await sealer.seal('identity.install-key', randomBytes(32).toString('base64url')),
            at: clock.now(),
          },
  };
  const kept = identities.mark('install-key');
  if (kept !== undefined) await useInstallKey(kept);
  return core;
}

/** Returns the steps without what a Viewer does very often, and what counts those once the steps are committed. */
function mergeRepeated(
  all: readonly Step[],
  activity: Pick<Activity, 'repeated'>,
): { steps: Step[]; count: () => void } {
  const counts: (() => void)[] = [];
  const steps = all.filter((step) => {
    const count = 'audit' in step ? activity.repeated(step.audit) : undefined;
    if (count) counts.push(count);
    return !count;
  });
  return { steps, count: () => counts.forEach((count) => count()) };
}

/** The name as it is compared: Unicode NFC, any case, any spacing. */
export const nameKeyOf = (name: string): string =>
  name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toUpperCase().toLowerCase().normalize('NFC');
/** The name as it is kept. */
export const keptName = (name: string): string => name.normalize('NFC').trim();

/** When a session is over, whatever happens. */
export const lifeOf = (kind: SessionRow['kind'], network: Network, isRemembered = false): number =>
  Math.min(kind === 'token' ? API : isRemembered ? REMEMBERED : BROWSER, network === 'public' ? PUBLIC : REMEMBERED);

/** When a session ends unless it is used. A browser that stayed signed in has the usual limits once that is off. */
export function endOf(session: SessionRow, config: Settings): number {
  const { kind, network, createdAt, lastUsedAt, endsAt, remembered } = session;
  if (kind === 'token') return endsAt;
  if (session.household !== undefined) return Math.min(endsAt, lastUsedAt + HOUSEHOLD_IDLE);
  if (remembered && config.get('security.stay_signed_in')) return Math.min(endsAt, lastUsedAt + REMEMBERED_IDLE);
  return Math.min(endsAt, createdAt + lifeOf(kind, network), lastUsedAt + IDLE);
}

/** A session by Quick Connect that is never used ends after this long: the reply with its token was lost. */
const UNCLAIMED = 10 * MINUTE;

/** Whether a session is still open at `now`. */
export const isSessionOpen = (session: SessionRow, now: number, config: Settings): boolean =>
  now < endOf(session, config) &&
  (session.way !== 'quick-connect' || session.lastUsedAt > session.createdAt || now < session.createdAt + UNCLAIMED);

/** Whether a proof counts as recent. One from a clock that ran ahead does not. */
export const isRecent = (provedAt: number, now: number): boolean => !isAhead(provedAt, now) && now < provedAt + RECENT;

/** Whether a Profile owes a second factor: while the setting asks for one, all do but exempt Viewers at home. */
export const owesFactor = (
  { config }: Pick<Core, 'config'>,
  { role, mfaExempt }: Pick<ProfileRow, 'role' | 'mfaExempt'>,
  network: Network,
): boolean => config.get('security.require_mfa') && !(mfaExempt && role === 'viewer' && network === 'local');

/**
 * Whether a Profile must still enrol its second factor: an authenticator app or a passkey. One without a password
 * proves itself elsewhere.
 */
export const mustEnrol = (core: Pick<Core, 'config' | 'identities'>, profile: ProfileRow, network: Network): boolean =>
  owesFactor(core, profile, network) &&
  profile.totp === undefined &&
  profile.password !== undefined &&
  core.identities.passkeysOf(profile.id).length === 0;
