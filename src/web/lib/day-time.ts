/** Time that a Profile has left, from what the server says of its day and its viewing hours. Pure. */
import type { DayTime } from '../../contract/identity/viewing.ts';

const DAY_S = 86_400;

/** Returns the seconds until a Profile may not watch any more; undefined without a limit that comes within a day. */
export function secondsLeft({ limit, hours }: DayTime, now: number = Date.now()): number | undefined {
  const closesAt = hours?.changesAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(hours.changesAt);
  const ofHours = hours?.open === false ? 0 : Math.max(0, (closesAt - now) / 1000);
  const left = Math.min(limit?.left ?? Number.POSITIVE_INFINITY, ofHours);
  return left < DAY_S ? left : undefined;
}
/** Returns whole minutes, rounded up: 20 seconds are a minute that is left. */
export const minutesOf = (seconds: number): number => Math.ceil(seconds / 60);
