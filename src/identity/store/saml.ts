/** Sign-in with SAML in the database: assertions that were used, and the last good metadata of the provider. */
import { hash } from 'node:crypto';
import type { Database } from '../../lib/db/index.ts';
import type { IdentityTables, IdentityTransaction } from './tables.ts';

export const samlStore = (db: Database) => ({
  /** Notes an assertion as used, durably. Returns false if it was used before. */
  useAssertion: ({ issuer, assertion, endsAt }: { issuer: string; assertion: string; endsAt: number }) =>
    db.write('safe', async (tx: IdentityTransaction): Promise<boolean> => {
      const made = await tx
        .insertInto('identity_assertion')
        .values({ id: hash('sha256', JSON.stringify([issuer, assertion]), 'hex'), ends_at: endsAt })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute();
      return made.length > 0;
    }),

  /** Forgets the assertions that no longer count. */
  forgetAssertions: (now: number): Promise<void> =>
    db.write(
      'grouped',
      async (tx: IdentityTransaction) =>
        void (await tx.deleteFrom('identity_assertion').where('ends_at', '<', now).execute()),
    ),

  /** Returns the metadata that was kept of an address. */
  load: async (address: string): Promise<{ document: string; readAt: number } | undefined> => {
    const row = await db
      .tables<IdentityTables>()
      .selectFrom('identity_saml_metadata')
      .select(['document', 'read_at'])
      .where('address', '=', address)
      .executeTakeFirst();
    return row && { document: row.document, readAt: row.read_at };
  },

  /** Keeps metadata in place of any other. */
  keep: ({ address, document, readAt }: { address: string; document: string; readAt: number }): Promise<void> =>
    db.write('safe', async (tx: IdentityTransaction) => {
      await tx.deleteFrom('identity_saml_metadata').execute();
      await tx.insertInto('identity_saml_metadata').values({ address, document, read_at: readAt }).execute();
    }),
});
