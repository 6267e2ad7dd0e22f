/** Endpoints of online metadata: the provider, candidates for an item, the choice of one, and refreshing. */
import { z } from 'zod';
import { MatchCandidate, MetadataProvider, WorkId } from '../catalog/candidates.ts';
import { OWNER_READERS, OWNERS } from '../kernel/access.ts';
import { lineOfText } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { EpisodeOrders, OrderId } from './orders.ts';
import { METADATA_FAULTS } from './reasons.ts';

const byItem = z.strictObject({ item: idOf('item', 'Id of a film or show.') });
const ASKING = ['no-such-item', 'metadata-not-configured', ...METADATA_FAULTS] as const;

const RefreshResult = z
  .strictObject({
    outcome: z
      .enum(['refreshed', 'unchanged', 'not-found', 'unsure', 'locked'])
      .meta(
        about(
          'What happened. `unsure`: no candidate is certain enough, so nothing was changed. `locked`: the NFO locks ' +
            'the item.',
          'refreshed',
        ),
      ),
  })
  .meta({ id: 'MetadataRefresh', description: 'Result of a refresh.' });
export type RefreshResult = z.output<typeof RefreshResult>;

const ProviderCheck = z
  .strictObject({
    configured: z.boolean().meta(about('Whether an address and a token are set.', true)),
    connected: z.boolean().meta(about('Whether the provider accepts the token.', true)),
    error: z.string().optional().meta(rarely('Why it cannot be used, as a sentence.')),
    reason: z.enum(METADATA_FAULTS).optional().meta(rarely('Code of `error`.')),
  })
  .meta({ id: 'MetadataProviderTest', description: 'State of the metadata provider.' });
export type ProviderCheck = z.output<typeof ProviderCheck>;

export const onlineMetadata = {
  test: endpoint({
    method: 'POST',
    path: '/api/v1/metadata-provider/test',
    summary: 'Check the credential of the metadata provider',
    description: 'Sends one request, even while requests are paused. It fetches nothing.',
    access: OWNERS,
    result: ProviderCheck,
  }),
  candidates: endpoint({
    method: 'GET',
    path: '/api/v1/items/{item}/match',
    summary: 'Films or shows that an item could be, with the evidence for each',
    description:
      'Searches the provider by the id that files state, else by the title, or by `query`. It changes nothing. ' +
      'A candidate is certain from a confidence of 75 on, if it is at least 8 above the next one.',
    access: OWNER_READERS,
    params: byItem,
    query: z.strictObject({
      query: lineOfText(200).optional().meta(about('Title to search for instead of that of the item.', 'Charade')),
    }),
    result: z
      .strictObject({
        items: z.array(MatchCandidate).meta(about('Candidates, the best first.')),
        certain: z.boolean().meta(about('Whether the first one is certain.', true)),
      })
      .meta({ id: 'MatchCandidates', description: 'Candidates for an item.' }),
    fails: ASKING,
  }),
  match: endpoint({
    method: 'POST',
    path: '/api/v1/items/{item}/match',
    summary: 'Choose which film or show an item is, or remove the choice',
    description:
      'The facts of a chosen work count before NFO files and tags, and less than edits. `none` ' +
      'removes everything that came from a provider, and the item is shown as its files describe it. No refresh ' +
      'matches it again.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      provider: MetadataProvider.optional(),
      id: WorkId.optional(),
      none: z.literal(true).optional().meta(rarely('Removes the choice; without `provider` and `id`.')),
    }),
    result: NOTHING,
    fails: [...ASKING, 'match-incomplete', 'no-such-work'],
  }),
  orders: endpoint({
    method: 'GET',
    path: '/api/v1/items/{item}/episode-order',
    summary: 'Orders of the episodes of a show, and the chosen one',
    description: 'Asks the provider which other orders it has, such as the absolute one or that of the DVDs.',
    access: OWNER_READERS,
    params: byItem,
    result: EpisodeOrders,
    fails: ASKING,
  }),
  chooseOrder: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{item}/episode-order',
    summary: 'Choose the order by which the episodes of a show are numbered',
    description:
      'Season and episode of the files are then places in this order, and their facts are looked up by it. Edits and ' +
      'NFO files still count before them. To undo it, choose the order of before.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      order: OrderId.nullable().meta(about('Id of the order; null for the usual one.', '5acf93e60e0a26346d0000ce')),
    }),
    result: RefreshResult,
    fails: [...ASKING, 'no-such-work', 'no-such-order'],
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/v1/items/{item}/metadata/refresh',
    summary: 'Read again what the metadata provider says about an item',
    description:
      'With the mode `missing` an item that has facts from the provider is left alone. An item that is not matched ' +
      'is matched if a candidate is certain. A refresh that finds nothing, is unsure or fails changes nothing, and ' +
      'neither does one of an item whose match was removed. The task refresh-metadata does the same for a library.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      mode: z.enum(['missing', 'all']).meta(about('Whether items that have facts are read, too.', 'all')),
      images: z.boolean().optional().meta(rarely('Whether pictures are fetched again.')),
    }),
    result: RefreshResult,
    fails: ASKING,
  }),
};
