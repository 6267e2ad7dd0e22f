/** Durations and numbers as people write them: an amount with its unit. Pure. */

/** Units of time, from the longest, in seconds. */
export const TIME_UNITS = { d: 86_400, h: 3600, m: 60, s: 1 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;
const isTimeUnit = (text: string | undefined): text is TimeUnit =>
  text !== undefined && Object.hasOwn(TIME_UNITS, text);

/** An amount of time as it is being written. */
export interface TimeDraft {
  amount: string;
  unit: TimeUnit;
}

/** Returns a duration such as `1h30m` in its longest whole unit; undefined if it has parts of a second. */
export function timeOf(text: string): { count: number; unit: TimeUnit } | undefined {
  const found = /^(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/.exec(text === '0' ? '0s' : text);
  if (!found || text === '') return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  const total = hours * TIME_UNITS.h + minutes * TIME_UNITS.m + seconds;
  const unit = (Object.keys(TIME_UNITS) as TimeUnit[]).find((one) => total % TIME_UNITS[one] === 0) ?? 's';
  // Nothing at all is off, and is best said in the unit that people set next.
  return total === 0 ? { count: 0, unit: 'm' } : { count: total / TIME_UNITS[unit], unit };
}

const numberIn = (text: string): number =>
  /^\d+(?:[.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : NaN;

/** A draft is one text, so that it is compared like any other. */
export const joinTime = ({ amount, unit }: TimeDraft): string => `${amount} ${unit}`;
export function splitTime(draft: string): TimeDraft {
  const [amount = '', unit] = draft.split(/ (?=[^ ]*$)/);
  return { amount, unit: isTimeUnit(unit) ? unit : 'm' };
}
/** Returns the duration of a draft as the server reads it; what is no number goes there as it is, to be refused. */
export function durationText(draft: string): string {
  const { amount, unit } = splitTime(draft);
  if (amount.trim() === '') return '';
  const seconds = Math.round(numberIn(amount) * TIME_UNITS[unit]);
  if (!Number.isSafeInteger(seconds)) return amount.trim();
  if (seconds === 0) return '0s';
  const kept = (['h', 'm', 's'] as const).find((one) => seconds % TIME_UNITS[one] === 0) ?? 's';
  return `${seconds / TIME_UNITS[kept]}${kept}`;
}

/** Returns a number in a larger unit. */
export const inUnit = (text: string, size: number): string => (text === '' ? '' : String(Number(text) / size));
/** Returns the number of an amount in a larger unit; what is no number goes to the server as it is, to be refused. */
export function fromUnit(amount: string, size: number): string {
  const value = Math.round(numberIn(amount) * size);
  return Number.isSafeInteger(value) ? String(value) : amount.trim();
}
