/** Access from outside, as a domain. So far it keeps the name and its certificate. */
import { domain } from '../domain.ts';
import { certificateSettings } from './certificates/settings.ts';
import { publicCertificates } from './index.ts';

export const remoteDomain = domain({
  name: 'remote',
  uses: [],
  settings: certificateSettings,
  open: async (foundation) => {
    const certificates = publicCertificates(foundation);
    return { door: certificates, start: certificates.start, close: certificates.close };
  },
});
