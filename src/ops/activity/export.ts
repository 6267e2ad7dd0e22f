/** Entries of the activity log as lines of a file: JSON, or a row of a table. Pure. */
import type { ActivityItem } from '../../contract/activity/activity.ts';

export const EXPORT_COLUMNS = [
  'id',
  'at',
  'category',
  'kind',
  'outcome',
  'count',
  'actor',
  'actor name',
  'via',
  'profile',
  'profile name',
  'target',
  'target name',
  'reach',
  'network',
  'details',
] as const;

/** Characters with which a spreadsheet takes a cell for a formula, also in the forms of wide characters. */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠|%]/u;

/** Returns a cell in quotes. One that a spreadsheet could take for a formula begins with an apostrophe. */
export const csvCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Returns a row with its line break (RFC 4180). */
export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export function exportLine(item: ActivityItem, format: 'jsonl' | 'csv'): string {
  if (format === 'jsonl') return `${JSON.stringify(item)}\n`;
  const { id, at, category, kind, outcome, count, actor, via, profile, target, reach, network, details } = item;
  return csvRow([
    ...[id, at, category, kind, outcome, String(count)],
    ...[actor?.id ?? '', actor?.name ?? '', via ?? ''],
    ...[profile?.id ?? '', profile?.name ?? '', target?.id ?? '', target?.name ?? ''],
    ...[reach ?? '', network ?? '', Object.keys(details).length === 0 ? '' : JSON.stringify(details)],
  ]);
}
