/** Editing what a Profile may see and do. Pure: each change gives a new policy that the server would accept. */
import type { Policy } from '../../../../contract/identity/profiles.ts';

export type Window = Policy['windows'][number];
export type Day = Window['days'][number];
export const WEEK: readonly Day[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const RATING_WORDS: Readonly<Record<Policy['rating'], { name: string; says: string }>> = {
  family: { name: 'For children', says: 'Only what is rated for all ages. Unrated items are hidden.' },
  teen: { name: 'For teenagers', says: 'Up to what is rated for teenagers. Unrated items are hidden.' },
  all: { name: 'Everything', says: 'No limit by rating; unrated items too.' },
};

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

export const newWindow = (timeZone: string): Window => ({
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
export const changeWindow = (policy: Policy, at: number, change: Partial<Window>): Policy => ({
  ...policy,
  windows: policy.windows.map((window, one) => (one === at ? { ...window, ...change } : window)),
});
/** Days stay in the order of the week. */
export const toggleDay = (days: readonly Day[], day: Day): Day[] =>
  WEEK.filter((one) => (one === day ? !days.includes(one) : days.includes(one)));

/** A time field gives nothing for 24:00, which the end of a window may be. */
export const endOfDay = (end: string): string => (end === '' || end === '00:00' ? '24:00' : end);
export const asField = (time: string): string => (time === '24:00' ? '00:00' : time);

/** What is wrong with the windows, for the first one that is. */
export function wrongWith({ windows }: Pick<Policy, 'windows'>): { at: number; says: string } | undefined {
  for (const [at, { days, start, end, timeZone }] of windows.entries()) {
    if (days.length === 0) return { at, says: 'Choose at least one day.' };
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(start)) return { at, says: 'Write when it begins.' };
    if (!/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(end)) return { at, says: 'Write when it ends.' };
    if (start === end) return { at, says: 'It ends when it begins.' };
    if (!isTimeZone(timeZone)) return { at, says: 'There is no such time zone.' };
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

const SHORT: Readonly<Record<Day, string>> = {
  monday: 'Mon',
  tuesday: 'Tue',
  wednesday: 'Wed',
  thursday: 'Thu',
  friday: 'Fri',
  saturday: 'Sat',
  sunday: 'Sun',
};
export const dayName = (day: Day): string => day.charAt(0).toUpperCase() + day.slice(1);
/** Days in words: "Mon to Fri", "Sat and Sun", "every day". */
export function daysWords(days: readonly Day[]): string {
  if (days.length === 7) return 'every day';
  const at = WEEK.filter((day) => days.includes(day)).map((day) => WEEK.indexOf(day));
  const [first, last] = [at[0], at[at.length - 1]];
  if (first === undefined || last === undefined) return 'no day';
  const name = (index: number): string => SHORT[WEEK[index] ?? 'monday'];
  if (at.length > 2 && last - first === at.length - 1) return `${name(first)} to ${name(last)}`;
  const names = at.map(name);
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
export const windowWords = ({ days, start, end }: Window): string =>
  `${daysWords(days)} ${start} to ${end}${end <= start ? ' the next day' : ''}`;

/** A policy in a line. */
export function policyWords(policy: Policy, nameOf: (id: string) => string | undefined): string[] {
  const { libraries, rating, windows, remote, transcode, download } = policy;
  const named =
    libraries === 'all'
      ? ['all libraries']
      : libraries.length === 0
        ? ['no library']
        : libraries.map((id) => nameOf(id) ?? 'a removed library');
  const rights = [remote && 'away from home', transcode && 'conversion', download && 'downloads'].filter(Boolean);
  return [
    named.join(', '),
    rating === 'all' ? 'every rating' : RATING_WORDS[rating].name.toLowerCase(),
    windows.length === 0 ? 'at any time' : windows.map(windowWords).join('; '),
    rights.length === 0 ? 'only at home, no downloads' : `with ${rights.join(', ')}`,
  ];
}
