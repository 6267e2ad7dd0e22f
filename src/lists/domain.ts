/** ListDoor as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { identityDomain } from '../identity/domain.ts';
import { createListDomain, listMigrations } from './index.ts';
import { listRoutes } from './routes.ts';

export const listsDomain = domain({
  name: 'lists',
  uses: [identityDomain, catalogDomain],
  migrations: listMigrations,
  open: async ({ db, bus, clock }, { identity, catalog }) => {
    const nameOf = (profile: string) => identity.profiles().find(({ id }) => id === profile)?.name;
    const audience = () =>
      identity.profiles().flatMap(({ id, role }) => {
        const policy = identity.policyOf(id);
        return policy ? [{ profile: id, role, policy }] : [];
      });
    const lists = createListDomain({ db, bus, clock, catalog, nameOf, audience });
    return { door: lists, routes: listRoutes(lists, catalog), forgetProfile: lists.forgetProfile };
  },
});
