/** Tasks in words. */
import type { Task } from '../../../contract/ops/operations.ts';
import { accountWords as m } from '../../messages/account.ts';

const NAMES: Readonly<Record<string, string>> = {
  scan: 'Scan of the libraries',
  'clear-cache': 'Clearing the cache',
  'fetch-wanted': 'Fetching what is wanted',
  'subtitle-upkeep': 'Upkeep of subtitles',
  'check-database': 'Check of the database',
  metadata: 'Reading metadata',
  backup: 'Backup',
};
export const taskName = (name: string): string =>
  NAMES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replace(/-/g, ' ')}`;

export const taskStates = (): Readonly<
  Record<Task['state'], { label: string; tone: 'plain' | 'good' | 'warn' | 'danger' | 'accent' }>
> => ({
  queued: { label: m.waiting, tone: 'plain' },
  running: { label: m.running, tone: 'accent' },
  done: { label: m.done, tone: 'good' },
  failed: { label: m.failed, tone: 'danger' },
  cancelled: { label: m.cancelled, tone: 'warn' },
});
/** Seconds between runs: "every hour", "every 6 hours". */
export function every(seconds: number): string {
  const [size, unit]: readonly [number, keyof typeof m.everyOne] =
    seconds >= 86_400
      ? [86_400, 'day']
      : seconds >= 3600
        ? [3600, 'hour']
        : seconds >= 60
          ? [60, 'minute']
          : [1, 'second'];
  const count = Math.round(seconds / size);
  return count === 1 ? m.everyOne[unit] : m.everyMany[unit]({ count });
}
