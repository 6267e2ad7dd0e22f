/** Requests as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { identityDomain } from '../identity/domain.ts';
import { createRequests, requestMigrations } from './index.ts';
import { requestRoutes } from './routes.ts';

export const requestsDomain = domain({
  name: 'requests',
  uses: [identityDomain, catalogDomain],
  migrations: requestMigrations,
  open: async ({ db, bus, clock }, { identity, catalog }) => {
    const { profiles, granting } = identity.operations;
    const requests = createRequests({
      db,
      bus,
      clock,
      catalog,
      identity: {
        ...granting,
        find: (id) => (identity.policyOf(id) === undefined ? undefined : profiles.read(id)),
        ruleItem: profiles.ruleItem,
      },
    });
    return { door: requests, routes: requestRoutes(requests), forgetProfile: requests.forgetProfile };
  },
});
