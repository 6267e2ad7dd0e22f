/** Supporters as a domain. */
import { activityDomain } from '../activity/domain.ts';
import { domain } from '../domain.ts';
import { createSupporters, supporterMigrations } from './index.ts';
import { supporterRoutes } from './routes.ts';
import { supporterSettings } from './settings.ts';

export const supporterDomain = domain({
  name: 'supporter',
  uses: [activityDomain],
  settings: supporterSettings,
  migrations: supporterMigrations,
  open: async ({ db, net, clock, config }, { activity }) => ({
    door: {},
    routes: supporterRoutes(createSupporters({ db, net, clock, config, activity })),
  }),
});
