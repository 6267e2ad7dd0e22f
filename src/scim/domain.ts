/** SCIM as a domain: a directory manages Profiles. */
import { domain } from '../domain.ts';
import { identityDomain } from '../identity/domain.ts';
import { openScim } from './index.ts';
import { directoryRoutes, scimRoutes } from './routes.ts';

export const scimDomain = domain({
  name: 'scim',
  uses: [identityDomain],
  open: async ({ config, clock }, { identity }) => {
    const scim = openScim({ config, identity, clock });
    return { door: scim, routes: [...directoryRoutes(scim), ...scimRoutes(scim)] };
  },
});
