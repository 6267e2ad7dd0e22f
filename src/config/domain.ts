/** The configuration as a domain. It is opened before the others, because the foundation needs its values. */
import { activityDomain } from '../activity/domain.ts';
import { domain } from '../domain.ts';
import type { Config } from './index.ts';
import { configRoutes } from './routes.ts';
import { configMigrations } from './store.ts';
import { laterSettings } from './later.ts';
import { serverSettings } from './settings.ts';

export const configDomain = domain({
  name: 'config',
  uses: [activityDomain],
  settings: [...serverSettings, ...laterSettings],
  migrations: configMigrations,
  open: async ({ config }, { activity }) => ({
    door: config satisfies Config,
    routes: configRoutes(config, activity),
  }),
});
