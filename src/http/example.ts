/**
 * Examples for the OpenAPI document, put together from the examples that the declarations have for their properties.
 * Nothing is invented: a test refuses a property without an example.
 */

export interface JsonSchema {
  [key: string]: unknown;
}

/** Properties deeper than this are in an example only if they are required, so that a shape that holds itself ends. */
const WHOLE_DEPTH = 8;
/** Lists deeper than this are empty. */
const LIST_DEPTH = 8;
/** Value of a string without an example. No documented operation has one. */
const UNKNOWN = 'text';

/** Returns a value that the schema accepts: its own first example, or one made of the examples of its parts. */
export function exampleOf(schema: JsonSchema, named: Record<string, JsonSchema>, depth = 0): unknown {
  if (Array.isArray(schema['examples']) && schema['examples'].length > 0) return schema['examples'][0];
  if (typeof schema['$ref'] === 'string') return exampleOf(referred(schema, named), named, depth + 1);
  for (const key of ['const', 'default'] as const) if (key in schema) return schema[key];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const choices = choicesOf(schema);
  if (choices?.[0]) return exampleOf(choices[0], named, depth);
  switch (schema['type']) {
    case 'object':
      return object(schema, named, depth);
    case 'array':
      return depth > LIST_DEPTH && !schema['minItems']
        ? []
        : [exampleOf((schema['items'] as JsonSchema | undefined) ?? {}, named, depth + 1)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return UNKNOWN;
    default:
      return {};
  }
}

const referred = (schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema =>
  named[String(schema['$ref']).split('/').at(-1) ?? ''] ?? {};
const choicesOf = (schema: JsonSchema) => (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
const schemaProperties = (schema: JsonSchema) => (schema['properties'] ?? {}) as Record<string, JsonSchema>;

/** Whether a declaration leaves a property out of examples: its list of examples is there, and empty. */
const isLeftOut = (schema: JsonSchema): boolean => Array.isArray(schema['examples']) && schema['examples'].length === 0;

function object(schema: JsonSchema, named: Record<string, JsonSchema>, depth: number): Record<string, unknown> {
  const required = new Set((schema['required'] ?? []) as string[]);
  const shown = Object.entries(schemaProperties(schema)).filter(
    ([name, of]) => required.has(name) || (depth < WHOLE_DEPTH && !isLeftOut(of)),
  );
  return Object.fromEntries(shown.map(([name, of]) => [name, exampleOf(of, named, depth + 1)]));
}

/** Returns a document without the empty lists of examples, by which declarations leave a property out. */
export const withoutEmptyExamples = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutEmptyExamples)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([key, of]) => key !== 'examples' || !Array.isArray(of) || of.length > 0)
            .map(([key, of]) => [key, withoutEmptyExamples(of)]),
        )
      : value;
