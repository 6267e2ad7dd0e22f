/**
 * Requests to every endpoint that a Viewer may call, made from the mounted declarations: a new endpoint is among them
 * without a line here. Only what no declaration says is listed: queries worth asking, and endpoints that are left out.
 */
import { z } from 'zod';
import { type Endpoint, isForProfiles } from '../src/contract/kernel/endpoint.ts';
import { exampleOf, type JsonSchema } from '../src/http/example.ts';

const SOME_ID = '0123456789abcdef';
const ID = /^[0-9a-f]{16}$/;

/** Ids by the sort of thing that they are of: a kind of item, a person, a playlist. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

export interface Request {
  /** Name of the endpoint: its method and path. */
  name: string;
  method: string;
  url: string;
  body?: unknown;
}

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
/** Whether a Viewer may call it. The pages of the dashboard are left out: they are one file, the same for everybody. */
export const isForViewers = ({ access, surface }: Endpoint): boolean =>
  surface.content === 'data' && (access === 'public' || (isForProfiles(access) && access.role === 'viewer'));
/** Whether an API key needs a scope for it, as for everything that shows a library. */
export const hasScope = ({ access }: Endpoint): boolean => isForProfiles(access) && access.via !== 'session';
export const isRead = ({ method }: Endpoint): boolean => method === 'GET';

/** A player makes up the name of its session, so it names nothing that is there. */
const MADE_UP: readonly string[] = ['session'];
const isId = (name: string, schema: z.ZodType): boolean =>
  !MADE_UP.includes(name) && schema.safeParse(SOME_ID).success && !schema.safeParse('not an id').success;
const exampleIn = (schema: z.ZodType): unknown =>
  exampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, {});

/**
 * Values of path parameters that are no ids, by path. Others have the example of their declaration. Assets
 * are counted by name, and the picture of a made book is the fourth.
 */
const PATH_VALUES: Readonly<Record<string, string>> = {
  '/read/{id}/asset/{n}': '3',
  '/read/{id}/page/{n}': '0',
  '/read/{id}/part/{n}': '0',
  '/api/v1/books/{id}/reader/pages/{n}/text': '0',
};

type Place = readonly (string | number)[];
/** Returns where the ids in an example are. */
function idPlaces(value: unknown, at: Place = []): Place[] {
  if (typeof value === 'string') return ID.test(value) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    MADE_UP.includes(key) ? [] : idPlaces(one, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}
function withId(value: unknown, [first, ...rest]: Place, id: string): unknown {
  if (first === undefined) return id;
  if (Array.isArray(value)) return value.map((one: unknown, i) => (i === first ? withId(one, rest, id) : one));
  const members = value as Record<string, unknown>;
  return { ...members, [first]: withId(members[first], rest, id) };
}

/** Parts of a request that ids can be put into: its path, its query and its body. */
interface Form {
  path: Readonly<Record<string, string>>;
  pathIds: readonly string[];
  query: Readonly<Record<string, unknown>>;
  queryIds: readonly string[];
  body: unknown;
  bodyIds: readonly Place[];
}
function formOf(endpoint: Endpoint): Form {
  const params = Object.entries(endpoint.params.shape) as [string, z.ZodType][];
  const queries = Object.entries(endpoint.query.shape) as [string, z.ZodType][];
  const body = isRead(endpoint) || endpoint.takes.form === 'bytes' ? undefined : exampleIn(endpoint.body);
  return {
    path: Object.fromEntries(params.map(([name, of]) => [name, PATH_VALUES[endpoint.path] ?? String(exampleIn(of))])),
    pathIds: params.flatMap(([name, of]) => (isId(name, of) ? [name] : [])),
    query: Object.fromEntries(
      queries.flatMap(([name, of]) => (of.safeParse(undefined).success ? [] : [[name, exampleIn(of)]])),
    ),
    queryIds: queries.flatMap(([name, of]) => (isId(name, of) ? [name] : [])),
    body,
    bodyIds: idPlaces(body),
  };
}

function urlOf(endpoint: Endpoint, form: Form, ids: Readonly<Record<string, string>>, query: string): string {
  const path = Object.entries(form.path).reduce(
    (made, [name, value]) => made.replace(`{${name}}`, ids[name] ?? value),
    endpoint.path,
  );
  return query === '' ? path : `${path}?${query}`;
}
const written = (query: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

/** Whether a request to this endpoint can name anything in the library. */
export function canName(endpoint: Endpoint): boolean {
  const { pathIds, queryIds, bodyIds } = formOf(endpoint);
  return pathIds.length + queryIds.length + bodyIds.length > 0;
}

/** Returns every reading request about what these ids are of, with the queries that `queriesOf` adds. */
export function readsOf(
  endpoint: Endpoint,
  ids: KnownIds,
  queriesOf: Readonly<Record<string, readonly string[]>>,
): Request[] {
  const form = formOf(endpoint);
  const all = [...new Set(Object.values(ids).flat())];
  const fillings = form.pathIds.reduce<Record<string, string>[]>(
    (made, name) => made.flatMap((one) => all.map((id) => ({ ...one, [name]: id }))),
    [{}],
  );
  const queries = queriesOf[endpoint.path] ?? [written(form.query)];
  return fillings.flatMap((filling) =>
    queries.map((query) => ({
      name: nameOf(endpoint),
      method: endpoint.method,
      url: urlOf(endpoint, form, filling, query),
    })),
  );
}

/**
 * Returns a request for each place that can name something: with `id` there, and in all other places with an id of the
 * sort that belongs there, by the name of the place.
 */
export function requestsNaming(endpoint: Endpoint, id: string, others: (place: string) => string): Request[] {
  const form = formOf(endpoint);
  const path = Object.fromEntries(form.pathIds.map((name) => [name, others(name)]));
  const body = form.bodyIds.reduce((value, place) => withId(value, place, others(String(place[0]))), form.body);
  const request = (
    named: Readonly<Record<string, string>>,
    query: Readonly<Record<string, unknown>>,
    sent: unknown,
  ) => ({
    name: nameOf(endpoint),
    method: endpoint.method,
    url: urlOf(endpoint, form, named, written(query)),
    ...(sent !== undefined && { body: sent }),
  });
  return [
    ...form.pathIds.map((name) => request({ ...path, [name]: id }, form.query, body)),
    ...form.queryIds.map((name) => request(path, { ...form.query, [name]: id }, body)),
    ...form.bodyIds.map((place) => request(path, form.query, withId(body, place, id))),
  ];
}
