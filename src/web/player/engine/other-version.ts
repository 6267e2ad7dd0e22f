/**
 * When the version that plays by default does not suit this browser, finds the first other one that does.
 * `asking` while it is not known, undefined when there is none or none is needed.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Item } from '../../../contract/catalog/items.ts';
import { askPlan, deliveryOf, type PlanReply } from '../../parts/playback/plan.ts';

type Version = Item['versions'][number];
/** More than this many versions are not asked about. */
const MAX_ASKED = 6;

async function firstThatPlays(item: Item): Promise<Version | undefined> {
  for (const version of item.versions.slice(1, 1 + MAX_ASKED)) {
    if (!version.available) continue;
    const plan = await askPlan({ id: item.id, version: version.id }).catch(() => undefined);
    if (plan && deliveryOf(plan)) return version;
  }
  return undefined;
}

export function useOtherVersion(plan: PlanReply | undefined, item: Item | undefined): Version | 'asking' | undefined {
  const isNeeded =
    plan !== undefined && item !== undefined && deliveryOf(plan) === undefined && item.versions.length > 1;
  const [found, setFound] = useState<{ item: string; version: Version | undefined }>();
  useEffect(() => {
    if (!isNeeded) return;
    let isGone = false;
    void firstThatPlays(item).then((version) => !isGone && setFound({ item: item.id, version }));
    return () => {
      isGone = true;
    };
  }, [isNeeded, item?.id]);
  if (!isNeeded) return undefined;
  return found?.item === item.id ? found.version : 'asking';
}
