/** Examples for the OpenAPI document, derived from the schemas, so that each is valid by construction. */

export interface JsonSchema {
  [key: string]: unknown;
}

/** A value that the schema accepts: its own first example where it has one, else the smallest telling value. */
export function exampleOf(schema: JsonSchema, named: Record<string, JsonSchema>, depth = 0): unknown {
  if (typeof schema['$ref'] === 'string')
    return exampleOf(named[schema['$ref'].split('/').at(-1) ?? ''] ?? {}, named, depth + 1);
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  for (const key of ['const', 'default'] as const) if (key in schema) return schema[key];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const choices = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (choices?.[0]) return exampleOf(choices[0], named, depth);
  switch (schema['type']) {
    case 'object':
      return object(schema, named, depth);
    case 'array':
      return depth > 4 && !schema['minItems']
        ? []
        : [exampleOf((schema['items'] as JsonSchema | undefined) ?? {}, named, depth + 1)];
    case 'string':
      return word(schema);
    case 'integer':
    case 'number':
      return Math.max(
        (schema['minimum'] as number | undefined) ?? 0,
        Math.min(1, (schema['maximum'] as number | undefined) ?? 1),
      );
    case 'boolean':
      return true;
    default:
      return {};
  }
}

function object(schema: JsonSchema, named: Record<string, JsonSchema>, depth: number): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema['required'] ?? []) as string[]);
  // Deep down only what must be there, so that a shape that holds itself comes to an end.
  const shown = Object.entries(properties).filter(([name]) => depth < 3 || required.has(name));
  return Object.fromEntries(shown.map(([name, of]) => [name, exampleOf(of, named, depth + 1)]));
}

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-21T08:00:00.000Z',
  date: '2026-11-21',
  uri: 'https://example.org/',
};
/** Short values for the patterns of the contract. */
const WORDS = [
  '4f1c0a9be27d6358',
  'en',
  'scan',
  's0',
  'a',
  '20:00',
  '123456',
  'server.name',
  'mkv,mp4',
  '0f3a9c2e',
  'word',
];

function word(schema: JsonSchema): string {
  const format = BY_FORMAT[String(schema['format'])];
  if (format !== undefined) return format;
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined;
  const least = Number(schema['minLength'] ?? 0);
  return WORDS.find((w) => w.length >= least && (!pattern || pattern.test(w))) ?? 'text';
}
