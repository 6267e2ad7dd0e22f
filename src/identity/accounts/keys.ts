/** API keys: made by an Owner for a number of days, shown once, and good only as long as that Owner is one. */
import type { z } from 'zod';
import type { Scope } from '../../contract/kernel/endpoint.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { ApiKey } from '../../contract/identity/api-keys.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Core } from '../core.ts';
import { hashOf, newToken } from '../tokens.ts';
import type { KeyRow, Step } from '../types.ts';

const DAY = 86_400_000;
const MAX_KEYS = 200;
type Shown = z.input<typeof ApiKey>;

export interface Keys {
  list(): Shown[];
  create(
    given: { name: string; scopes: readonly Scope[]; days: number },
    by: Principal,
  ): Promise<Shown & { secret: string }>;
  remove(id: string, by: Principal): Promise<void>;
}

/** The steps that end the keys of a Profile. */
export const endKeys = ({ identities }: Pick<Core, 'identities'>, profile: string): Step[] =>
  [...identities.keys.values()].filter((key) => key.profile === profile).map(({ id }): Step => ({ drop: 'key', id }));

export function createKeys(core: Core): Keys {
  const { identities, clock } = core;
  const show = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt, profile }: KeyRow): Shown => ({
    id,
    name,
    scopes: [...scopes],
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
    ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }),
    profile: identities.profiles.get(profile)?.name ?? '',
  });
  const open = (): KeyRow[] => [...identities.keys.values()].filter(({ expiresAt }) => clock.now() < expiresAt);

  return {
    list: () =>
      open()
        .sort((a, b) => b.createdAt - a.createdAt)
        .map(show),
    create: (given, by) =>
      core.change(() => {
        // A caller who lost the role while this waited for its turn makes no key any more.
        if (!identities.sessions.has(by.credential))
          throw new Failure('unauthenticated', 'this session has ended', { reason: 'session-ended' });
        if (identities.profiles.get(by.profile)?.role !== 'owner')
          throw new Failure('forbidden', 'only an owner may do this', { reason: 'owner-only' });
        if (open().length >= MAX_KEYS)
          throw new Failure('conflict', 'the limit of API keys is reached; revoke one first', {
            reason: 'too-many-keys',
          });
        const secret = newToken('key');
        const now = clock.now();
        const row: KeyRow = {
          id: newId(),
          hash: hashOf(secret),
          name: given.name,
          profile: by.profile,
          scopes: [...new Set(given.scopes)],
          createdAt: now,
          expiresAt: now + given.days * DAY,
          lastUsedAt: undefined,
        };
        return {
          steps: [{ put: 'key', row }, core.audit({ kind: 'key-created', outcome: 'done', by, target: row.id })],
          result: { ...show(row), secret },
        };
      }),
    remove: (id, by) =>
      core.change(() => {
        found(identities.keys.get(id), 'no such key', 'no-such-key');
        return {
          steps: [{ drop: 'key', id }, core.audit({ kind: 'key-revoked', outcome: 'done', by, target: id })],
          result: undefined,
        };
      }),
  };
}
