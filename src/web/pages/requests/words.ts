/** Requests and their answers in words. */
import type { Request } from '../../../contract/requests/requests.ts';
import { day, timeOfDay } from '../../lib/format.ts';
import { householdWords as m } from '../../messages/household.ts';

/** Returns what is asked for. */
export const askedWords = ({ kind, words = '', minutes = 0 }: Request): string =>
  kind === 'item' ? words : m.moreMinutes({ count: minutes });

/** Returns a request as an Owner reads it. */
export const requestWords = ({ kind, words = '', minutes = 0, profile: { name } }: Request): string =>
  kind === 'item' ? m.asksForTitle({ name, words }) : m.asksForMinutes({ name, count: minutes });

/** Returns what an answer allowed, and for how long; empty for one that declined. */
export function allowedWords({ kind, answer }: Request): string[] {
  if (!answer?.lasting) return [];
  const { lasting, minutes, until } = answer;
  if (kind === 'time' && minutes !== undefined)
    return [lasting === 'once' ? m.givenToday({ count: minutes }) : m.givenEveryDay({ count: minutes })];
  if (lasting === 'always') return [m.forGood];
  return until === undefined ? [] : [m.until7({ date: `${day(until)}, ${timeOfDay(until)}` })];
}
