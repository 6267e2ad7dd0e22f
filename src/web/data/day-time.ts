/** Time that this Profile has left: read while it is limited, with a warning before it is over. */
import { useEffect, useRef } from 'preact/hooks';
import type { DayTime } from '../../contract/identity/viewing.ts';
import { minutesOf, secondsLeft } from '../lib/day-time.ts';
import { createStore } from '../lib/store.ts';
import { useAsk } from './query.ts';
import { useMe } from './session.ts';

/** How often the time is read while there is a limit. The server counts every five seconds. */
const READ_MS = 20_000;
/** Minutes that are left when a warning is shown. */
const WARN_AT = [1, 5, 10];

/** Returns the time of this Profile; undefined for an Owner, and before it is known. */
export function useOwnTime(): DayTime | undefined {
  const policy = useMe()?.profile.policy;
  const isViewer = useMe()?.profile.role === 'viewer';
  const isLimited = isViewer && (policy?.daily !== undefined || (policy?.windows.length ?? 0) > 0);
  return useAsk('viewing', 'ownTime', {}, { enabled: isViewer, every: isLimited && READ_MS }).data;
}

/** Minutes of the last warning, for the player, which shows it over the picture; undefined once they are over. */
export const timeWarning = createStore<{ minutes: number } | undefined>(undefined);

/** Warns each time that fewer minutes are left. Used once, at the root. */
export function useTimeWarnings(warn: (minutes: number) => void): void {
  const time = useOwnTime();
  const before = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const left = time && secondsLeft(time);
    const minutes = left === undefined ? Number.POSITIVE_INFINITY : minutesOf(left);
    const isDue = WARN_AT.some((at) => minutes <= at && before.current > at);
    before.current = minutes;
    if (!isDue || minutes === 0) return;
    timeWarning.set({ minutes });
    warn(minutes);
  }, [time]);
}
