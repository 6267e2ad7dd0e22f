/** The endpoint of the search in dialogue, tied to its operation. */
import { dialogue as endpoints } from '../contract/dialogue/search.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import type { Dialogue } from './index.ts';

export const dialogueRoutes = ({ search }: Dialogue): MountedEndpoint[] =>
  implement(endpoints, { search: (query, { by, signal }) => search(by, query, signal) });
