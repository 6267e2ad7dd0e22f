/** Editing what a Profile may see and do. Pure: each change returns a new policy that the server would accept. */
import type { Policy } from '../../../../contract/identity/profiles.ts';
import { settingsWords as m } from '../../../messages/settings.ts';
import { listed } from '../../../lib/format.ts';

export type PolicyWindow = Policy['windows'][number];
export type Day = PolicyWindow['days'][number];
export const WEEK: readonly Day[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const ratingWords = (): Readonly<Record<Policy['rating'], { name: string; says: string }>> => ({
  family: { name: m.forChildren, says: m.onlyWhatIsRatedFor },
  teen: { name: m.forTeenagers, says: m.upToWhatIsRated },
  all: { name: m.everything, says: m.noAgeLimitUnratedItems },
});

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

const shortDays = (): Readonly<Record<Day, string>> => ({
  monday: m.mon,
  tuesday: m.tue,
  wednesday: m.wed,
  thursday: m.thu,
  friday: m.fri,
  saturday: m.sat,
  sunday: m.sun,
});
export const dayName = (day: Day): string => day.charAt(0).toUpperCase() + day.slice(1);
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
  const { libraries, rating, windows, remote, transcode, download } = policy;
  const named =
    libraries === 'all'
      ? [m.allLibraries]
      : libraries.length === 0
        ? [m.noLibrary]
        : libraries.map((id) => nameOf(id) ?? m.aRemovedLibrary);
  const rights = [remote && m.remoteAccess, transcode && m.conversion, download && m.downloads].filter(Boolean);
  return [
    named.join(', '),
    rating === 'all' ? m.noAgeLimit : ratingWords()[rating].name,
    windows.length === 0 ? m.atAnyTime : windows.map(windowWords).join('; '),
    rights.length === 0 ? m.onlyAtHomeNoDownloads : m.withWord({ rights: rights.join(', ') }),
  ];
}
