/** Endpoints of supporters. */
import { supporter } from '../contract/supporter/supporter.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import type { Supporters } from './index.ts';

export const supporterRoutes = (supporters: Supporters): MountedEndpoint[] =>
  implement(supporter, {
    read: () => supporters.read(),
    activate: (given, { by }) => supporters.activate(given, by),
  });
