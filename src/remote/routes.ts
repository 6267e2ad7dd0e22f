/** Endpoints of remote access and of trusted HTTPS at home, each tied to the operation that does it. */
import { remoteAccess } from '../contract/remote/remote-access.ts';
import { trustedHttpsEndpoints } from '../contract/remote/trusted-https.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import type { Remote } from './index.ts';

export const remoteRoutes = (remote: Remote): MountedEndpoint[] => [
  ...implement(remoteAccess, {
    read: () => remote.status(),
    prove: async (_given, { by }) => {
      await remote.proof.begin(by);
      return remote.status();
    },
    kill: async (_given, { by }) => {
      await remote.cut(by);
      return remote.status();
    },
    allow: async (_given, { by }) => {
      await remote.allow(by);
      return remote.status();
    },
  }),
  ...implement(trustedHttpsEndpoints, {
    read: () => remote.trusted.status(),
    save: async (given, { by }) => {
      await remote.trusted.save(given, by);
      return remote.trusted.status();
    },
    remove: async (_given, { by }) => {
      await remote.trusted.remove(by);
    },
  }),
];
