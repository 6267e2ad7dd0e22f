/** Turns events into entries: the caller as ids, the details checked against their kind. */
import { z } from 'zod';
import { ACTIVITY_KINDS, type ActivityKind, type ActivityKindRow } from '../contract/activity/kinds.ts';
import { networkPrefix } from '../lib/address-prefix.ts';
import { newId } from '../lib/ids.ts';
import type { NewEntry } from './store/entries.ts';
import type { ActivityEvent, ActivityPlace, ActivityVia } from './types.ts';

const shapes = new Map<ActivityKind, z.ZodObject>();
function shapeOf(kind: ActivityKind): z.ZodObject {
  const shape = shapes.get(kind) ?? z.strictObject({ ...ACTIVITY_KINDS[kind].details });
  shapes.set(kind, shape);
  return shape;
}

/** Returns as much of the origin of a request as is kept. */
export const placeOf = ({ address, network }: { address: string; network: 'local' | 'public' }): ActivityPlace => ({
  reach: network,
  network: networkPrefix(address),
});

function viaOf({ by, via }: ActivityEvent): ActivityVia | undefined {
  if (!by) return via;
  if (by.household) return 'household';
  if (by.via === 'session') return 'session';
  return by.via instanceof Set ? 'key' : 'link';
}

/** Returns the entry of an event. Throws if its details are not those of its kind. */
export function entryFor(event: ActivityEvent, at: number): NewEntry {
  const { kind, outcome, by, target, place, count = 1, notify = [], details = {} } = event;
  const profile = event.profile ?? by?.profile ?? event.actor;
  return {
    id: newId(),
    chain: ACTIVITY_KINDS[kind].category === 'playback' ? 'playback' : 'record',
    at,
    kind,
    outcome,
    actor: by?.profile ?? event.actor ?? (outcome === 'refused' || event.via !== undefined ? undefined : profile),
    via: viaOf(event),
    credential: by?.credential ?? event.session,
    profile,
    target,
    reach: place?.reach,
    network: place?.network,
    count,
    details: JSON.stringify(shapeOf(kind).parse(details)),
    notify,
  };
}

/** Returns the audience of an event: the person and every Owner, Owners alone, or no one. */
export function audienceOf({ kind, outcome, place, details }: ActivityEvent): ActivityKindRow['notice'] {
  const { notice, noticeWhen } = ACTIVITY_KINDS[kind];
  const given = (details ?? {}) as Readonly<Record<string, unknown>>;
  const isMet =
    !noticeWhen ||
    noticeWhen.some(
      (when) =>
        (when.outcome === undefined || when.outcome === outcome) &&
        (when.reach === undefined || when.reach === place?.reach) &&
        Object.entries(when.details ?? {}).every(([name, value]) => given[name] === value),
    );
  return isMet ? notice : undefined;
}
