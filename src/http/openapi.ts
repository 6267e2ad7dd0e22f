/** The OpenAPI 3.1 document, read from the mounted endpoints: schemas, statuses, access and examples. */
import { z } from 'zod';
import { type Endpoint, FailureBody, type FailureKind, STATUS } from '../contract/endpoint.ts';
import { API_VERSION } from '../contract/service.ts';
import { exampleOf, type JsonSchema } from './example.ts';
import type { Mounted } from './handle.ts';

const SAYS: Record<FailureKind, string> = {
  invalid: 'Invalid input; nothing was done',
  unauthenticated: 'Missing or invalid credentials',
  forbidden: 'Policy denial, or a confirmation or second factor is missing',
  missing: 'Unknown resource, or one that this Profile may not see',
  method: 'Another method',
  conflict: 'State or configuration conflict',
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
      description: 'A self-hosted media server. Every request is strict: unknown or repeated fields are refused before any work.',
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
    const { $defs, $schema: _, ...rest } = z.toJSONSchema(of, {
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
          ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'id' || typeof (value as Json)['id'] !== 'string').map(([key, v]) => [key, key === '$ref' && typeof v === 'string' ? v.replace('#/$defs/', '#/components/schemas/') : moved(v)]))
          : value;
    for (const [id, def] of Object.entries($defs ?? {})) named[id] ??= moved(def) as JsonSchema;
    const own = of.meta()?.id;
    if (own === undefined) return moved(rest) as JsonSchema;
    named[own] ??= moved(rest) as JsonSchema;
    return { $ref: `#/components/schemas/${own}` };
  };
}

function operation(e: Endpoint, { name, tag, schema, named }: { name: string; tag: string; schema: Schemas; named: Record<string, JsonSchema> }): Json {
  const takesBody = Object.keys(e.body.shape).length > 0;
  const takes = takesBody || Object.keys({ ...e.params.shape, ...e.query.shape }).length > 0 || e.method === 'POST' || e.method === 'PUT';
  const kinds = new Set<FailureKind>([...(takes ? (['invalid'] as const) : []), ...(e.access === 'public' ? [] : (['unauthenticated', 'forbidden'] as const)), ...(e.method === 'GET' ? [] : (['large', 'unsupported'] as const)), ...(e.access !== 'public' && ('bytes' in e.result || 'events' in e.result) ? (['throttled'] as const) : []), ...e.fails, 'internal']);
  const input = takesBody ? schema(e.body, 'input') : undefined;
  return {
    operationId: `${tag.replaceAll(/[^a-z0-9]+(\w)/gi, (_, c: string) => c.toUpperCase())}_${name}`,
    summary: e.summary,
    tags: [tag],
    ...(e.access === 'public' ? { security: [] } : { security: [{ bearer: [] }, { cookie: [] }], 'x-access': e.access }),
    parameters: [...fields('path', e.params, schema), ...fields('query', e.query, schema)],
    ...(input && { requestBody: { required: true, content: { 'application/json': { schema: input, example: exampleOf(input, named) } } } }),
    responses: {
      ...Object.fromEntries([e.status, e.orElse ?? e.status].map((status) => [status, { description: 'Success', ...content(e, schema, named) }])),
      ...Object.fromEntries([...kinds].sort((a, b) => STATUS[a] - STATUS[b]).map((k) => [STATUS[k], failure(k)])),
    },
  };
}

function content(e: Endpoint, schema: Schemas, named: Record<string, JsonSchema>): Json {
  if ('nothing' in e.result) return {};
  if ('bytes' in e.result) return { content: Object.fromEntries(e.result.bytes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])) };
  if ('events' in e.result) return { content: { 'text/event-stream': { schema: { type: 'string', description: 'Each data line is one JSON object.' }, 'x-event': schema(e.result.events, 'output') } } };
  const output = schema(e.result, 'output');
  return { content: { 'application/json': { schema: output, example: exampleOf(output, named) } } };
}

const failure = (kind: FailureKind): Json => ({
  description: SAYS[kind],
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { error: SAYS[kind].split(/[;,]/)[0]?.toLowerCase() } } },
});

const fields = (where: 'path' | 'query', of: z.ZodObject, schema: Schemas) =>
  Object.entries(of.shape).map(([name, field]) => {
    const one = field as z.ZodType;
    const { description, ...rest } = schema(one, 'output');
    return { name, in: where, required: where === 'path' || !one.safeParse(undefined).success, ...(typeof description === 'string' && { description }), schema: rest };
  });
