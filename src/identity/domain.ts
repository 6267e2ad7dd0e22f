/** Identity as a domain. */
import { activityDomain } from '../activity/domain.ts';
import { identityFindings } from '../contract/identity/findings.ts';
import { domain } from '../domain.ts';
import { createIdentity, identityTableMigrations } from './index.ts';
import { identityRoutes } from './routes.ts';
import { identitySettings } from './settings.ts';

export const identityDomain = domain({
  name: 'identity',
  uses: [activityDomain],
  settings: identitySettings,
  migrations: identityTableMigrations,
  findings: identityFindings,
  open: async (
    { db, bus, clock, log, config, net, processes, sealer, review, installation, hashingCost },
    { activity },
  ) => {
    const identity = await createIdentity({
      db,
      activity,
      bus,
      clock,
      log,
      config,
      net,
      processes,
      sealer,
      revoked: review.now,
      setUpDone: installation.remember,
      hashingCost,
    });
    await installation.settle(identity.setUpState());
    return {
      door: identity,
      routes: identityRoutes(identity),
      findings: identity.findings,
      close: identity.close,
    };
  },
});
