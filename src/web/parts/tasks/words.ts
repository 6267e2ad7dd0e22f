/** Tasks in words. */
import type { Task } from '../../../contract/ops/operations.ts';
import { accountWords as m } from '../../messages/account.ts';

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
