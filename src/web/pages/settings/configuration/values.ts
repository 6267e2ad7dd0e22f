/** Reading the rows of the configuration: how they are grouped, searched and edited. Pure. */
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { configurationWords as m } from '../../../messages/configuration.ts';
import { decimal, listed } from '../../../lib/format.ts';
import { inUnit, timeOf, type TimeUnit } from './amounts.ts';

/** Position of the switch of a boolean. While nothing is set, some are on. */
export const isOn = ({ value, unset }: Pick<SettingRow, 'value' | 'unset'>): boolean =>
  value === undefined || value === '' ? unset === 'true' : value === 'true' || value === '1';
type Named = Pick<SettingRow, 'labels' | 'unset' | 'allowed' | 'default'>;
/** Returns the value that counts while nothing is set, if it can also be chosen. */
export const usualOf = ({ default: usual, unset, allowed }: Omit<Named, 'labels'>): string | undefined =>
  usual ?? (unset !== undefined && allowed?.includes(unset) === true ? unset : undefined);
/** Label of a value in a choice; the empty value means "not set". */
export function valueName(row: Named, value: string): string {
  if (value === '') return row.unset ?? m.notSet;
  const name = row.labels?.[value] ?? value;
  return value === usualOf(row) ? m.usualChoice({ name }) : name;
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
  /** Section that the group belongs to. */
  section?: { id: string; name: string };
  rows: SettingRow[];
}
/** Whether a row is shown: one whose feature is not there yet only while it is set, so that it can be removed. */
const isShown = ({ until, source }: SettingRow): boolean => until === undefined || source !== 'default';
/** Whether every word of a search is in the words of a row. */
function isFound(row: SettingRow, search: string): boolean {
  const { key, env, summary, sectionTitle = '', groupTitle, title, until = '', labels = {} } = row;
  const text = [key, env, summary, sectionTitle, groupTitle, title, until, ...Object.values(labels)]
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
function groupsOf(rows: readonly SettingRow[]): ShownGroup[] {
  const groups = new Map<string, ShownGroup>();
  for (const row of rows) {
    const { group, groupTitle: name, section, sectionTitle } = row;
    const found = groups.get(group) ?? {
      group,
      name,
      ...(section !== undefined && { section: { id: section, name: sectionTitle ?? '' } }),
      rows: [],
    };
    found.rows.push(row);
    groups.set(group, found);
  }
  return [...groups.values()];
}
/** Groups in the order of their first row, and only the rows that fit every word of the search. */
export const shownGroupsOf = (rows: readonly SettingRow[], search: string): ShownGroup[] =>
  groupsOf(rows.filter((row) => isShown(row) && isFound(row, search)));
/** The few settings that most households change. */
export const generalGroupsOf = (rows: readonly SettingRow[]): ShownGroup[] =>
  groupsOf(rows.filter(({ general }) => general));
/** Names of the features that a search finds and that this version does not have. */
export const laterFeaturesOf = (rows: readonly SettingRow[], search: string): string[] =>
  search.trim() === ''
    ? []
    : [...new Set(rows.flatMap((row) => (row.until !== undefined && isFound(row, search) ? [row.until] : [])))];

/** How far a group that needs all of its values is set up, such as a provider with key and password. */
export function setUpState(rows: readonly SettingRow[]): 'all' | 'some' | 'none' {
  const done = rows.filter((row) => (row.type === 'boolean' ? isOn(row) : row.configured)).length;
  return done === 0 ? 'none' : done === rows.length ? 'all' : 'some';
}

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
const timeCount = (): Readonly<Record<TimeUnit, (of: { count: number }) => string>> => ({
  d: m.daysCount,
  h: m.hoursCount,
  m: m.minutesCount,
  s: m.secondsCount,
});
/** Writes the decimal point of a draft as the language does. */
export const localDecimal = (draft: string): string => draft.replace('.', decimal(0.5, 1).charAt(1));
/** Says a kept value as people read it. */
export function valueWords({ type, unit }: Pick<SettingRow, 'type' | 'unit'>, value: string): string {
  const time = type === 'duration' ? timeOf(value) : undefined;
  if (time) return timeCount()[time.unit]({ count: time.count });
  if (unit) return `${localDecimal(inUnit(value, unit.size))} ${unit.name}`;
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
const hintWords = (): Readonly<Record<string, string>> => ({
  path: m.aFolderOrFileOn,
  url: m.startsWithHttps,
  address: m.suchAs12700,
  list: m.onePerLine,
  time: m.suchAs20261121t08,
});
/** Says what may be typed, and the default where another value is set. */
export const hintOf = (row: Pick<SettingRow, 'hint' | 'type' | 'unit' | 'default' | 'value'>): string => {
  const { hint, type, default: usual, value } = row;
  return [
    hint ?? hintWords()[type],
    usual && usual !== value && m.defaultWordWithValue({ value: valueWords(row, usual) }),
  ]
    .filter(Boolean)
    .join(' ');
};
