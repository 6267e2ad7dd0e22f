/**
 * Requests made from the OpenAPI document: one that is right, and many that are wrong in exactly one respect. Whether
 * a request is right is asked of the document, so a mutation that happens to fit is treated as a right request.
 */
import { draw, faults, type NamedSchema, resolve, type Schema } from './schema.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}
export interface Content {
  schema?: Schema;
  example?: unknown;
}
interface Response {
  $ref?: string;
  content?: Record<string, Content>;
}
export interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
  security: unknown[];
  'x-unknown-fields'?: 'ignored';
  'x-repeated-parameters'?: 'joined';
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: NamedSchema; responses: Record<string, Response> };
}
export interface Route {
  method: string;
  path: string;
  operation: Operation;
}

/**
 * A request and what the document says of it. `wrong` is why it must be refused; undefined for a right one. `status` is
 * the only one that it may get.
 */
export interface Sample {
  says: string;
  url: string;
  body: string | undefined;
  wrong: string | undefined;
  headers?: Record<string, string>;
  status?: number;
}

export const routesOf = ({ paths, components }: Document): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response,
        ]),
      );
      return { method: method.toUpperCase(), path, operation: { ...operation, responses } };
    }),
  );

const FORM = 'application/x-www-form-urlencoded';
/** Returns the content type that a route takes. */
export const typeOf = ({ operation }: Route): string =>
  Object.keys(operation.requestBody?.content ?? {})[0] ?? 'application/json';
const isJson = (route: Route): boolean => typeOf(route).endsWith('json');
/** Returns the body of a route with fields; undefined for one that takes bytes or nothing. */
export const bodyOf = (route: Route): Content | undefined =>
  isJson(route) || typeOf(route) === FORM ? route.operation.requestBody?.content[typeOf(route)] : undefined;
const takesBytes = (route: Route): boolean => route.operation.requestBody !== undefined && !bodyOf(route);

/** Writes a body as a route takes it. */
function written(route: Route, body: Values | undefined): string | undefined {
  if (takesBytes(route)) return CANARY;
  if (body === undefined) return undefined;
  return isJson(route)
    ? JSON.stringify(body)
    : new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString();
}

/** A word that is nowhere else: found in a refusal, it is an echo. */
export const CANARY = 'zqxjkv';

type Values = Record<string, unknown>;
interface Base {
  path: Values;
  query: Values;
  body: Values | undefined;
}

const urlOf = (route: Route, path: Values, query: readonly (readonly [string, unknown])[]): string => {
  const at = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  return query.length === 0
    ? at
    : `${at}?${query
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
        .join('&')}`;
};

/** Reads the text of a parameter as its schema means it. */
function meant(text: unknown, schema: Schema): unknown {
  if (typeof text !== 'string') return text;
  if (schema['type'] === 'integer') return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  if (schema['type'] === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

export interface Making {
  route: Route;
  named: NamedSchema;
  random: () => number;
  /** A value for a path parameter or member that must name something that is there. */
  known(name: string, route: Route): unknown;
}

const required = ({ operation }: Route, where: 'path' | 'query') =>
  operation.parameters.filter((one) => one.in === where && (one.required || where === 'path'));

/** The smallest right request: what is required, from the document's own examples. */
function smallest({ route, named, known }: Making): Base {
  const content = bodyOf(route);
  const first = () => 0;
  const value = ({ name, schema }: Parameter) => known(name, route) ?? draw(schema, named, first);
  const example = content?.example as Values | undefined;
  const schema = content?.schema && resolve(content.schema, named);
  const must = new Set((schema?.['required'] ?? []) as string[]);
  return {
    path: Object.fromEntries(required(route, 'path').map((one) => [one.name, value(one)])),
    query: Object.fromEntries(required(route, 'query').map((one) => [one.name, value(one)])),
    body: content
      ? Object.fromEntries(Object.entries(example ?? {}).filter(([name]) => must.has(name)))
      : route.method === 'GET'
        ? undefined
        : {},
  };
}

/** A right request with members drawn at random. */
function drawn(making: Making): Base {
  const { route, named, random, known } = making;
  const content = bodyOf(route);
  const query = route.operation.parameters.filter(
    (one) => one.in === 'query' && one.name !== 'cursor' && one.name !== 'ticket' && (one.required || random() < 0.4),
  );
  const base = smallest(making);
  return {
    path: base.path,
    query: Object.fromEntries(
      query.map(({ name, schema }) => [name, known(name, route) ?? draw(schema, named, random)]),
    ),
    body: content?.schema ? (draw(content.schema, named, random) as Values) : base.body,
  };
}

/** Values that hardly any member takes. */
const ODD: readonly unknown[] = [
  null,
  '',
  CANARY,
  `${CANARY}\u0000`,
  `${CANARY}\u202e`,
  'x'.repeat(100_000),
  -1,
  0.5,
  1e308,
  2 ** 53,
  true,
  [],
  {},
  [[[[CANARY]]]],
  { [CANARY]: 1 },
  Array.from({ length: 3_000 }, () => CANARY),
];
const ODD_TEXTS: readonly string[] = [
  '',
  CANARY,
  '-1',
  '0',
  '1.5',
  '1e3',
  ' 1',
  '0x10',
  '01',
  '9007199254740992',
  '9'.repeat(400),
  'true',
  'null',
  '[]',
  'x'.repeat(5_000),
  '../../etc/passwd',
  `a\u0000${CANARY}`,
  '%00',
  'ENGLISH',
  'True',
];

function edges(schema: Schema): unknown[] {
  const minimum = schema['minimum'];
  const maximum = schema['maximum'];
  const maxLength = schema['maxLength'];
  const choice = Array.isArray(schema['enum']) ? (schema['enum'][0] as unknown) : undefined;
  return [
    ...(typeof minimum === 'number' ? [minimum, minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum, maximum + 1] : []),
    ...(typeof maxLength === 'number' && maxLength <= 300_000
      ? ['a'.repeat(maxLength), 'a'.repeat(maxLength + 1)]
      : []),
    ...(typeof choice === 'string' ? [choice.toUpperCase(), `${choice} `, `${choice}${CANARY}`] : []),
  ];
}

function sampleOf({ route, named }: Making, base: Base, says: string, wrong?: string): Sample {
  const parts = (where: 'path' | 'query') => route.operation.parameters.filter((one) => one.in === where);
  const found = [
    ...(['path', 'query'] as const).flatMap((where) =>
      parts(where).flatMap(({ name, schema }) =>
        name in base[where] ? faults(meant(base[where][name], resolve(schema, named)), schema, named, name) : [],
      ),
    ),
    ...(base.body && bodyOf(route)?.schema ? faults(base.body, bodyOf(route)?.schema as Schema, named, 'body') : []),
  ];
  return {
    says,
    url: urlOf(route, base.path, Object.entries(base.query)),
    body: written(route, base.body),
    wrong: wrong ?? found[0],
  };
}

/** Wrong parameters: each left out, out of range, of another type, repeated; and one that is not declared. */
function wrongParameters(making: Making, base: Base): Sample[] {
  const { route } = making;
  const body = written(route, base.body);
  const isStrict = route.operation['x-unknown-fields'] === undefined;
  const isOnce = route.operation['x-repeated-parameters'] === undefined;
  const out: Sample[] = [
    {
      says: 'an unknown parameter',
      url: urlOf(route, base.path, [...Object.entries(base.query), [CANARY, '1']]),
      body,
      wrong: isStrict ? 'unknown parameter' : undefined,
    },
  ];
  for (const { name, in: where, required: isRequired, schema } of route.operation.parameters) {
    if (where === 'header') continue;
    const texts = [...new Set([...ODD_TEXTS, ...edges(resolve(schema, making.named)).map(String)])];
    for (const text of texts) {
      // A path without a segment, or with one too long, is another path.
      if (where === 'path' && (text === '' || text.length > 250)) continue;
      out.push(
        sampleOf(making, { ...base, [where]: { ...base[where], [name]: text } }, `${name} = ${text.slice(0, 20)}`),
      );
    }
    const { type, minimum, maximum } = resolve(schema, making.named);
    // A whole number is bound by nothing but its range.
    if (type === 'integer')
      for (const bound of [minimum, maximum])
        out.push(sampleOf(making, { ...base, [where]: { ...base[where], [name]: String(bound) } }, 'bound'));
    if (where === 'path') {
      if (name === 'id')
        out.push(sampleOf(making, { ...base, path: { ...base.path, id: '0'.repeat(16) } }, 'an id of nothing'));
      continue;
    }
    const value = base.query[name] ?? draw(schema, making.named, making.random);
    out.push({
      says: `${name} twice`,
      url: urlOf(route, base.path, [
        ...Object.entries(base.query).filter(([other]) => other !== name),
        [name, value],
        [name, value],
      ]),
      body,
      wrong: isOnce ? 'repeated parameter' : undefined,
    });
    if (isRequired)
      out.push({
        says: `without ${name}`,
        url: urlOf(
          route,
          base.path,
          Object.entries(base.query).filter(([other]) => other !== name),
        ),
        body,
        wrong: 'missing parameter',
      });
  }
  return out;
}

/**
 * Wrong bodies: each member left out, null, of another type, huge, out of range; one too many; given twice; no object
 * at all.
 */
function wrongBodies(making: Making, base: Base): Sample[] {
  const { route, named } = making;
  if (base.body === undefined || takesBytes(route)) return [];
  const url = urlOf(route, base.path, Object.entries(base.query));
  const raw = (says: string, body: string): Sample => ({ says, url, body, wrong: says });
  if (!isJson(route)) return wrongForms(making, base, raw);
  const isStrict = route.operation['x-unknown-fields'] === undefined;
  const unknown = isStrict ? 'unknown member' : undefined;
  const out = [
    raw('a list', '[]'),
    raw('null', 'null'),
    raw('two bodies', '{}{}'),
    raw('no JSON', `{"${CANARY}`),
    raw('too deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
  ];
  out.push(sampleOf(making, { ...base, body: { ...base.body, [CANARY]: 1 } }, 'an unknown member', unknown));
  const schema = bodyOf(route)?.schema;
  if (!schema) return out;
  const properties = (resolve(schema, named)['properties'] ?? {}) as NamedSchema;
  for (const [name, of] of Object.entries(properties)) {
    const { [name]: had, ...rest } = base.body;
    const value = had ?? draw(of, named, making.random);
    out.push(sampleOf(making, { ...base, body: rest }, `without ${name}`));
    out.push(
      raw(
        `${name} twice`,
        `{${[...Object.entries(rest), [name, value] as const, [name, value] as const]
          .map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`)
          .join()}}`,
      ),
    );
    for (const odd of [...ODD, ...edges(resolve(of, named))])
      out.push(
        sampleOf(making, { ...base, body: { ...rest, [name]: odd } }, `${name} = ${JSON.stringify(odd).slice(0, 20)}`),
      );
  }
  return out;
}

/** Wrong forms: each field left out, twice, and with odd values; and one that is not declared. */
function wrongForms(making: Making, base: Base, raw: (says: string, body: string) => Sample): Sample[] {
  const { route, named } = making;
  const fields = base.body ?? {};
  const text = written(route, fields) ?? '';
  const properties = (resolve(bodyOf(route)?.schema ?? {}, named)['properties'] ?? {}) as NamedSchema;
  return [
    raw('no form', '%ff'),
    raw('an unknown field', `${text}&${CANARY}=1`),
    ...Object.entries(fields).map(([name, value]) => raw(`${name} twice`, `${text}&${name}=${String(value)}`)),
    ...Object.keys(properties).flatMap((name) => {
      const { [name]: _, ...rest } = fields;
      return [
        sampleOf(making, { ...base, body: rest }, `without ${name}`),
        ...ODD_TEXTS.map((odd) =>
          sampleOf(making, { ...base, body: { ...rest, [name]: odd } }, `${name} = ${odd.slice(0, 20)}`),
        ),
      ];
    }),
  ];
}

/** Requests with the conditions that a route documents: the caller has the version, or means one that is not there. */
function conditions(making: Making, base: Base): Sample[] {
  const { route } = making;
  if (!route.operation.parameters.some(({ in: where, name }) => where === 'header' && name === 'If-Match')) return [];
  const known = route.method === 'GET' ? 304 : 412;
  return [
    { ...sampleOf(making, base, 'a known version'), headers: { 'if-none-match': '*' }, status: known },
    { ...sampleOf(making, base, 'another version'), headers: { 'if-match': `"${CANARY}"` }, status: 412 },
  ];
}

/** All requests of one route: the smallest right one, the document's example, some drawn ones, and the wrong ones. */
export function samplesOf(making: Making, draws: number): Sample[] {
  const base = smallest(making);
  const content = bodyOf(making.route);
  return [
    sampleOf(making, base, 'smallest'),
    ...(content?.example === undefined
      ? []
      : [sampleOf(making, { ...base, body: content.example as Values }, 'example')]),
    ...Array.from({ length: draws }, (_, n) => sampleOf(making, drawn(making), `draw ${n}`)),
    ...wrongParameters(making, base),
    ...wrongBodies(making, base),
    ...conditions(making, base),
  ];
}
