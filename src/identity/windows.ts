/**
 * Viewing windows: whether a Profile may watch at a moment.
 *
 * A window is wall-clock time in its own time zone and belongs to the days on which it starts. An end that is not
 * after the start reaches into the next day. Daylight saving needs no special case: the moment is turned into
 * that zone's wall clock, so an hour that comes twice counts twice and one that is skipped never comes.
 */
import { DAYS, type Policy } from '../contract/identity/profiles.ts';
import { Failure } from '../lib/failure.ts';

type Window = Policy['windows'][number];

const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Whether `at` (milliseconds since the epoch) is in one of the windows. No windows means always. */
export function isWithinWindows(windows: readonly Window[], at: number): boolean {
  return windows.length === 0 || windows.some((one) => isIn(one, at));
}

function isIn({ days, start, end, timeZone }: Window, at: number): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(timeZone);
  const now = local.hour * 60 + local.minute;
  const today = DAYS[local.dayOfWeek - 1];
  const yesterday = DAYS[(local.dayOfWeek + 5) % 7];
  const has = (day: (typeof DAYS)[number] | undefined): boolean => day !== undefined && days.includes(day);
  const [from, to] = [minutes(start), minutes(end)];
  if (from < to) return has(today) && now >= from && now < to;
  return (has(today) && now >= from) || (has(yesterday) && now < to);
}

/** Days in which the next change is looked for: a week, and one more because a window may begin on the day before. */
const AHEAD_DAYS = 8;
/** Changes that were found, which hold until they come. */
const changes = new WeakMap<readonly Window[], { from: number; at: number | undefined }>();

/** Returns when these windows open or close next, in milliseconds since the epoch; undefined if not within a week. */
export function nextWindowChange(windows: readonly Window[], now: number): number | undefined {
  const known = changes.get(windows);
  if (known?.at !== undefined && known.from <= now && now < known.at) return known.at;
  const isOpen = isWithinWindows(windows, now);
  const at = [...new Set(windows.flatMap((one) => edgesOf(one, now)))]
    .filter((edge) => edge > now)
    .sort((a, b) => a - b)
    .find((edge) => isWithinWindows(windows, edge) !== isOpen);
  changes.set(windows, { from: now, at });
  return at;
}

/** Returns the moments at which a window may begin or end in the days around one, and those at which clocks change. */
function edgesOf({ days, start, end, timeZone }: Window, now: number): number[] {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(now)).toZonedDateTimeISO(timeZone);
  const today = local.toPlainDate();
  const momentOf = (date: Temporal.PlainDate, clock: string): number =>
    (clock === '24:00'
      ? date.add({ days: 1 }).toPlainDateTime()
      : date.toPlainDateTime(Temporal.PlainTime.from(clock))
    ).toZonedDateTime(timeZone).epochMilliseconds;
  const transition = local.getTimeZoneTransition('next');
  const edges = transition ? [transition.epochMilliseconds] : [];
  for (let ahead = -1; ahead <= AHEAD_DAYS; ahead += 1) {
    const date = today.add({ days: ahead });
    const name = DAYS[date.dayOfWeek - 1];
    if (name === undefined || !days.includes(name)) continue;
    const last = minutes(start) < minutes(end) ? date : date.add({ days: 1 });
    edges.push(momentOf(date, start), momentOf(last, end));
  }
  return edges;
}

/** Refuses windows that could never be evaluated: an unknown time zone, or a start after the day has ended. */
export function checkWindows(windows: readonly Window[]): void {
  for (const { start, timeZone } of windows) {
    if (start === '24:00')
      throw new Failure('invalid', 'a viewing window must start before 24:00', { reason: 'window-start' });
    checkTimeZone(timeZone);
  }
}

/** Refuses a time zone that is not in the IANA database. */
export function checkTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone))
    throw new Failure('invalid', 'a viewing window names an unknown time zone', { reason: 'time-zone-unknown' });
}

function isTimeZone(name: string): boolean {
  // An offset such as +01:00 would be taken as well, and would be wrong for half of the year.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
