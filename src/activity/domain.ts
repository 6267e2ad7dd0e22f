/** The activity log as a domain. It is below all domains that record something. */
import { activityFindings } from '../contract/activity/findings.ts';
import { domain } from '../domain.ts';
import { recordFailedTasks } from './failed-tasks.ts';
import { activityMigrations, createActivity } from './index.ts';
import { activitySettings } from './settings.ts';

export const activityDomain = domain({
  name: 'activity',
  uses: [],
  settings: activitySettings,
  migrations: activityMigrations,
  findings: activityFindings,
  open: async ({ db, config, bus, clock, log, tasks }) => {
    const activity = await createActivity({ db, config, bus, clock, log });
    const failed = recordFailedTasks({ activity, tasks, clock, log });
    return {
      door: activity,
      tasks: activity.upkeep.tasks,
      findings: activity.upkeep.findings,
      forgetProfile: activity.upkeep.forgetProfile,
      start: failed.start,
      close: async () => {
        failed.close();
        await activity.upkeep.close();
      },
    };
  },
});
