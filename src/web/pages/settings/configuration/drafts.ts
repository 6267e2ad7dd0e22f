/** The text that a control edits, and the text that saves it again. Pure, and without words. */
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { fromUnit, inUnit, joinTime, timeOf, durationText } from './amounts.ts';

export type Control =
  | 'switch'
  | 'choice'
  | 'several'
  | 'language'
  | 'editor'
  | 'lines'
  | 'text'
  | 'secret'
  | 'number'
  | 'duration';
type Edited = Pick<SettingRow, 'type' | 'secret' | 'allowed' | 'editor' | 'value' | 'unit'>;

/** Returns the control that edits a row. A duration with parts of a second is edited as the text that it is. */
export function controlOf({ type, secret, allowed, editor, value }: Edited): Control {
  if (secret) return 'secret';
  if (editor !== undefined) return 'editor';
  if (type === 'boolean') return 'switch';
  if (allowed && allowed.length > 0) return type === 'list' ? 'several' : 'choice';
  if (type === 'list') return 'lines';
  if (type === 'language') return 'language';
  if (type === 'integer') return 'number';
  return type === 'duration' && (value === undefined || timeOf(value)) ? 'duration' : 'text';
}
/** Returns the text that a control edits: a duration has its unit behind it, and a list has a line for each entry. */
export function draftOf(row: Edited): string {
  const { value = '', unit } = row;
  switch (controlOf(row)) {
    case 'secret':
      return '';
    case 'lines':
      return namesIn(value).join('\n');
    case 'number':
      return unit ? inUnit(value, unit.size) : value;
    case 'duration': {
      const time = timeOf(value);
      return joinTime({ amount: time ? String(time.count) : '', unit: time?.unit ?? 'm' });
    }
    default:
      return value;
  }
}
/** Returns the text that saves a draft. */
export function textOf(row: Edited, draft: string): string {
  switch (controlOf(row)) {
    case 'secret':
      return draft;
    case 'lines': {
      const entries = draft
        .split(/[\n,]/)
        .map((one) => one.trim())
        .filter(Boolean);
      return entries.length === 0 ? '' : JSON.stringify(entries);
    }
    case 'number':
      return row.unit ? fromUnit(draft, row.unit.size) : draft.trim();
    case 'duration':
      return durationText(draft);
    default:
      return draft.trim();
  }
}
/** Reads a JSON list of names; anything else is an empty list. */
export function namesIn(value: string | undefined): string[] {
  try {
    const read: unknown = JSON.parse(value || '[]');
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
