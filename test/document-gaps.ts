/**
 * Gaps of the API document: operations, parameters and properties without a description, and values for which the
 * declarations have no example.
 */
type Schema = Record<string, unknown>;
interface Operation {
  description?: string;
  parameters?: { name: string; in: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** Returns the gaps of a document as `fullDocument` makes it, each with its place. */
export function gapsIn(document: unknown): string[] {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  return [
    ...operations.flatMap(({ name, operation: { description, parameters = [], requestBody, responses } }) => [
      ...(isWords(description) ? [] : [`${name} has no description`]),
      ...parameters
        .filter((parameter) => !isWords(parameter.description))
        .map((parameter) => `the parameter ${parameter.name} of ${name} has no description`),
      ...Object.values({ ...responses, requestBody }).flatMap((body) =>
        Object.values(body?.content ?? {}).flatMap(({ schema }) => gapsOf(schema, name)),
      ),
    ]),
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      ...(isWords(schema['description']) ? [] : [`${name} has no description`]),
      ...gapsOf(schema, name),
    ]),
  ];
}

const isWords = (description: unknown): boolean => typeof description === 'string' && /\w{2}/.test(description);
const inside = (schema: Schema, key: string): Schema[] => [schema[key] ?? []].flat() as Schema[];

function gapsOf(schema: Schema, place: string): string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  return [
    ...properties.flatMap(([name, of]) => [
      ...(isWords(of['description']) || '$ref' in of ? [] : [`${place}.${name} has no description`]),
      ...(lacksExample(of) ? [`${place}.${name} has no example`] : []),
      ...gapsOf(of, `${place}.${name}`),
    ]),
    ...['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].flatMap((key) =>
      inside(schema, key).flatMap((one) => (typeof one === 'object' ? gapsOf(one, place) : [])),
    ),
  ];
}

/** Whether a value has no example and is none that its type alone yields: free text, or a number. */
function lacksExample(schema: Schema): boolean {
  if (['examples', 'const', 'default', 'enum', '$ref'].some((key) => key in schema)) return false;
  if (schema['type'] === 'array') return inside(schema, 'items').some(lacksExample);
  const choices = [...inside(schema, 'anyOf'), ...inside(schema, 'oneOf')];
  if (choices.length > 0) return choices.some(lacksExample);
  return ['string', 'number', 'integer'].includes(String(schema['type']));
}

interface Example {
  /** Its place, as `GET /api/v1/library 200`. */
  place: string;
  /** Example of the request of the same operation, and of its path parameter. */
  request?: unknown;
  id?: unknown;
  value: unknown;
}

/** Returns where examples contradict themselves or the request of the same operation. */
export function contradictionsIn(document: unknown): string[] {
  return examplesOf(document).flatMap(({ place, request, id, value }) => [
    ...objectsOf(value).flatMap((object) => faultsOf(object).map((fault) => `${place}: ${fault}`)),
    ...echoFaults(request, value).map((fault) => `${place}: ${fault}`),
    ...(isObject(value) && typeof id === 'string' && 'id' in value && value['id'] !== id
      ? [`${place}: the id of the reply is not that of the path`]
      : []),
  ]);
}

type JsonObject = Record<string, unknown>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectsOf = (value: unknown): JsonObject[] =>
  Array.isArray(value)
    ? value.flatMap(objectsOf)
    : isObject(value)
      ? [value, ...Object.values(value).flatMap(objectsOf)]
      : [];

function examplesOf(document: unknown): Example[] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const [sent] = Object.values(requestBody?.content ?? {}) as { example?: unknown }[];
      const place = `${method.toUpperCase()} ${path}`;
      const id = (
        parameters.find((one) => one.in === 'path' && one.schema['pattern'] === ID_PATTERN)?.schema['examples'] as
          | unknown[]
          | undefined
      )?.[0];
      const replies = Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content as Record<string, { example?: unknown }>)
          .filter(({ example }) => example !== undefined && status < '300')
          .map(({ example }) => ({ place: `${place} ${status}`, request: sent?.example, id, value: example })),
      );
      return [...(sent ? [{ place, value: sent.example }] : []), ...replies];
    }),
  );
}

/** Pairs of members of one object of which the first is not after the second. */
const ORDERED = [
  ['createdAt', 'startedAt'],
  ['startedAt', 'endedAt'],
  ['createdAt', 'lastUsedAt'],
  ['createdAt', 'expiresAt'],
  ['lastUsedAt', 'expiresAt'],
  ['firstSeenAt', 'lastSeenAt'],
  ['start', 'end'],
  ['from', 'to'],
  ['position', 'duration'],
  ['end', 'duration'],
] as const;
const ID_PATTERN = '^[0-9a-f]{16}$';
/** Time in which the examples happen. */
const STORY = { begins: '2026-10', ends: '2026-13' } as const;
const FILLERS: ReadonlySet<unknown> = new Set(['text', 'string', 'word', 'foo', 'bar']);

function faultsOf(object: JsonObject): string[] {
  const { items, total } = object;
  return [
    ...ORDERED.filter(([first, second]) => {
      const [a, b] = [object[first], object[second]];
      return a !== undefined && b !== undefined && typeof a === typeof b && (a as string) > (b as string);
    }).map(([first, second]) => `${first} is after ${second}`),
    ...(Array.isArray(items) && typeof total === 'number' && items.length > total ? ['more items than total'] : []),
    ...Object.entries(object)
      .filter(([, value]) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
      .filter(([, value]) => String(value) < STORY.begins || String(value) > STORY.ends)
      .map(([name]) => `${name} is at an implausible time`),
    ...Object.entries(object)
      .filter(([name, value]) => FILLERS.has(value) && name !== 'type' && name !== 'delivery')
      .map(([name]) => `${name} is a filler`),
    ...Object.entries(object)
      .filter(([name, value]) => /^(?:id|item|show|library)$/.test(name) && typeof value === 'string')
      // The id of a work or a picture is the one that its provider or source has for it; those of passkeys are bytes.
      .filter(([name]) => name !== 'id' || !['provider', 'source', 'displayName'].some((other) => other in object))
      .filter(([name]) => name !== 'id' || object['type'] !== 'public-key')
      // A passkey names a server by its host.
      .filter(([, value]) => !/^(?:[0-9a-f]{16}|original|media\.example\.org)$/.test(String(value)))
      .map(([name]) => `${name} does not look like an id`),
  ];
}

/** Members of a request whose value the reply repeats under the same name. */
function echoFaults(request: unknown, reply: unknown): string[] {
  if (!isObject(request) || !isObject(reply)) return [];
  return Object.entries(request)
    .filter(([name, value]) => typeof value !== 'object' && name in reply && reply[name] !== value)
    .filter(([name]) => name !== 'fingerprint' && name !== 'replaceable')
    .map(([name]) => `${name} of the reply is not that of the request`);
}
