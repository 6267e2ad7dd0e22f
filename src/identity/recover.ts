/**
 * Recovery at the console: who can run a program on the data folder may give a Profile a new password.
 *
 * It works on a stopped server only, because the running one keeps credentials in memory. The second
 * factor goes and every session of the Profile ends, so that whoever had either is out.
 */
import { randomInt } from 'node:crypto';
import { recipientsOf, type ActivityEvent } from '../activity/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import { Failure } from '../lib/failure.ts';
import { nameKeyOf } from './core.ts';
import { createHashing } from './passwords/hashing.ts';
import { identityStore } from './store/store.ts';

/** Letters and digits that are not taken for one another when read from a screen. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP = 5;

const freshPassword = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-');

/** Returns the Profile's name as it is kept, and its new password. Fails as missing when no Profile has that name. */
export async function recoverProfile(
  { db, clock }: { db: Database; clock: Clock },
  name: string,
): Promise<{ name: string; password: string }> {
  const store = identityStore(db);
  const { profiles, sessions, links, passkeys } = await store.load();
  const row = profiles.find(({ nameKey }) => nameKey === nameKeyOf(name));
  if (!row)
    throw new Failure(
      'missing',
      profiles.length === 0
        ? 'there is no profile yet: start the server and open it in a browser'
        : `there is no profile of that name; there are: ${profiles.map((one) => one.name).join(', ')}`,
      { reason: 'no-such-profile' },
    );
  const password = freshPassword();
  const kept = await createHashing().make(password);
  const event: ActivityEvent = { kind: 'recovery', outcome: 'done', via: 'console', profile: row.id };
  await store.commit([
    { put: 'profile', row: { ...row, password: kept, totp: undefined, totpStep: 0, recovery: [] } },
    ...sessions.filter(({ profile }) => profile === row.id).map(({ id }) => ({ drop: 'session' as const, id })),
    // Another person may have linked an identity, or added a passkey, that opens this Profile.
    ...links.filter(({ profile }) => profile === row.id).map(({ id }) => ({ drop: 'link' as const, id })),
    ...passkeys.filter(({ profile }) => profile === row.id).map(({ id }) => ({ drop: 'passkey' as const, id })),
    { audit: { ...event, notify: recipientsOf(event, profiles) }, at: clock.now() },
  ]);
  return { name: row.name, password };
}
