/** Access from outside, as a domain. */
import { remoteFindings } from '../contract/remote/findings.ts';
import { domain } from '../domain.ts';
import { identityDomain } from '../identity/domain.ts';
import { certificateSettings } from './certificates/settings.ts';
import { createRemote } from './index.ts';
import { remoteRoutes } from './routes.ts';
import { remoteSettings } from './settings.ts';

export const remoteDomain = domain({
  name: 'remote',
  uses: [identityDomain],
  settings: [...remoteSettings, ...certificateSettings],
  findings: remoteFindings,
  open: async (foundation, { identity }) => {
    const remote = createRemote({ ...foundation, killSwitch: identity.operations.killSwitch });
    return {
      door: remote,
      routes: remoteRoutes(remote),
      findings: remote.findings,
      start: remote.start,
      close: remote.close,
    };
  },
});
