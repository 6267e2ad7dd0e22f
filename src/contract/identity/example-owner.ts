/** The first Owner, as examples of the API document have it. */
import { EXAMPLE_IDS } from '../kernel/describe.ts';

export const EXAMPLE_OWNER = {
  id: EXAMPLE_IDS.profile,
  name: 'Ada',
  role: 'owner',
  face: { colour: 'teal' },
  policy: {
    libraries: 'all',
    rating: 'all',
    unrated: true,
    windows: [],
    remote: true,
    transcode: true,
    download: true,
  },
  mfa: false,
  passkeys: 0,
  pin: false,
  passwordless: false,
  linked: false,
  households: 0,
  mfaExempt: false,
  createdAt: '2026-11-21T18:30:00.000Z',
};
