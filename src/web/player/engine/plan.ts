/** Asks the server how this browser can play an item. Asked anew for every playing: the plan carries a session and links that expire. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { capabilities } from './capabilities.ts';

export type Plan = Reply<'playback', 'plan'>;
export interface Which {
  id: string;
  version?: string | undefined;
  part?: number | undefined;
}

export async function askPlan({ id, version, part }: Which): Promise<Plan> {
  return call.playback.plan({ id, ...(await capabilities()), ...(version !== undefined && { version }), ...(part !== undefined && { part }) });
}

export interface Planned {
  plan: Plan | undefined;
  error: unknown;
  /** Asks again; the plan is replaced when the answer is here. Rejects when there is none. */
  again: () => Promise<void>;
}
export function usePlan({ id, version, part }: Which): Planned {
  const [plan, setPlan] = useState<Plan>();
  const [error, setError] = useState<unknown>();
  const again = useCallback(async () => {
    const next = await askPlan({ id, version, part });
    setError(undefined);
    setPlan(next);
  }, [id, version, part]);
  useEffect(() => {
    let isGone = false;
    setPlan(undefined);
    setError(undefined);
    askPlan({ id, version, part }).then(
      (next) => !isGone && setPlan(next),
      (failed: unknown) => !isGone && setError(failed),
    );
    return () => {
      isGone = true;
    };
  }, [id, version, part]);
  return { plan, error, again };
}
