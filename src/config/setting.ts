/**
 * Declares settings. A domain declares those that it reads, in its `settings.ts`.
 *
 * A setting is one value with its key, environment variable, type, default, words for people, and texts that it
 * accepts and refuses. Loading, saving, the API, the dashboard, the diagnostics, docs/settings.md and the tests are
 * derived from these values. `SettingTypes` collects the types of all values, so that `config.get` knows each by its
 * key.
 */
import type { SettingEditorName } from '../contract/config/configuration.ts';
import type { SettingSamples } from './samples.ts';

/** Why a text is not a value. The reason is a lower-case fragment and never repeats the text. */
export class InvalidValue extends Error {
  /** True if each entry of a list is valid, but they exclude each other. */
  readonly isClash: boolean;

  constructor(reason: string, isClash = false) {
    super(reason);
    this.isClash = isClash;
    this.name = 'InvalidValue';
  }
}

export function refuse(reason: string): never {
  throw new InvalidValue(reason);
}

export function refuseClash(reason: string): never {
  throw new InvalidValue(reason, true);
}

export const VALUE_KINDS = [
  'address',
  'boolean',
  'list',
  'path',
  'text',
  'url',
  'enum',
  'duration',
  'integer',
  'secret',
  'time',
  'dns-label',
  'language',
  'country',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** How the text of a setting becomes a value. */
export interface ValueType<T> {
  readonly kind: ValueKind;
  /** For the user guide: what may be written, such as "duration of at least 1s". */
  readonly says: string;
  /** The only texts that are accepted, or of a list its only entries, when they can be listed. */
  readonly allowed?: readonly string[];
  /** Reads a text that is not blank; throws `InvalidValue`. */
  parse(text: string): T;
  /** The text that is kept, where it is not simply what was written. It reads back as the same value. */
  format?(value: T): string;
}

/** Returns the form of a text that is kept; throws `InvalidValue`. */
export function keptText<T>(type: ValueType<T>, text: string): string {
  const value = type.parse(text);
  return type.format ? type.format(value) : text;
}

/** Settings that the dashboard shows together. */
export interface SettingGroup {
  readonly id: string;
  readonly title: string;
  /** Section of several groups that the dashboard shows one below the other. */
  readonly section?: Pick<SettingGroup, 'id' | 'title'>;
}
export const settingGroup = (id: string, title: string, section?: SettingGroup): SettingGroup => ({
  id,
  title,
  ...(section && { section }),
});
/** Groups with settings of several domains. */
export const PROGRAMS = settingGroup('binaries', 'Programs');
export const LOGGING = settingGroup('logging', 'Logging');

export interface Setting<K extends string = string, T = unknown, D extends string = string> {
  readonly key: K;
  readonly env: string;
  readonly group: SettingGroup;
  /** Its name in the dashboard. */
  readonly title: string;
  readonly type: ValueType<T>;
  /** As text. Blank: the feature is not configured until someone sets it. */
  readonly default: D;
  /** A change takes effect at the next start. */
  readonly restart: boolean;
  /** Never leaves by the API, is stored encrypted, and may come from a `_FILE`. */
  readonly secret: boolean;
  /** One of ours, beyond the settings every deployment of this kind has. */
  readonly addition: boolean;
  /**
   * Decides who gets in or which programs run as the server: an API key that may change it could outlive its
   * revocation.
   */
  readonly personOnly: boolean;
  /**
   * Keys of the addresses that a secret is sent to. When one of them comes to name another host, the secret is removed.
   * Every secret states them; one that is sent nowhere has none.
   */
  readonly belongsTo: readonly string[];
  /** Plain words for the user guide and the dashboard: one sentence, if the setting is general. */
  readonly doc: string;
  /** One of the few that most households change. The dashboard shows these first, on the page General. */
  readonly general: boolean;
  /** Names of the values that can be chosen, where the values themselves are not clear. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Effect while nothing is set: one of the allowed values, `true` for a switch that is then on, or words. */
  readonly unset?: string;
  /** Unit in which people write and read a number, and its size in the unit that is kept. */
  readonly unit?: { readonly name: string; readonly size: number };
  /** The dashboard's own editor of this list of objects. */
  readonly editor?: SettingEditorName;
  /** Unit and example of a value that is typed. */
  readonly hint?: string;
  /** Address of the page on which a person gets this value, such as a key. */
  readonly page?: string;
  /**
   * The feature that will read it. Until then it is hidden in the dashboard, and the diagnostics report that it is set.
   */
  readonly until?: string;
  readonly samples: () => SettingSamples;
}

/** Types of all declared settings by their keys. Each `settings.ts` adds its own. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface SettingTypes {}
export type SettingTypesOf<All extends readonly Setting[]> = { [S in All[number] as S['key']]: ValueOf<S> };
export type SettingKey = keyof SettingTypes;
/** Value of a key, as `config.get` returns it. */
export type SettingValue<K extends SettingKey> = SettingTypes[K];
export type AnySetting = Setting<SettingKey>;

/** Value of a setting; one with a blank default may be unset. */
export type ValueOf<S> = S extends Setting<string, infer T, infer D> ? (D extends '' ? T | undefined : T) : never;

/** Declares a setting. The default must itself be acceptable, or the program does not start. */
export function setting<K extends string, T, D extends string = ''>(declared: {
  key: K;
  env: string;
  group: SettingGroup;
  title: string;
  type: ValueType<T>;
  default?: D;
  restart: boolean;
  addition?: true;
  personOnly?: true;
  belongsTo?: readonly string[];
  doc: string;
  labels?: Readonly<Record<string, string>>;
  general?: true;
  unset?: string;
  unit?: { name: string; size: number };
  editor?: SettingEditorName;
  hint?: string;
  page?: string;
  until?: string;
  samples: () => SettingSamples;
}): Setting<K, T, D> {
  const fallback = declared.default ?? ('' as D);
  if (fallback !== '') declared.type.parse(fallback);
  if (declared.type.kind === 'secret' && !declared.belongsTo)
    throw new Error(`${declared.key}: belongsTo says which addresses this secret is sent to, or that there are none`);
  return {
    addition: false,
    personOnly: false,
    general: false,
    belongsTo: [],
    ...declared,
    default: fallback,
    secret: declared.type.kind === 'secret',
  };
}
