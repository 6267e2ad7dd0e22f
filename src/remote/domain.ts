/** Remote access and trusted HTTPS at home, as a domain. */
import { activityDomain } from '../activity/domain.ts';
import { remoteFindings } from '../contract/remote/findings.ts';
import { domain } from '../domain.ts';
import { identityDomain } from '../identity/domain.ts';
import { certificateSettings } from './certificates/settings.ts';
import { createRemote } from './index.ts';
import { remoteRoutes } from './routes.ts';
import { remoteSettings } from './settings.ts';

export const remoteDomain = domain({
  name: 'remote',
  uses: [activityDomain, identityDomain],
  settings: [...remoteSettings, ...certificateSettings],
  findings: remoteFindings,
  open: async (foundation, { activity, identity }) => {
    const remote = createRemote({ ...foundation, activity, killSwitch: identity.operations.killSwitch });
    return {
      door: remote,
      routes: remoteRoutes(remote),
      findings: remote.findings,
      tasks: remote.proof.tasks,
      start: remote.start,
      close: remote.close,
    };
  },
});
