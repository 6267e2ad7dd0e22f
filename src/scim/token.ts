/** The token of the directory: made, replaced and ended by an Owner, and in force at once. */
import type { Config } from '../config/index.ts';
import { SCIM_PATH } from '../contract/scim/users.ts';
import { type Identity, newDirectoryToken } from '../identity/index.ts';
import { type Clock, iso } from '../lib/clock.ts';

const DAY_MS = 86_400_000;
const TOKEN = 'integrations.scim.token';
const EXPIRES_AT = 'integrations.scim.token_expires_at';

export interface DirectoryTokenNeeds {
  config: Pick<Config, 'all' | 'saveAll'>;
  identity: Pick<Identity, 'operations'>;
  clock: Clock;
}

/** An Owner's request. */
type OwnerCall = Omit<NonNullable<Parameters<Identity['operations']['directory']['settle']>[0]>, 'kind'>;

export function createDirectoryToken({ config, identity, clock }: DirectoryTokenNeeds) {
  const { directory } = identity.operations;
  const save = (token: string, expiresAt: string) =>
    config.saveAll({ [TOKEN]: token, [EXPIRES_AT]: expiresAt }, { isInForce: true });
  return {
    read: () => {
      const token = directory.token();
      const isManaged = config.all().some(({ key, managed }) => managed && (key === TOKEN || key === EXPIRES_AT));
      return {
        path: SCIM_PATH,
        managed: isManaged,
        ...(token && {
          token: {
            expiresAt: iso(token.expiresAt),
            expired: token.isExpired,
            ...(token.lastUsedAt !== undefined && { lastUsedAt: iso(token.lastUsedAt) }),
          },
        }),
      };
    },
    create: async ({ days }: { days: number }, caller: OwnerCall) => {
      const [secret, expiresAt] = [newDirectoryToken(), iso(clock.now() + days * DAY_MS)];
      await save(secret, expiresAt);
      await directory.settle({ kind: 'directory-token-created', ...caller });
      return { secret, expiresAt, expired: false };
    },
    remove: async (caller: OwnerCall): Promise<void> => {
      await save('', '');
      await directory.settle({ kind: 'directory-token-revoked', ...caller });
    },
  };
}
