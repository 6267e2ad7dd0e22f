/** Endpoints of online metadata, each tied to the operation that does it. */
import { onlineMetadata as endpoints } from '../contract/metadata/metadata.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import { Failure } from '../lib/failure.ts';
import type { OnlineMetadata } from './index.ts';

export const metadataRoutes = (metadata: OnlineMetadata): MountedEndpoint[] =>
  implement(endpoints, {
    test: (_given, { signal }) => metadata.test(signal),
    candidates: ({ item, query }, { signal }) => metadata.candidates(item, query, signal),
    match: ({ item, provider, id, none }, { signal }) => {
      if (none === true && provider === undefined && id === undefined) return metadata.unmatch(item);
      if (none === undefined && provider !== undefined && id !== undefined) return metadata.match(item, id, signal);
      throw new Failure('invalid', 'expected provider and id, or none', { reason: 'match-incomplete' });
    },
    orders: ({ item }, { signal }) => metadata.orders.of(item, signal),
    chooseOrder: ({ item, order }, { signal }) => metadata.orders.choose(item, order, signal),
    refresh: ({ item, mode, images }, { signal }) => metadata.refresh(item, { mode, images: images ?? false }, signal),
  });
