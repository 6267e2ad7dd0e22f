/** The OpenAPI 3.1 document, read from the mounted endpoints: schemas, statuses, access and examples. */
import { z } from 'zod';
import { PAGES } from '../contract/dashboard/pages.ts';
import { type FailureReason, FAILURE_REASONS } from '../contract/failures.ts';
import { type Endpoint, isForProfiles, namesNewestEvent } from '../contract/kernel/endpoint.ts';
import { type FailureKind, STATUS } from '../contract/kernel/failure.ts';
import { SOCKET_CLOSE, SOCKET_LIMITS } from '../contract/kernel/socket.ts';
import { API, type Surface } from '../contract/kernel/surface.ts';
import { API_VERSION } from '../contract/ops/service.ts';
import { exampleOf, type JsonSchema, withoutEmptyExamples } from './example.ts';
import type { MountedEndpoint } from './handle.ts';
import { failuresOf } from './reasons.ts';

type Json = Record<string, unknown>;

/** Returns the document: every route of the documented surfaces. */
export const openapi = (mounted: readonly MountedEndpoint[]): Json =>
  withoutEmptyExamples(fullDocument(mounted)) as Json;

/** Returns the document with empty lists of examples, by which declarations leave properties out of examples. */
export function fullDocument(mounted: readonly MountedEndpoint[]): Json {
  const named: Record<string, JsonSchema> = {};
  const schema = createSchemas(named);
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  const documented = mounted.filter(({ endpoint }) => endpoint.surface.isDocumented);
  for (const { endpoint, name } of documented) {
    const tag = tagOf(endpoint);
    tags.add(tag);
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, { name, tag, schema, named });
  }
  schema(API.failure.shape, 'output');
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
    'x-reasons': Object.fromEntries(
      Object.entries(FAILURE_REASONS).map(([reason, { kind, summary }]) => [reason, { status: STATUS[kind], summary }]),
    ),
    tags: [...tags].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: sharedResponses(documented, schema),
      headers: { LastEventId: NEWEST_EVENT },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A session token or an API key.' },
        cookie: { type: 'apiKey', in: 'cookie', name: '__Host-matinee', description: 'The session of the dashboard.' },
      },
    },
  };
}

type Schemas = (of: z.ZodType, io: 'input' | 'output') => JsonSchema;

/** Returns the address of a shape among the components. */
const componentOf = (ref: string): string => ref.replace('#/$defs/', '#/components/schemas/');

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
        // The input of a codec is text in an address; the document describes what the text means.
        const { id: _id, ...meta } = (zodSchema as unknown as z.ZodType).meta() ?? {};
        Object.assign(jsonSchema, meta);
      },
    }) as JsonSchema & { $defs?: Record<string, JsonSchema>; $schema?: string };
    // The ids of shapes go; examples stay as they are, since they have ids of things.
    const moved = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(moved);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .filter(([key, of]) => key !== 'id' || typeof of !== 'string')
          .map(([key, of]) => [key, key === 'examples' ? of : key === '$ref' ? componentOf(String(of)) : moved(of)]),
      );
    };
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
    operationId: [tag.replaceAll(/[^a-z0-9]+(\w)/gi, (_, c: string) => c.toUpperCase()), e.variant, name]
      .filter((part) => part !== undefined)
      .join('_'),
    summary: e.summary,
    ...(e.description !== undefined && { description: `${e.description}\n\n${callersOf(e)}` }),
    tags: [tag],
    ...(e.access === 'public'
      ? { security: [] }
      : { security: [{ bearer: [] }, ...(isForProfiles(e.access) ? [{ cookie: [] }] : [])], 'x-access': e.access }),
    parameters: [...fields('path', e.params, schema), ...fields('query', e.query, schema), ...conditionsOf(e)],
    ...(input
      ? {
          requestBody: {
            required: true,
            content: {
              [e.takes.form === 'urlencoded' ? 'application/x-www-form-urlencoded' : e.surface.json.accepts[0]]: {
                schema: input,
                example: exampleOf(input, named),
              },
            },
          },
        }
      : e.takes.form === 'bytes'
        ? { requestBody: rawBody(e.takes.types) }
        : takesNothing(e) && { requestBody: noMembers(e.surface) }),
    ...(e.surface.fields.unknown === 'ignored' && { 'x-unknown-fields': 'ignored' }),
    ...(e.surface.fields.repeated === 'joined' && { 'x-repeated-parameters': 'joined' }),
    responses: {
      ...Object.fromEntries(
        [e.status, e.orElse ?? e.status].map((status) => [
          status,
          { description: 'Success', ...headersOf(e), ...content(e, schema, named) },
        ]),
      ),
      ...('bytes' in e.result && {
        ...(e.result.ranged && { 206: { description: 'A range of the bytes', ...content(e, schema, named) } }),
        304: { description: 'Not modified: the caller has these bytes already' },
      }),
      ...(e.conditional && e.method === 'GET' && { 304: { description: 'Not modified: the caller has this version' } }),
      ...Object.fromEntries(
        [...failuresOf(e)]
          .toSorted(([a], [b]) => STATUS[a] - STATUS[b])
          .map(([kind, reasons]) => [STATUS[kind], response(e, { kind, reasons, schema })]),
      ),
    },
  };
}

/** Returns a sentence about who may call an operation. */
function callersOf({ access }: Endpoint): string {
  if (access === 'public') return 'Access: everybody, without credentials.';
  if ('service' in access) return `Access: the token of the ${access.service}.`;
  const { role, via, recent, link } = access;
  const who = role === 'owner' ? 'an Owner' : 'every Profile';
  const how = via === 'session' ? 'by a session; API keys may not' : `by a session or an API key with the scope ${via}`;
  const more = [
    link !== undefined && `A signed ${link} link works, too.`,
    recent && 'A session needs a proof of at most ten minutes ago.',
  ].filter((one) => typeof one === 'string');
  return [`Access: ${who}, ${how}.`, ...more].join(' ');
}

/** A body may be left out or be empty; a member that is not known is refused as everywhere. */
const noMembers = ({ json, fields: { unknown } }: Surface): Json => ({
  required: false,
  content: {
    [json.accepts[0]]: {
      schema: { type: 'object', properties: {}, ...(unknown === 'refused' && { additionalProperties: false }) },
      example: {},
    },
  },
});
const rawBody = (types: readonly string[]): Json => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});
const takesNothing = (e: Endpoint): boolean => e.method === 'POST' || e.method === 'PUT' || e.method === 'PATCH';

/** Header parameters of a conditional operation. */
const conditionsOf = ({ conditional, method }: Endpoint): Json[] =>
  (conditional ? (method === 'GET' ? ['If-None-Match', 'If-Match'] : ['If-Match', 'If-None-Match']) : []).map(
    (name) => ({
      name,
      in: 'header',
      required: false,
      description:
        name === 'If-Match'
          ? 'ETag of the version that is meant. Another version is refused: 412.'
          : method === 'GET'
            ? 'ETag of the version that the caller has already: 304.'
            : '`*` for what must not exist yet. Otherwise it is refused: 412.',
      schema: { type: 'string', maxLength: 1024 },
    }),
  );
const ETAG: Json = { description: 'Version of what is shown or was made.', schema: { type: 'string' } };
const NEWEST_EVENT: Json = {
  description:
    'Id of the newest event of the Profile, which the change may have caused: the event stream brings it. Only for ' +
    'sessions, while an event stream of the Profile is open.',
  schema: { type: 'integer' },
};
function headersOf(e: Endpoint): Json {
  const headers = {
    ...(e.conditional && { ETag: ETAG }),
    ...(namesNewestEvent(e) && { 'Last-Event-ID': { $ref: '#/components/headers/LastEventId' } }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function content(e: Endpoint, schema: Schemas, named: Record<string, JsonSchema>): Json {
  if ('nothing' in e.result) return {};
  if ('socket' in e.result) {
    const { receives, sends, maxBytes, maxPerSecond } = { ...SOCKET_LIMITS, ...e.result.socket };
    return {
      description: 'A WebSocket. Each message is one JSON object in a text frame.',
      'x-receives': schema(receives, 'input'),
      'x-sends': schema(sends, 'output'),
      'x-limits': { maxBytes, maxPerSecond },
      'x-close-codes': SOCKET_CLOSE,
    };
  }
  if ('redirect' in e.result)
    return {
      headers: {
        Location: {
          description: 'Address of a page.',
          schema: { type: 'string', enum: e.result.redirect.map((page) => PAGES[page]) },
        },
      },
    };
  if ('departure' in e.result)
    return { headers: { Location: { description: e.result.departure, schema: { type: 'string', format: 'uri' } } } };
  if ('bytes' in e.result)
    return {
      content: Object.fromEntries(
        e.result.bytes.map((type) => [bareType(type), { schema: { type: 'string', format: 'binary' } }]),
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
  return { content: { [bareType(e.surface.json.returns)]: { schema: output, example: exampleOf(output, named) } } };
}

const TITLES: Record<FailureKind, string> = {
  invalid: 'Invalid input; nothing was done',
  unauthenticated: 'Missing or invalid credentials',
  forbidden: 'Not allowed',
  missing: 'Unknown, or hidden from this Profile',
  method: 'Another method',
  timeout: 'The request did not arrive in time',
  conflict: 'Not possible in the current state',
  gone: 'It has ended',
  precondition: 'A condition of the request does not hold',
  large: 'The body is too large',
  unsupported: 'The body is compressed, or in another charset than UTF-8',
  range: 'No such range',
  expectation: 'Unknown expectation',
  misdirected: 'Misdirected request',
  head: 'The head of the request is too large',
  throttled: 'Too many attempts or streams',
  internal: 'Server failure',
  unavailable: 'Not available at present',
};

/** Returns the reply to a failure: the shared one, or one that explains the reasons that this operation declares. */
function response(
  { surface, fails }: Endpoint,
  { kind, reasons, schema }: { kind: FailureKind; reasons: readonly FailureReason[]; schema: Schemas },
): Json {
  const own = reasons.filter((reason) => fails.includes(reason));
  if (surface.failure !== API.failure) return foreignFailure(surface, { kind, own, schema });
  if (own.length === 0) return { $ref: `#/components/responses/${kind}` };
  return failure(kind, {
    schema,
    reasons: reasons.toSorted(),
    description: explain(kind, own),
    shown: own[0],
  });
}

/** Returns the description of a reply, with the reasons that only this operation declares. */
const explain = (kind: FailureKind, own: readonly FailureReason[]): string =>
  [TITLES[kind], ...own.map((reason) => `- \`${reason}\`: ${FAILURE_REASONS[reason].summary}`)].join('\n');

/** Returns a reason of a kind, for the example of a response that no operation has. */
function reasonOf(kind: FailureKind): FailureReason {
  const [reason] = Object.entries(FAILURE_REASONS).find(([, one]) => one.kind === kind) ?? [];
  if (reason === undefined) throw new Error(`no reason of the kind ${kind}`);
  return reason as FailureReason;
}

/** A failure in the words of a surface that follows another protocol. */
function foreignFailure(
  { failure: wording }: Surface,
  { kind, own, schema }: { kind: FailureKind; own: readonly FailureReason[]; schema: Schemas },
): Json {
  const unworded = { kind, status: STATUS[kind], message: wordOf(kind), reason: own[0] ?? reasonOf(kind), members: {} };
  const isEmpty = wording.body(unworded) === undefined;
  return {
    description: explain(kind, own),
    ...(!isEmpty && { content: { [bareType(wording.type)]: { schema: schema(wording.shape, 'output') } } }),
  };
}

/** A content type without its parameters. */
const bareType = (type: string): string => type.split(';')[0] ?? type;
const wordOf = (kind: FailureKind): string => TITLES[kind].split(/[;,]/)[0]?.toLowerCase() ?? '';
/** Group of an operation: the first part of its path below the prefix of its surface. */
const tagOf = ({ path, surface }: Endpoint): string =>
  surface === API ? (path.split('/')[3] ?? 'service') : surface.name;

/** Replies to failures for which an operation declares no reasons. */
function sharedResponses(mounted: readonly MountedEndpoint[], schema: Schemas): Json {
  const shared = new Map<FailureKind, Set<FailureReason>>();
  for (const { endpoint } of mounted)
    for (const [kind, reasons] of failuresOf({ ...endpoint, fails: [] }))
      shared.set(kind, (shared.get(kind) ?? new Set()).union(new Set(reasons)));
  return Object.fromEntries(
    Object.entries(TITLES).map(([kind, description]) => [
      kind,
      failure(kind as FailureKind, {
        schema,
        reasons: [...(shared.get(kind as FailureKind) ?? [])].sort(),
        description,
      }),
    ]),
  );
}

/** Reasons that show best what a status is about, where an operation declares none. */
const USUAL: Partial<Record<FailureKind, FailureReason>> = {
  invalid: 'field-unknown',
  unauthenticated: 'sign-in-required',
  forbidden: 'owner-only',
  unavailable: 'storage-failed',
};

/** Returns an error as the server sends it. Its sentence is that of the reason, as a fragment. */
function exampleFailure(reason: FailureReason): Json {
  const [first = ''] = FAILURE_REASONS[reason].summary.split(/[.:;](?: |$)/);
  return { error: first.charAt(0).toLowerCase() + first.slice(1), reason };
}

function failure(
  kind: FailureKind,
  {
    schema,
    reasons,
    description,
    shown = USUAL[kind] ?? reasons[0] ?? reasonOf(kind),
  }: { schema: Schemas; reasons: readonly FailureReason[]; description: string; shown?: FailureReason | undefined },
): Json {
  const error = schema(API.failure.shape, 'output');
  const reasonSchema = { type: 'string', description: 'Code for programs: what of this status happened.' };
  return {
    description,
    content: {
      [bareType(API.failure.type)]: {
        schema:
          reasons.length === 0
            ? error
            : { allOf: [error, { type: 'object', properties: { reason: { ...reasonSchema, enum: reasons } } }] },
        example: exampleFailure(shown),
      },
    },
  };
}

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
