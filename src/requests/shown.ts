/** Requests as replies carry them. Requests that were taken back, and those of removed Profiles, are left out. */
import type { Principal } from '../contract/kernel/principal.ts';
import type { Profile } from '../contract/identity/profiles.ts';
import type { Request } from '../contract/requests/requests.ts';
import { iso } from '../lib/clock.ts';
import type { RequestAnswer, RequestRow } from './store.ts';
import type { RequestParts } from './types.ts';

type AllowedItem = NonNullable<NonNullable<Request['answer']>['item']>;

export const createShown =
  ({ catalog, identity }: Pick<RequestParts, 'catalog' | 'identity'>): RequestParts['shown'] =>
  async (rows: readonly RequestRow[], by: Principal) => {
    const ids = new Set(rows.flatMap(({ answer }) => answer?.item ?? []));
    const cards = ids.size === 0 ? [] : await catalog.seenBy(by).cards([...ids]);
    const items = new Map(cards.map(({ id, kind, title }) => [id, { id, kind, title }]));
    return rows.flatMap((row) => {
      const profile = identity.find(row.profile);
      return profile && row.state !== 'withdrawn' ? [showRequest(row, row.state, profile, items)] : [];
    });
  };

function showRequest(
  { id, asked, createdAt, answer, isSeen }: RequestRow,
  state: Request['state'],
  { id: profile, name, face }: Profile,
  items: ReadonlyMap<string, AllowedItem>,
): Request {
  return {
    id,
    profile: { id: profile, name, face },
    ...asked,
    createdAt: iso(createdAt),
    state,
    ...(answer && { answer: showAnswer(answer, items) }),
    seen: isSeen,
  };
}

function showAnswer(
  { at, lasting, item: id = '', minutes, until, word }: RequestAnswer,
  items: ReadonlyMap<string, AllowedItem>,
): NonNullable<Request['answer']> {
  const item = items.get(id);
  return {
    at: iso(at),
    ...(lasting && { lasting }),
    ...(item && { item }),
    ...(minutes !== undefined && { minutes }),
    ...(until !== undefined && { until: iso(until) }),
    ...(word !== undefined && { word }),
  };
}
