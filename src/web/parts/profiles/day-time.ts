/** Time of a Profile in words: how much of a day is used, and when its viewing hours open and close. */
import type { DayTime } from '../../../contract/identity/viewing.ts';
import { minutesOf } from '../../lib/day-time.ts';
import { day, formatDuration, timeOfDay } from '../../lib/format.ts';
import { householdWords as m } from '../../messages/household.ts';

/** Returns a moment as a time of day, with the day unless it is today. */
export function timeWords(iso: string, now: number = Date.now()): string {
  const isToday = new Date(iso).toDateString() === new Date(now).toDateString();
  return isToday ? timeOfDay(iso) : `${day(iso)}, ${timeOfDay(iso)}`;
}

/** Returns the time of a Profile as an Owner reads it; empty without limits. */
export function dayTimeWords({ limit, hours }: DayTime): string[] {
  const out: string[] = [];
  if (limit) {
    const all = formatDuration(limit.seconds);
    out.push(m.usedToday({ used: m.minutes({ count: Math.round(limit.used / 60) }), all }));
    if (limit.granted > 0) out.push(m.ofWhichGranted({ minutes: m.minutes({ count: minutesOf(limit.granted) }) }));
  }
  if (hours) {
    const time = hours.changesAt === undefined ? undefined : timeWords(hours.changesAt);
    if (hours.open && time !== undefined) out.push(m.hoursOpenUntil({ time }));
    if (!hours.open) out.push(time === undefined ? m.hoursClosed : m.hoursClosedUntil({ time }));
  }
  return out;
}
