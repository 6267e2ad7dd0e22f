/** The OpenAPI 3.1 document, read from the mounted endpoints: schemas, statuses, access and examples. */
import { z } from 'zod';
import { type Endpoint, FailureBody, type FailureKind, STATUS } from '../contract/kernel/endpoint.ts';
import { API_VERSION } from '../contract/ops/service.ts';
import { exampleOf, type JsonSchema } from './example.ts';
import type { Mounted } from './handle.ts';

const SAYS: Record<FailureKind, string> = {
  invalid: 'Invalid input; nothing was done',
  unauthenticated: 'Missing or invalid credentials',
  forbidden: 'Policy denial, or a confirmation or second factor is missing',
  missing: 'Unknown resource, or one that this Profile may not see',
  method: 'Another method',
  conflict: 'State or configuration conflict',
  gone: 'It has ended, and the reply says why',
  precondition: 'A condition of the request does not hold',
  large: 'The body is larger than 1 MiB',
  unsupported: 'The body is compressed, or in another charset than UTF-8',
  range: 'No such range',
  throttled: 'Too many attempts; Retry-After says when',
  internal: 'Server failure',
  unavailable: 'Unavailable work; try again later',
};

type Json = Record<string, unknown>;

/** The whole document. Only the versioned surface is in it; every route of that is. */
export function openapi(mounted: readonly Mounted[]): Json {
  const named: Record<string, JsonSchema> = {};
  const schema = createSchemas(named);
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const { endpoint, name } of mounted) {
    if (endpoint.surface !== 'api') continue;
    const tag = endpoint.path.split('/')[3] ?? 'service';
    tags.add(tag);
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, { name, tag, schema, named });
  }
  schema(FailureBody, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Matinee',
      version: API_VERSION,
      description:
        'A self-hosted media server. Every request is strict: unknown or repeated fields are refused before any work.',
      license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [...tags].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A session token or an API key.' },
        cookie: { type: 'apiKey', in: 'cookie', name: '__Host-matinee', description: 'The session of the dashboard.' },
      },
    },
  };
}

type Schemas = (of: z.ZodType, io: 'input' | 'output') => JsonSchema;

/** Turns Zod shapes into JSON Schema; shapes with an id go to the components, once, and are referred to. */
function createSchemas(named: Record<string, JsonSchema>): Schemas {
  return (of, io) => {
    const {
      $defs,
      $schema: _,
      ...rest
    } = z.toJSONSchema(of, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // What a codec takes is text in an address; the document tells what the text means.
        const { id: _id, ...meta } = (zodSchema as unknown as z.ZodType).meta() ?? {};
        Object.assign(jsonSchema, meta);
      },
    }) as JsonSchema & { $defs?: Record<string, JsonSchema>; $schema?: string };
    const moved = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(moved)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .filter(([key]) => key !== 'id' || typeof (value as Json)['id'] !== 'string')
                .map(([key, v]) => [
                  key,
                  key === '$ref' && typeof v === 'string' ? v.replace('#/$defs/', '#/components/schemas/') : moved(v),
                ]),
            )
          : value;
    for (const [id, def] of Object.entries($defs ?? {})) named[id] ??= moved(def) as JsonSchema;
    const own = of.meta()?.id;
    if (own === undefined) return moved(rest) as JsonSchema;
    named[own] ??= moved(rest) as JsonSchema;
    return { $ref: `#/components/schemas/${own}` };
  };
}

function operation(
  e: Endpoint,
  { name, tag, schema, named }: { name: string; tag: string; schema: Schemas; named: Record<string, JsonSchema> },
): Json {
  const takesBody = Object.keys(e.body.shape).length > 0;
  const input = takesBody ? schema(e.body, 'input') : undefined;
  return {
    operationId: `${tag.replaceAll(/[^a-z0-9]+(\w)/gi, (_, c: string) => c.toUpperCase())}_${name}`,
    summary: e.summary,
    tags: [tag],
    ...(e.access === 'public'
      ? { security: [] }
      : { security: [{ bearer: [] }, { cookie: [] }], 'x-access': e.access }),
    parameters: [...fields('path', e.params, schema), ...fields('query', e.query, schema)],
    ...(input
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: input, example: exampleOf(input, named) } },
          },
        }
      : takesNothing(e) && { requestBody: NO_MEMBERS }),
    responses: {
      ...Object.fromEntries(
        [e.status, e.orElse ?? e.status].map((status) => [
          status,
          { description: 'Success', ...content(e, schema, named) },
        ]),
      ),
      ...('bytes' in e.result && { 304: { description: 'Not modified: the caller has these bytes already' } }),
      ...Object.fromEntries([...kindsOf(e)].sort((a, b) => STATUS[a] - STATUS[b]).map((k) => [STATUS[k], failure(k)])),
    },
  };
}

/** A body may be left out or be empty; a member that is not known is refused as everywhere. */
const NO_MEMBERS: Json = {
  required: false,
  content: {
    'application/json': { schema: { type: 'object', properties: {}, additionalProperties: false }, example: {} },
  },
};
const takesNothing = (e: Endpoint): boolean => e.method === 'POST' || e.method === 'PUT';

/** Every failure of an endpoint: those it declares, and those that a request meets on its way to the handler. */
export function kindsOf(e: Endpoint): Set<FailureKind> {
  const isRead = e.method === 'GET';
  const isPublic = e.access === 'public';
  const isStream = 'bytes' in e.result || 'events' in e.result;
  const onTheWay: readonly (readonly [FailureKind, boolean])[] = [
    // Unknown and repeated parameters are refused everywhere, and so is a Bearer that is not good.
    ['invalid', true],
    ['unauthenticated', true],
    // A public endpoint refuses the cookie of another site's request.
    ['forbidden', !isPublic || !isRead],
    // An address with a part that is too long leads nowhere.
    ['missing', Object.keys(e.params.shape).length > 0],
    ['precondition', 'bytes' in e.result],
    ['large', !isRead],
    ['unsupported', !isRead],
    ['throttled', !isPublic && isStream],
    ['internal', true],
    // While the server stops.
    ['unavailable', true],
  ];
  return new Set([...e.fails, ...onTheWay.flatMap(([kind, isMet]) => (isMet ? [kind] : []))]);
}

function content(e: Endpoint, schema: Schemas, named: Record<string, JsonSchema>): Json {
  if ('nothing' in e.result) return {};
  if ('bytes' in e.result)
    return {
      content: Object.fromEntries(
        e.result.bytes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
      ),
    };
  if ('events' in e.result)
    return {
      content: {
        'text/event-stream': {
          schema: { type: 'string', description: 'Each data line is one JSON object.' },
          'x-event': schema(e.result.events, 'output'),
        },
      },
    };
  const output = schema(e.result, 'output');
  return { content: { 'application/json': { schema: output, example: exampleOf(output, named) } } };
}

const failure = (kind: FailureKind): Json => ({
  description: SAYS[kind],
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: { error: SAYS[kind].split(/[;,]/)[0]?.toLowerCase() },
    },
  },
});

const fields = (where: 'path' | 'query', of: z.ZodObject, schema: Schemas) =>
  Object.entries(of.shape).map(([name, field]) => {
    const one = field as z.ZodType;
    // A codec's output says what its text means: a whole number, a truth. A transformation has no schema of its output.
    const output = schema(one, 'output');
    const { description, ...rest } = 'type' in output || 'enum' in output ? output : schema(one, 'input');
    return {
      name,
      in: where,
      required: where === 'path' || !one.safeParse(undefined).success,
      ...(typeof description === 'string' && { description }),
      schema: rest,
    };
  });
