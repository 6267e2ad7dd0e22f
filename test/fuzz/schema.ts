/**
 * JSON Schema as far as the OpenAPI document uses it: checks a value against a schema, and makes values that fit one.
 *
 * Independent of the library that the document is generated with, so that a fault there is found too. A keyword that
 * is not known here throws: a check that is skipped in silence would prove nothing.
 */
export interface Schema {
  [keyword: string]: unknown;
}
export type NamedSchema = Record<string, Schema>;

/** Keywords that say nothing about a value. */
const SILENT: ReadonlySet<string> = new Set([
  '$schema',
  'description',
  'examples',
  'example',
  'default',
  'title',
  'contentEncoding',
  'id',
  'format',
]);
const FORMATS: Record<string, RegExp> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function resolve(schema: Schema, named: NamedSchema): Schema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const target = named[ref.split('/').at(-1) ?? ''];
  if (!target) throw new Error(`the document has no ${ref}`);
  return resolve(target, named);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
const hasType = (value: unknown, type: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : Array.isArray(value) ? value.length : 0;

/** One function a keyword: returns what is wrong. `at` is where the value is. */
const KEYWORDS: Record<
  string,
  (value: unknown, given: never, context: { schema: Schema; named: NamedSchema; at: string }) => string[]
> = {
  type: (value, type: string | string[], { at }) =>
    [type].flat().some((one) => hasType(value, one)) ? [] : [`${at}: expected ${String(type)}, is ${typeOf(value)}`],
  enum: (value, all: unknown[], { at }) => (all.includes(value) ? [] : [`${at}: not one of the enum`]),
  const: (value, only: unknown, { at }) => (value === only ? [] : [`${at}: not the constant`]),
  pattern: (value, pattern: string, { at }) =>
    typeof value !== 'string' || new RegExp(pattern, 'u').test(value) ? [] : [`${at}: does not fit the pattern`],
  minLength: (value, least: number, { at }) =>
    typeof value !== 'string' || sizeOf(value) >= least ? [] : [`${at}: too short`],
  maxLength: (value, most: number, { at }) =>
    typeof value !== 'string' || sizeOf(value) <= most ? [] : [`${at}: too long`],
  minimum: (value, least: number, { at }) => (typeof value !== 'number' || value >= least ? [] : [`${at}: too small`]),
  maximum: (value, most: number, { at }) => (typeof value !== 'number' || value <= most ? [] : [`${at}: too large`]),
  exclusiveMinimum: (value, least: number, { at }) =>
    typeof value !== 'number' || value > least ? [] : [`${at}: too small`],
  minItems: (value, least: number, { at }) =>
    !Array.isArray(value) || sizeOf(value) >= least ? [] : [`${at}: too few`],
  maxItems: (value, most: number, { at }) =>
    !Array.isArray(value) || sizeOf(value) <= most ? [] : [`${at}: too many`],
  items: (value, of: Schema, { named, at }) =>
    Array.isArray(value) ? value.flatMap((one, n) => faults(one, of, named, `${at}.${n}`)) : [],
  required: (value, names: string[], { at }) =>
    isObject(value) ? names.filter((name) => !(name in value)).map((name) => `${at}: ${name} is missing`) : [],
  properties: (value, of: Record<string, Schema>, { named, at }) =>
    isObject(value)
      ? Object.entries(of).flatMap(([name, one]) =>
          name in value ? faults(value[name], one, named, `${at}.${name}`) : [],
        )
      : [],
  additionalProperties: (value, of: boolean | Schema, { schema, named, at }) => {
    const more = isObject(value)
      ? Object.keys(value).filter((name) => !(name in ((schema['properties'] ?? {}) as object)))
      : [];
    if (of === true) return [];
    return of === false
      ? more.map((name) => `${at}: ${name} is not declared`)
      : more.flatMap((name) => faults((value as Record<string, unknown>)[name], of, named, `${at}.${name}`));
  },
  propertyNames: (value, of: Schema, { named, at }) =>
    isObject(value) ? Object.keys(value).flatMap((name) => faults(name, of, named, `${at} (name)`)) : [],
  anyOf: (value, all: Schema[], { named, at }) =>
    all.some((one) => faults(value, one, named, at).length === 0) ? [] : [`${at}: fits none of the choices`],
  oneOf: (value, all: Schema[], { named, at }) =>
    all.filter((one) => faults(value, one, named, at).length === 0).length === 1
      ? []
      : [`${at}: does not fit exactly one choice`],
  allOf: (value, all: Schema[], { named, at }) => all.flatMap((one) => faults(value, one, named, at)),
};

/** Returns what is wrong with a value, with where it is and without the value. */
export function faults(value: unknown, given: Schema, named: NamedSchema, at = 'it'): string[] {
  const schema = resolve(given, named);
  const found = Object.entries(schema).flatMap(([keyword, said]) => {
    const check = KEYWORDS[keyword];
    if (check) return check(value, said as never, { schema, named, at });
    if (!SILENT.has(keyword)) throw new Error(`the document uses ${keyword}, which is not known here`);
    return [];
  });
  const format = FORMATS[String(schema['format'])];
  return format && typeof value === 'string' && !format.test(value)
    ? [...found, `${at}: not a ${String(schema['format'])}`]
    : found;
}

/** Words for patterns: the first that fits is taken. */
const WORDS = [
  'en',
  '4f1c0a9be27d6358',
  'scan',
  's0',
  'a',
  '20:00',
  '123456',
  'server.name',
  'h264,aac',
  '/srv/media/films',
  'Word',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'text that is long enough',
];

/** Draws a value that fits a schema. `random` returns numbers from 0 to under 1. */
export function draw(given: Schema, named: NamedSchema, random: () => number, depth = 0): unknown {
  const schema = resolve(given, named);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  if (Array.isArray(schema['enum'])) return pick(schema['enum']);
  if ('const' in schema) return schema['const'];
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices) return draw(pick(choices), named, random, depth + 1);
  switch (schema['type']) {
    case 'object':
      return drawObject(schema, named, random, depth);
    case 'array': {
      const least = Number(schema['minItems'] ?? 0);
      const most = Math.min(Number(schema['maxItems'] ?? 3), least + 2);
      return Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () =>
        draw((schema['items'] ?? {}) as Schema, named, random, depth + 1),
      );
    }
    case 'integer':
    case 'number': {
      const least = Number(schema['minimum'] ?? 0);
      const most = Number(schema['maximum'] ?? least + 1000);
      const middle = least + random() * (most - least);
      return pick([
        least,
        most,
        schema['type'] === 'integer' ? Math.floor(middle) : middle,
        Math.min(most, Math.max(least, 1)),
      ]);
    }
    case 'boolean':
      return random() < 0.5;
    default:
      return drawText(schema, random);
  }
}

function drawObject(schema: Schema, named: NamedSchema, random: () => number, depth: number): Record<string, unknown> {
  const required = new Set((schema['required'] ?? []) as string[]);
  const kept = Object.entries((schema['properties'] ?? {}) as NamedSchema).filter(
    ([name]) => required.has(name) || (depth < 4 && random() < 0.4),
  );
  return Object.fromEntries(kept.map(([name, of]) => [name, draw(of, named, random, depth + 1)]));
}

function drawText(schema: Schema, random: () => number): string {
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? 64);
  const own = Array.isArray(schema['examples']) ? (schema['examples'] as string[]) : [];
  const fits = [...own, ...WORDS].filter((word) => faults(word, schema, {}).length === 0);
  if (schema['format'] === 'base64') return Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n').toString('base64');
  if (schema['pattern'] !== undefined || own.length > 0)
    return fits[Math.floor(random() * fits.length)] ?? 'no word fits';
  return (
    [
      `Wörd ${Math.floor(random() * 1e6)}`,
      'x'.repeat(Math.min(most, 4096)),
      'a'.repeat(Math.max(1, least)),
      '日本語 ☕',
    ][Math.floor(random() * 4)]
      ?.slice(0, most)
      .padEnd(least, 'b') ?? ''
  );
}
