/**
 * What a setting is.
 *
 * A setting is a value that says everything about one row of the configuration: its key, its
 * environment variable, how its text is read and written, its default, whether it waits for a
 * restart, whether it is a secret, and a sentence for the user guide. Loading, saving, the API
 * rows and docs/settings.md are all read from these values.
 */

/** Why a text is not a value. The reason is a lower-case fragment and never repeats the text. */
export class Refused extends Error {
  /** True if each entry of a list is valid, but they exclude each other. */
  readonly isClash: boolean;

  constructor(reason: string, isClash = false) {
    super(reason);
    this.isClash = isClash;
    this.name = 'Refused';
  }
}

export function refuse(reason: string): never {
  throw new Refused(reason);
}

export function refuseClash(reason: string): never {
  throw new Refused(reason, true);
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
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** How the text of a setting becomes a value. */
export interface ValueType<T> {
  readonly kind: ValueKind;
  /** For the user guide: what may be written, such as "duration of at least 1s". */
  readonly says: string;
  /** The only texts that are accepted, or of a list its only entries, when they can be listed. */
  readonly allowed?: readonly string[];
  /** Reads a text that is not blank; throws `Refused`. */
  parse(text: string): T;
  /** The text that is kept, where it is not simply what was written. It reads back as the same value. */
  format?(value: T): string;
}

/** Reads a text and gives the form of it that is kept; throws `Refused`. */
export function keptText<T>(type: ValueType<T>, text: string): string {
  const value = type.parse(text);
  return type.format ? type.format(value) : text;
}

export interface Setting<K extends string = string, T = unknown, D extends string = string> {
  readonly key: K;
  readonly env: string;
  readonly type: ValueType<T>;
  /** As text. Blank: the feature is not configured until someone sets it. */
  readonly default: D;
  /** A change takes effect at the next start. */
  readonly restart: boolean;
  /** Never leaves by the API, is stored encrypted, and may come from a `_FILE`. */
  readonly secret: boolean;
  /** One of ours, beyond the settings every deployment of this kind has. */
  readonly addition: boolean;
  /** Decides who gets in or which programs run as the server: an API key that may change it could outlive its revocation. */
  readonly personOnly: boolean;
  /** Keys of the addresses that a secret is sent to. When one of them comes to name another host, the secret is removed. */
  readonly belongsTo: readonly string[];
  /** One plain sentence for the user guide. */
  readonly doc: string;
}

/** What `get` gives: a setting with a blank default may be unset. */
export type ValueOf<S> = S extends Setting<string, infer T, infer D> ? (D extends '' ? T | undefined : T) : never;

/** Declares a setting. The default must itself be acceptable, or the program does not start. */
export function setting<K extends string, T, D extends string = ''>(s: {
  key: K;
  env: string;
  type: ValueType<T>;
  default?: D;
  restart: boolean;
  addition?: true;
  personOnly?: true;
  belongsTo?: readonly string[];
  doc: string;
}): Setting<K, T, D> {
  const fallback = s.default ?? ('' as D);
  if (fallback !== '') s.type.parse(fallback);
  return {
    key: s.key,
    env: s.env,
    type: s.type,
    default: fallback,
    restart: s.restart,
    secret: s.type.kind === 'secret',
    addition: s.addition ?? false,
    personOnly: s.personOnly ?? false,
    belongsTo: s.belongsTo ?? [],
    doc: s.doc,
  };
}
