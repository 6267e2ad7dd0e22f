/** Days of a Profile: in its time zone, from one reset to the next. */
import type { DailyTime } from '../../contract/identity/profiles.ts';

/**
 * Returns the day in which a moment is, as `2026-11-20`, and when it ends. A reset in an hour that the clocks skip
 * comes at the end of that hour; in one that comes twice, the first time.
 */
export function profileDayAt({ timeZone, resetsAt }: DailyTime, at: number): { day: string; endsAt: number } {
  const time = Temporal.PlainTime.from(resetsAt);
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(timeZone);
  const startOf = (date: Temporal.PlainDate): number =>
    date.toPlainDateTime(time).toZonedDateTime(timeZone).epochMilliseconds;
  const today = local.toPlainDate();
  const day = at >= startOf(today) ? today : today.subtract({ days: 1 });
  return { day: day.toString(), endsAt: startOf(day.add({ days: 1 })) };
}
