/** Reading the rows of the configuration: how they are grouped, searched and edited. Pure. */
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { wordsOf } from './words.ts';

export type Control = 'switch' | 'choice' | 'several' | 'lines' | 'text' | 'secret' | 'number';

/** What a row is edited with. A choice without a default may also be left unset. */
export function controlOf({ type, secret, allowed }: Pick<SettingRow, 'type' | 'secret' | 'allowed'>): Control {
  if (secret) return 'secret';
  if (type === 'boolean') return 'switch';
  if (allowed && allowed.length > 0) return type === 'list' ? 'several' : 'choice';
  if (type === 'list') return 'lines';
  if (type === 'integer') return 'number';
  return 'text';
}
/** Position of the switch of a boolean. While nothing is set, some are on. */
export const isOn = (value: string | undefined, key = ''): boolean =>
  value === undefined || value === '' ? wordsOf(key)?.unset === true : value === 'true' || value === '1';
/** Label of a value in a choice; the empty value stands for "not set". */
export function valueName(key: string, value: string): string {
  const words = wordsOf(key);
  if (value === '') return typeof words?.unset === 'string' ? words.unset : 'Not set';
  return words?.values?.[value] ?? value;
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

const NAMES: Readonly<Record<string, string>> = {
  server: 'Server',
  tls: 'HTTPS',
  paths: 'Folders',
  binaries: 'Programs',
  supporter: 'Supporters',
  security: 'Security',
  auth: 'Signing in',
  libraries: 'Libraries',
  playback: 'Playback',
  transcoding: 'Video conversion',
  subtitles: 'Subtitles',
  scanning: 'Scanning',
  dlna: 'DLNA',
  backup: 'Backup',
  logging: 'Logging',
  remote: 'Away from home',
  database: 'Database',
  'integrations.metadata': 'Metadata',
  'integrations.media_compat': 'Apps of other servers',
  'integrations.home_automation': 'Home automation',
  'integrations.subtitles_a': 'Subtitle provider A',
  'integrations.subtitles_b': 'Subtitle provider B',
  'integrations.subtitles_c': 'Subtitle provider C',
  'integrations.oidc': 'Single sign-on with OpenID Connect',
  'integrations.saml': 'Single sign-on with SAML',
  'integrations.scim': 'Provisioning with SCIM',
  'integrations.mcp': 'Agents',
  'integrations.webhook': 'Webhook',
};
/** Any other group is named from its key: `home_theatre.sound` becomes "Home theatre, sound". */
export function groupName(group: string): string {
  const known = NAMES[group];
  if (known !== undefined) return known;
  const words = group
    .replace(/^integrations\./, '')
    .replace(/\./g, ', ')
    .replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
const SHORT: Readonly<Record<string, string>> = {
  url: 'address',
  api: 'API',
  id: 'ID',
  mfa: 'second factor',
  dlna: 'DLNA',
  tls: 'HTTPS',
  dns: 'DNS',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffprobe',
  fpcalc: 'fpcalc',
  hdr: 'HDR',
};
/** The name of a setting, or the last part of its key in words: `subtitles.transcription_model` becomes "Transcription model". */
export function settingName({ key, group }: Pick<SettingRow, 'key' | 'group'>): string {
  const known = wordsOf(key);
  if (known) return known.name;
  const own = key === group ? key : key.slice(key.lastIndexOf('.') + 1);
  const words = own
    .split('_')
    .map((word) => SHORT[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const andList = new Intl.ListFormat('en', { type: 'conjunction' });
/** Names of settings in one phrase: "API key and Password". */
export const namesOf = (keys: readonly string[]): string =>
  andList.format(keys.map((key) => settingName({ key, group: '' })));
/** Says which secrets a new address has removed. */
export const clearedWords = (keys: readonly string[]): string =>
  `${namesOf(keys)} ${keys.length === 1 ? 'was' : 'were'} removed, because the address names another host now`;

export interface Group {
  group: string;
  name: string;
  rows: SettingRow[];
}
/** Groups in the order of their first row, and only the rows that fit every word of the search. */
export function groupsOf(rows: readonly SettingRow[], search: string): Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const text =
      `${row.key} ${row.env} ${row.summary} ${groupName(row.group)} ${settingName(row)} ${Object.values(wordsOf(row.key)?.values ?? {}).join(' ')}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const found = groups.get(row.group) ?? { group: row.group, name: groupName(row.group), rows: [] };
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

const SOURCES: Readonly<Record<SettingRow['source'], string>> = {
  default: 'Default',
  owner: 'Saved here',
  yaml: 'Set in the YAML file',
  environment: 'Set by the environment',
};
/** Where a value comes from; a managed one says what to change instead. */
export const sourceWords = ({
  source,
  managed,
  env,
  key,
}: Pick<SettingRow, 'source' | 'managed' | 'env' | 'key'>): string => {
  if (!managed) return SOURCES[source];
  if (source === 'environment') return `Set by the environment variable ${env}, and changed there`;
  if (source === 'yaml') return `Set in the YAML file under ${key}, and changed there`;
  return `Changed only by the environment variable ${env} or in the YAML file`;
};
const HINTS: Readonly<Record<string, string>> = {
  duration: 'Such as 30s, 10m or 1h30m.',
  path: 'A folder or file of the server.',
  url: 'Begins with https://.',
  address: 'Such as 127.0.0.1:38128.',
  list: 'One a line.',
  language: 'A language code such as en or pt-br.',
  time: 'Such as 2026-11-21T08:00:00Z.',
};
export const hintOf = ({
  key,
  type,
  default: usual,
  value,
}: Pick<SettingRow, 'key' | 'type' | 'default' | 'value'>): string =>
  [
    wordsOf(key)?.hint ?? HINTS[type],
    usual && usual !== value ? `Default: ${usual.length > 60 ? `${usual.slice(0, 60)}…` : usual}` : undefined,
  ]
    .filter(Boolean)
    .join(' ');
