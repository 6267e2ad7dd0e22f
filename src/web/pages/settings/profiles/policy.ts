/** Editing what a Profile may see and do. Pure: each change returns a new policy that the server would accept. */
import type { Policy } from '../../../../contract/identity/profiles.ts';
import type { Reply } from '../../../data/query.ts';
import { agesWords } from '../../../messages/ages.ts';
import { householdWords } from '../../../messages/household.ts';
import { settingsWords as m } from '../../../messages/settings.ts';
import { listed, weekdayName } from '../../../lib/format.ts';

export type PolicyWindow = Policy['windows'][number];
export type Day = PolicyWindow['days'][number];
export const WEEK: readonly Day[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Ages that are offered in every country, besides those of its certifications: a child is as old as it is. */
const USUAL_AGES = Array.from({ length: 19 }, (_, age) => age);

/** Returns the ages to choose from: those of the certifications, the usual ones, and the one that is chosen. */
export const offeredAges = (certified: readonly number[], chosen: Policy['rating']): number[] =>
  [...new Set([...USUAL_AGES, ...certified, ...(chosen === 'all' ? [] : [chosen])])].sort((a, b) => a - b);
export const ageWords = (rating: Policy['rating']): string =>
  rating === 'all' ? agesWords.everything : rating === 0 ? agesWords.allAgesOnly : agesWords.upToAge({ age: rating });

export type RatingPreview = Reply<'ratings', 'preview'>;
/** Says why a Profile with these limits sees nothing; undefined if it sees something. */
export function emptyWords({ libraries, rating }: Policy, { shown, total, hidden }: RatingPreview): string | undefined {
  if (shown > 0) return undefined;
  if (libraries.length === 0) return agesWords.noLibraryIsAllowed;
  if (total === hidden.libraries) return agesWords.nothingScannedYet;
  const reachable = total - hidden.libraries;
  if (hidden.unrated === reachable) return agesWords.nothingIsRated;
  if (hidden.rating === reachable && rating !== 'all') return agesWords.everythingIsAboveAge({ age: rating });
  return agesWords.everythingIsHidden;
}

/** Puts a library on the list or takes it off. From "all", taking one off leaves the others. */
export function withLibrary(policy: Policy, id: string, isIn: boolean, all: readonly string[]): Policy {
  const now = policy.libraries === 'all' ? [...all] : policy.libraries;
  const libraries = isIn ? [...new Set([...now, id])] : now.filter((one) => one !== id);
  return { ...policy, libraries };
}
export const withAll = (policy: Policy, isAll: boolean, all: readonly string[]): Policy => ({
  ...policy,
  libraries: isAll ? 'all' : [...all],
});

export const newWindow = (timeZone: string): PolicyWindow => ({
  days: ['saturday', 'sunday'],
  start: '09:00',
  end: '20:00',
  timeZone,
});
export const addWindow = (policy: Policy, timeZone: string): Policy => ({
  ...policy,
  windows: [...policy.windows, newWindow(policy.windows[0]?.timeZone ?? timeZone)],
});
export const removeWindow = (policy: Policy, at: number): Policy => ({
  ...policy,
  windows: policy.windows.filter((_, one) => one !== at),
});
export const changeWindow = (policy: Policy, at: number, change: Partial<PolicyWindow>): Policy => ({
  ...policy,
  windows: policy.windows.map((window, one) => (one === at ? { ...window, ...change } : window)),
});
/** Days stay in the order of the week. */
export const toggleDay = (days: readonly Day[], day: Day): Day[] =>
  WEEK.filter((one) => (one === day ? !days.includes(one) : days.includes(one)));

/** Returns the end of a window. A time field cannot hold 24:00, so an empty field or 00:00 stands for it. */
export const endOfDay = (end: string): string => (end === '' || end === '00:00' ? '24:00' : end);
export const asField = (time: string): string => (time === '24:00' ? '00:00' : time);

/** Returns the first window that is not valid, with what is wrong with it. */
export function wrongWith({ windows }: Pick<Policy, 'windows'>): { at: number; says: string } | undefined {
  for (const [at, { days, start, end, timeZone }] of windows.entries()) {
    if (days.length === 0) return { at, says: m.chooseAtLeastOneDay };
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(start)) return { at, says: m.enterAStartTime };
    if (!/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(end)) return { at, says: m.enterAnEndTime };
    if (start === end) return { at, says: m.startAndEndMustDiffer };
    if (!isTimeZone(timeZone)) return { at, says: m.thereIsNoSuchTime };
  }
  return undefined;
}
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name.length > 0 && name.length <= 64;
  } catch {
    return false;
  }
}

type DailyMinutes = NonNullable<Policy['daily']>;
export const newDaily = (timeZone: string): DailyMinutes => ({ minutes: 90, timeZone, resetsAt: '04:00' });
/** Returns what is not valid about the minutes of a day. */
export function wrongWithDaily(daily: Policy['daily']): { field: keyof DailyMinutes; says: string } | undefined {
  if (!daily) return undefined;
  const { minutes, resetsAt, timeZone } = daily;
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > 1440)
    return { field: 'minutes', says: householdWords.enterMinutes };
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(resetsAt)) return { field: 'resetsAt', says: householdWords.enterTime };
  return isTimeZone(timeZone) ? undefined : { field: 'timeZone', says: m.thereIsNoSuchTime };
}

const shortDays = (): Readonly<Record<Day, string>> => ({
  monday: m.mon,
  tuesday: m.tue,
  wednesday: m.wed,
  thursday: m.thu,
  friday: m.fri,
  saturday: m.sat,
  sunday: m.sun,
});
export const dayName = (day: Day): string => weekdayName(WEEK.indexOf(day));
/** The first two letters of a day. */
export const dayLetters = (day: Day): string => shortDays()[day].slice(0, 2);
/** Days in words: "Mon to Fri", "Sat and Sun", "every day". */
export function daysWords(days: readonly Day[]): string {
  if (days.length === 7) return m.everyDay;
  const at = WEEK.filter((day) => days.includes(day)).map((day) => WEEK.indexOf(day));
  const [first, last] = [at[0], at[at.length - 1]];
  if (first === undefined || last === undefined) return m.noDay;
  const name = (index: number): string => shortDays()[WEEK[index] ?? 'monday'];
  if (at.length > 2 && last - first === at.length - 1) return m.to({ name: name(first), name2: name(last) });
  const names = at.map(name);
  return names.length === 1 ? (names[0] ?? '') : listed(names);
}
export const windowWords = ({ days, start, end }: PolicyWindow): string =>
  (end <= start ? m.hoursNextDay : m.hoursSameDay)({ days: daysWords(days), start, end });

/** A policy in a line. */
export function policyWords(policy: Policy, nameOf: (id: string) => string | undefined): string[] {
  const { libraries, rating, unrated, windows, daily, remote, transcode, download } = policy;
  const named =
    libraries === 'all'
      ? [m.allLibraries]
      : libraries.length === 0
        ? [m.noLibrary]
        : libraries.map((id) => nameOf(id) ?? m.aRemovedLibrary);
  const rights = [remote && m.remoteAccess, transcode && m.conversion, download && m.downloads].filter(Boolean);
  return [
    named.join(', '),
    rating === 'all' ? m.noAgeLimit : m.upToAgeOf({ age: rating }),
    unrated ? m.unratedItemsToo : m.noUnratedItems,
    windows.length === 0 ? m.atAnyTime : windows.map(windowWords).join('; '),
    ...(daily ? [m.minutesADay({ minutes: daily.minutes })] : []),
    rights.length === 0 ? m.onlyAtHomeNoDownloads : m.withWord({ rights: rights.join(', ') }),
  ];
}
