/**
 * Notifies Owners of what expires. A domain reports a finding whose row says at how many days before the end (`expires`
 * in its table); an entry of the activity log is made once for each of these days and each end.
 */
import type { Activity } from '../../activity/index.ts';
import type { Clock } from '../../lib/clock.ts';

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;

/** A finding, as far as it matters here. `until` in its values is when the thing expires, as RFC 3339. */
interface ExpiringFinding {
  code: string;
  values: Readonly<Record<string, unknown>>;
}

export interface Expiring {
  /** Looks at the findings, and records those that have come to one of their days. */
  look(): Promise<void>;
  start(): void;
  close(): void;
}

export function createExpiring({
  findings,
  daysOf,
  activity,
  clock,
  failed,
}: {
  findings(): Promise<readonly ExpiringFinding[]>;
  /** Returns the days before the end on which Owners are notified; undefined if the code is not about an end. */
  daysOf(code: string): readonly number[] | undefined;
  activity: Pick<Activity, 'recordOnce'>;
  clock: Pick<Clock, 'now'>;
  failed(error: unknown): void;
}): Expiring {
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    for (const { code, values } of await findings()) {
      const { until } = values;
      if (typeof until !== 'string') continue;
      const left = Math.max(0, Math.ceil((Date.parse(until) - clock.now()) / DAY_MS));
      const days = daysOf(code)
        ?.toSorted((a, b) => a - b)
        .find((day) => left <= day);
      if (days === undefined) continue;
      const details = { finding: code, days, until };
      await activity.recordOnce({ kind: 'expiring', outcome: 'done', via: 'server', details });
    }
  };
  const lookSafely = (): void => void look().catch(failed);
  return {
    look,
    start: () => {
      lookSafely();
      timer = setInterval(lookSafely, LOOK_EVERY_MS).unref();
    },
    close: () => clearInterval(timer),
  };
}
