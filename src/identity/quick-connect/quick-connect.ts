/**
 * Quick Connect: a device shows a code, and a person who is signed in elsewhere approves it.
 *
 * The device proves itself by a secret that only it knows; the code alone opens nothing. Requests are in memory and
 * bounded, so a restart ends them. A request is taken out before it is judged: of two polls at the same time one gets
 * the session. Everything that the approval relied on is checked again under the lock of changes.
 */
import { randomInt } from 'node:crypto';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { WaitingDevice } from '../../contract/identity/quick-connect.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { guessing } from '../accounts/proving.ts';
import { openSession, type SignedIn } from '../accounts/opening.ts';
import { MINUTE, type Core } from '../core.ts';
import { isBarred } from '../directory/rules.ts';
import { excessOccupants, type Occupant, occupantOf } from '../proof/occupants.ts';
import { networkBuckets } from '../proof/throttle.ts';
import { hashOf, newToken } from '../tokens.ts';
import type { CallerOrigin, Network, ProfileRow } from '../types.ts';

const LIFE_MS = 5 * MINUTE;
/** Requests of the home and of the outside, and how many of these one network may have. */
const LIMITS = { area: 256, network: 8 };
const CODES = 1_000_000;

interface Request extends Occupant {
  code: string;
  /** Hash of the secret. */
  hash: string;
  device: string | undefined;
  network: Network;
  createdAt: number;
  /** On the monotonic clock: a correction of the time must not keep a code alive. */
  endsAt: number;
  approved?: {
    profile: string;
    by: Pick<Principal, 'profile' | 'credential'>;
    passkey: boolean;
    remember: boolean;
  };
}

type Transport = 'token' | 'cookie';

export interface QuickConnect {
  begin(given: { device?: string | undefined; from: CallerOrigin }): {
    code: string;
    secret: string;
    expiresAt: string;
  };
  /** Returns the session once the code is approved, and undefined until then. Fails as `missing` after that. */
  take(given: {
    secret: string;
    transport: Transport;
    from: CallerOrigin;
    /** The session this browser came with. It ends: a sign-in begins a new one. */
    replaces?: string | undefined;
  }): Promise<SignedIn | undefined>;
  cancel(given: { secret: string; from: CallerOrigin }): void;
  list(): WaitingDevice[];
  /** Forgets the requests from outside the home. */
  forgetOutside(): void;
  preview(given: { code: string; by: Principal; from: CallerOrigin }): Promise<WaitingDevice>;
  /** Approves a code for a Profile: the caller's, unless an Owner names another. */
  approve(given: {
    code: string;
    profile?: string | undefined;
    /** Whether the session may add a passkey, for Owners. */
    passkey?: boolean | undefined;
    /** Whether the browser of a device at home stays signed in. */
    remember?: boolean | undefined;
    by: Principal;
    from: CallerOrigin;
  }): Promise<void>;
}

const noCode = (): Failure =>
  new Failure('missing', 'no device waits with this code, or the code has expired', { reason: 'no-such-code' });

const isNoCode = ({ reason }: Failure): boolean => reason === 'no-such-code';

const shown = ({ device, network, createdAt }: Request): WaitingDevice => ({
  ...(device !== undefined && { device }),
  network,
  createdAt: iso(createdAt),
  expiresAt: iso(createdAt + LIFE_MS),
});

export function createQuickConnect(core: Core): QuickConnect {
  const { identities, clock, throttle } = core;
  const requests = createRequests(() => clock.monotonic());

  const bySecret = (secret: string, from: CallerOrigin): Request => {
    const request = requests.bySecret(secret);
    // A secret holds on the network on which the request began, and a wrong one costs the network that guesses.
    if (request?.network === from.network) return request;
    throttle.take(networkBuckets(from.address));
    throw noCode();
  };
  /** Returns the request with a code. A wrong one costs the session that types it, and only that. */
  const byCode = ({ code, by, from }: { code: string; by: Principal; from: CallerOrigin }): Promise<Request> =>
    guessing(core, { by, from, kind: 'quick-connect' }, isNoCode, async () => {
      const request = requests.byCode(code);
      if (!request) throw noCode();
      if (request.approved)
        throw new Failure('conflict', 'this code has already been approved', { reason: 'code-approved' });
      return request;
    });

  return {
    begin: ({ device, from }) => {
      const occupant = occupantOf(from);
      if (!requests.makeRoom(occupant))
        throw new Failure('throttled', 'too many devices are waiting to be signed in', {
          reason: 'too-many-codes',
          retryAfterSeconds: LIFE_MS / 1000,
        });
      const secret = newToken('qc');
      const { code, createdAt } = requests.add({
        hash: hashOf(secret),
        device,
        network: from.network,
        ...occupant,
        createdAt: clock.now(),
        endsAt: clock.monotonic() + LIFE_MS,
      });
      return { code, secret, expiresAt: iso(createdAt + LIFE_MS) };
    },

    take: async ({ secret, transport, from, replaces }) => {
      const request = bySecret(secret, from);
      if (!request.approved) return undefined;
      requests.remove(request);
      const { device } = request;
      const remember = request.approved.remember && request.network === 'local';
      return core.change(() => {
        const profile = stillApproved(core, request);
        const isForPasskey = request.approved?.passkey === true;
        // Adding a passkey takes a recent proof, and the approval of an Owner is one.
        const proof = {
          way: 'quick-connect' as const,
          ...(isForPasskey ? { provedAt: clock.now(), mayAddPasskey: true as const } : { provedAt: 0 }),
        };
        const { steps, result, session } = openSession(core, profile, {
          device,
          transport,
          remember,
          from,
          proof,
          replaces,
        });
        const audit = core.audit({
          kind: 'sign-in',
          outcome: 'done',
          profile: profile.id,
          session,
          details: { way: 'quick-connect' },
          from,
        });
        return { steps: [...steps, audit], result };
      });
    },

    cancel: ({ secret, from }) => requests.remove(bySecret(secret, from)),
    list: () => requests.waiting().map(shown),
    forgetOutside: () => {
      for (const request of requests.all()) if (request.network === 'public') requests.remove(request);
    },
    preview: async (given) => shown(await byCode(given)),

    approve: async ({ profile: chosen, passkey = false, remember = false, ...given }) => {
      const { by } = given;
      const request = await byCode(given);
      await core.change(() => {
        // Another approval may have come while this one waited for its turn.
        if (requests.byCode(request.code) !== request || request.approved) throw noCode();
        const id = chosen ?? by.profile;
        found(identities.profiles.get(id), 'no such profile', 'no-such-profile');
        const approved = { ...request, approved: { profile: id, by, passkey, remember } };
        approvedProfile(core, approved);
        request.approved = approved.approved;
        const audit = core.audit({ kind: 'quick-connect', outcome: 'done', by, profile: id, from: given.from });
        return { steps: [audit], result: undefined };
      });
    },
  };
}

/** Returns the Profile that an approved request signs in. Throws if the approval does not hold, or no longer does. */
function approvedProfile({ identities }: Core, { network, approved }: Request): ProfileRow {
  const profile = approved && identities.profiles.get(approved.profile);
  const approver = approved && identities.profiles.get(approved.by.profile);
  // The session that approved may have been ended because it was stolen.
  if (!profile || !approver || !identities.sessions.has(approved.by.credential)) throw noCode();
  if (isBarred(identities, profile.id)) throw new Failure('missing', 'no such profile', { reason: 'no-such-profile' });
  if (approved.passkey && approver.role !== 'owner')
    throw new Failure('forbidden', 'only an owner lets a device add a passkey', {
      reason: 'quick-connect-passkey-by-owner',
    });
  const isOwn = profile.id === approver.id;
  if (!isOwn && (approver.role !== 'owner' || profile.role === 'owner'))
    throw new Failure('forbidden', 'a device is signed in as yourself, or by an owner as a viewer', {
      reason: 'quick-connect-own-profile',
    });
  if (network === 'public' && approver.role !== 'owner')
    throw new Failure('forbidden', 'a device outside the home network is approved by an owner', {
      reason: 'quick-connect-by-owner',
    });
  if (network === 'public' && !profile.policy.remote)
    throw new Failure('forbidden', 'this profile may not be used away from home', { reason: 'quick-connect-not-away' });
  return profile;
}

/** Does the same for the device that asks. It learns only that its code is worth nothing. */
function stillApproved(core: Core, request: Request): ProfileRow {
  try {
    return approvedProfile(core, request);
  } catch (error) {
    throw error instanceof Failure ? noCode() : error;
  }
}

/** The requests that wait or were approved, by code and by secret. An expired one counts as missing. */
function createRequests(now: () => number) {
  const codes = new Map<string, Request>();
  const secrets = new Map<string, Request>();
  const remove = (request: Request): void => {
    codes.delete(request.code);
    secrets.delete(request.hash);
  };
  const sweep = (): void => {
    for (const request of codes.values()) if (now() >= request.endsAt) remove(request);
  };
  const open = (request: Request | undefined): Request | undefined =>
    request && now() < request.endsAt ? request : undefined;
  return {
    /**
     * Returns whether there is room for one more. Where an area is full, the oldest code of it that waits for approval
     * gives way.
     */
    makeRoom: (newcomer: Occupant): boolean => {
      sweep();
      const { ofNetwork, ofArea } = excessOccupants(newcomer, codes.values(), LIMITS);
      if (ofNetwork.length > 0) return false;
      if (ofArea.length === 0) return true;
      const oldest = [...codes.values()].find((one) => one.area === newcomer.area && !one.approved);
      if (oldest) remove(oldest);
      return oldest !== undefined;
    },
    add: (given: Omit<Request, 'code' | 'approved'>): Request => {
      let code: string;
      do code = String(randomInt(CODES)).padStart(6, '0');
      while (codes.has(code));
      const request = { ...given, code };
      codes.set(code, request);
      secrets.set(request.hash, request);
      return request;
    },
    remove,
    byCode: (code: string) => open(codes.get(code)),
    bySecret: (secret: string) => open(secrets.get(hashOf(secret))),
    all: (): Request[] => [...codes.values()],
    waiting: (): Request[] => {
      sweep();
      return [...codes.values()].filter(({ approved }) => !approved).toReversed();
    },
  };
}
