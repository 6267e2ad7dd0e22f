/** Reading the rows of the configuration: how they are grouped, searched and edited. Pure. */
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { settingsWords as m } from '../../../messages/settings.ts';
import { listed } from '../../../lib/format.ts';

export type Control = 'switch' | 'choice' | 'several' | 'lines' | 'text' | 'secret' | 'number';

/** Returns the control that edits a row. A choice without a default may also be left unset. */
export function controlOf({ type, secret, allowed }: Pick<SettingRow, 'type' | 'secret' | 'allowed'>): Control {
  if (secret) return 'secret';
  if (type === 'boolean') return 'switch';
  if (allowed && allowed.length > 0) return type === 'list' ? 'several' : 'choice';
  if (type === 'list') return 'lines';
  if (type === 'integer') return 'number';
  return 'text';
}
/** Position of the switch of a boolean. While nothing is set, some are on. */
export const isOn = ({ value, unset }: Pick<SettingRow, 'value' | 'unset'>): boolean =>
  value === undefined || value === '' ? unset === 'true' : value === 'true' || value === '1';
/** Label of a value in a choice; the empty value means "not set". */
export const valueName = ({ labels, unset }: Pick<SettingRow, 'labels' | 'unset'>, value: string): string =>
  value === '' ? (unset ?? m.notSet) : (labels?.[value] ?? value);
/** Reads a JSON list of names; anything else is an empty list. */
export function namesIn(value: string | undefined): string[] {
  try {
    const read: unknown = JSON.parse(value || '[]');
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Names of settings in one phrase: "API key and Password". */
export const settingNames = (rows: readonly Pick<SettingRow, 'title'>[]): string =>
  listed(rows.map(({ title }) => title));
/** Says which secrets a new address has removed. */
export const clearedWords = (rows: readonly Pick<SettingRow, 'title'>[]): string =>
  m.secretsRemoved({ names: settingNames(rows) });

export interface ShownGroup {
  group: string;
  name: string;
  rows: SettingRow[];
}
/** Whether a row is shown: one whose feature is not there yet only while it is set, so that it can be removed. */
const isShown = ({ until, source }: SettingRow): boolean => until === undefined || source !== 'default';
/** Groups in the order of their first row, and only the rows that fit every word of the search. */
export function shownGroupsOf(rows: readonly SettingRow[], search: string): ShownGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ShownGroup>();
  for (const row of rows.filter(isShown)) {
    const text = (
      `${row.key} ${row.env} ${row.summary} ${row.groupTitle} ${row.title} ` +
      `${Object.values(row.labels ?? {}).join(' ')}`
    ).toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const found = groups.get(row.group) ?? { group: row.group, name: row.groupTitle, rows: [] };
    found.rows.push(row);
    groups.set(row.group, found);
  }
  return [...groups.values()];
}

/** Lists are written with commas; a person writes them a line each. A list of objects stays as it is. */
export const isPlainList = (value: string): boolean => !/^\s*[[{]/.test(value);
export const toLines = (value: string): string =>
  isPlainList(value)
    ? value
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean)
        .join('\n')
    : value;
export const fromLines = (text: string): string =>
  isPlainList(text)
    ? text
        .split(/[\n,]/)
        .map((one) => one.trim())
        .filter(Boolean)
        .join(',')
    : text.trim();

const sourceBadges = (): Readonly<Record<SettingRow['source'], string>> => ({
  default: m.defaultWord,
  owner: m.savedHere,
  yaml: m.setInTheYamlFile,
  environment: m.setByTheEnvironment,
});
/** Says where a value comes from; for a managed value, says what to change instead. */
export const sourceWords = ({
  source,
  managed,
  env,
  key,
}: Pick<SettingRow, 'source' | 'managed' | 'env' | 'key'>): string => {
  if (!managed) return sourceBadges()[source];
  if (source === 'environment') return m.setByTheEnvironmentVariable({ env });
  if (source === 'yaml') return m.setInTheYamlFileUnder({ key });
  return m.changedOnlyByTheEnvironment({ env });
};
const hintWords = (): Readonly<Record<string, string>> => ({
  duration: m.suchAs30s10mOr,
  path: m.aFolderOrFileOn,
  url: m.startsWithHttps,
  address: m.suchAs12700,
  list: m.onePerLine,
  language: m.aLanguageCodeSuchAs,
  time: m.suchAs20261121t08,
});
export const hintOf = ({
  hint,
  type,
  default: usual,
  value,
}: Pick<SettingRow, 'hint' | 'type' | 'default' | 'value'>): string =>
  [
    hint ?? hintWords()[type],
    usual && usual !== value
      ? m.defaultWordWithValue({ value: usual.length > 60 ? `${usual.slice(0, 60)}…` : usual })
      : undefined,
  ]
    .filter(Boolean)
    .join(' ');
