/**
 * Declarations of endpoints.
 *
 * An endpoint is a value with everything that a caller may know before calling: address, input, result, failures, and
 * who may call it. The server, the OpenAPI document, the authorization matrix and the typed client all read these
 * values, so they cannot disagree.
 *
 * This folder runs in a browser, and imports only the schema library.
 */
import { z } from 'zod';
import type { Page as PageName } from '../dashboard/pages.ts';
import type { FailureReason } from '../failures.ts';
import type { SocketResult } from './socket.ts';
import { API, prefixLengthOf, type Surface } from './surface.ts';

export const SCOPES = ['library', 'write', 'stream', 'download', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
export const ROLES = ['owner', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Services outside with separate routes, each with its token: a directory manages Profiles (SCIM). */
export const SERVICES = ['directory'] as const;
export type Service = (typeof SERVICES)[number];

/** Purposes of signed short-lived links. A link opens one item for one purpose. */
export const PURPOSES = ['media', 'subtitle', 'download', 'art'] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * Callers that an endpoint admits. There is no default: leaving `access` out does not compile.
 * `service` names the service whose token it takes; no Profile and no API key will do.
 * `via` names the scope an API key needs; 'session' means no API key will do.
 * `recent` asks for a session that has proved its owner within the last minutes.
 * `enrolling` also lets in a session that still has to enrol its second factor.
 * `anyHour` also lets in a Profile outside its viewing hours, to ask for more time.
 * `link` also lets in a signed link that was made for that purpose and that item.
 * `linkBy` names the parameter that such a link is for, in the path or the query; left out: `id`.
 */
export type Access = 'public' | { service: Service } | ProfileAccess;
/** Access of Profiles: by a session, an API key or a signed link. */
export type ProfileAccess = {
  role: Role;
  via: Scope | 'session';
  recent?: true;
  enrolling?: true;
  anyHour?: true;
  link?: Purpose;
  linkBy?: string;
};

/** Whether an endpoint is called by Profiles, as opposed to everybody or a service. */
export const isForProfiles = (access: Access): access is ProfileAccess => access !== 'public' && 'role' in access;

/** Whether a successful reply names the newest event of its caller: that of a change by a Profile. */
export const namesNewestEvent = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): boolean =>
  method !== 'GET' && isForProfiles(access);

export type Shape = z.ZodObject;
/**
 * A result that is bytes rather than JSON, with the content types it may have. Ranged ones also answer HEAD and Range.
 */
export type Bytes = { bytes: readonly string[]; ranged?: true };
/** A stream of server-sent events; the schema is of one event's data. */
export type Events = { events: z.ZodType };
/** Nothing to say: 204. */
export const NOTHING = { nothing: true } as const;
export type Nothing = typeof NOTHING;
export type Result = z.ZodType | Bytes | Events | Nothing | RedirectResult | DepartureResult | SocketResult;
/** Methods that an endpoint can have. The last two are those of UPnP events. */
export const ENDPOINT_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'SUBSCRIBE', 'UNSUBSCRIBE'] as const;
export type Method = (typeof ENDPOINT_METHODS)[number];

/**
 * A reply that sends the browser to one of our pages. Handlers name the page, so no caller's text becomes an address.
 */
export interface RedirectResult {
  redirect: readonly [PageName, ...PageName[]];
}

/**
 * A reply that sends the browser to another server: to an address of the one that a setting names. The text says for
 * the API document which address that is.
 */
export interface DepartureResult {
  departure: string;
}

/**
 * The form of a body, and its largest size in bytes. JSON and forms are read by the endpoint's `body`; of a form each
 * field is text. `bytes` are not read: the handler gets them as they came, if their content type is one of `types`.
 */
export type BodyForm = FieldsForm | BytesForm;
interface FieldsForm {
  form: 'json' | 'urlencoded';
  maxBytes: number;
}
interface BytesForm {
  form: 'bytes';
  maxBytes: number;
  types: readonly [string, ...string[]];
}

/** Listeners on which an endpoint exists: the one of the home network only, or also the public one. */
export type EndpointReach = 'home' | 'everywhere';

export interface Endpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Result = Result,
  T extends BodyForm = BodyForm,
  C extends boolean = boolean,
> {
  method: Method;
  path: string;
  /** Which of several operations with one name this is, such as its protocol; the API document has it in the id. */
  variant: string | undefined;
  summary: string;
  /** For the API document: when to call it and what follows, beyond the summary. Documented operations need it. */
  description: string | undefined;
  surface: Surface;
  access: Access;
  params: P;
  query: Q;
  body: B;
  result: R;
  /** The status of success. */
  status: 101 | 200 | 201 | 202 | 204 | 302 | 303;
  takes: T;
  /**
   * Whether its replies have an ETag: If-None-Match makes a read 304, and a condition that does not hold is 412. The
   * handler says by `call.version` which version it shows or is about to change.
   */
  conditional: C;
  reach: EndpointReach;
  /** For a page: whether it may show a sandboxed part of ours in a frame. */
  frames: boolean;
  /** For a GET that does more than read: whether a cookie speaks for it only if one of our pages made the request. */
  sameOrigin: boolean;
  /**
   * For a form that pages of other sites send by design: no cookie of a session speaks for the request, and it may come
   * from anywhere.
   */
  anyOrigin: boolean;
  /**
   * A second status of success, where one route does two things: 200 for a cancel and 202 for a start, or 202 while a
   * picture is being made.
   */
  orElse: 200 | 202 | undefined;
  /** Reasons of its own failures. The document adds the reasons that every request has. */
  fails: readonly FailureReason[];
}

type Optional<S extends Shape> = {
  [K in keyof z.input<S>]: undefined extends z.input<S>[K] ? K : never;
}[keyof z.input<S>];
/** Values of a path or query, before they become text. */
type Written<S extends Shape> = {
  [K in Exclude<keyof z.output<S> & keyof z.input<S>, Optional<S>>]: z.output<S>[K];
} & {
  [K in keyof z.output<S> & Optional<S>]?: z.output<S>[K] | undefined;
};
/** Input and result of an endpoint as types. An empty input adds nothing; Zod's own type for it would forbid all. */
type Fields<S extends Shape, T> = [keyof S['shape']] extends [never] ? unknown : T;
export type Asks<E extends Endpoint> = Fields<E['params'], Written<E['params']>> &
  Fields<E['query'], Written<E['query']>> &
  Fields<E['body'], z.input<E['body']>> &
  AsksBytes<E['takes']> &
  (true extends E['conditional'] ? Conditions : unknown);
/** The body of an endpoint that takes bytes, and its content type. */
type AsksBytes<T extends BodyForm> = [T] extends [BytesForm]
  ? { bytes: Blob | Uint8Array<ArrayBuffer>; contentType: T['types'][number] }
  : unknown;
/** Versions, as an earlier reply had them: one that the caller has already, and the one that it means to change. */
export interface Conditions {
  ifNoneMatch?: string | undefined;
  ifMatch?: string | undefined;
}
export type ParsedInput<E extends Endpoint> = Fields<E['params'], z.output<E['params']>> &
  Fields<E['query'], z.output<E['query']>> &
  Fields<E['body'], z.output<E['body']>>;

const none = z.strictObject({});
/** No fields, on a surface that ignores those that are not declared. */
const noneRead = z.object({});
type None = typeof none;

/** Declares an endpoint. Inputs left out are empty, and empty means nothing is accepted. */
export function endpoint<
  P extends Shape = None,
  Q extends Shape = None,
  B extends Shape = None,
  R extends Result = Result,
  const T extends BodyForm = FieldsForm,
  C extends boolean = false,
>(e: {
  method: Method;
  path: string;
  variant?: string;
  summary: string;
  description?: string;
  surface?: Surface;
  access: Access;
  params?: P;
  query?: Q;
  body?: B;
  result: R;
  status?: 200 | 201 | 202 | 302 | 303;
  takes?: T;
  conditional?: C;
  reach?: EndpointReach;
  frames?: boolean;
  sameOrigin?: boolean;
  anyOrigin?: boolean;
  orElse?: 200 | 202;
  fails?: readonly FailureReason[];
}): Endpoint<P, Q, B, R, T, C> {
  const { surface = API } = e;
  const isStrict = surface.fields.unknown === 'refused';
  const empty = isStrict ? none : noneRead;
  const { params = none as unknown as P, query = empty as unknown as Q, body = empty as unknown as B } = e;
  if (prefixLengthOf(surface, e.path) < 0) throw new Error(`${e.path}: not a path of the ${surface.name} surface`);
  for (const shape of isStrict ? [params, query, body] : [query, body])
    if (shape.def.catchall instanceof z.ZodNever !== isStrict)
      throw new Error(`${e.path}: use ${isStrict ? 'z.strictObject' : 'z.object or z.looseObject'}`);
  const { takes = { form: 'json', maxBytes: surface.maxBodyBytes } as unknown as T } = e;
  if (e.method === 'GET' && (e.body || e.takes)) throw new Error(`${e.path}: a GET has no body`);
  const isRedirect = 'redirect' in e.result || 'departure' in e.result;
  if (e.status !== undefined && e.status >= 300 !== isRedirect)
    throw new Error(`${e.path}: only a redirect has the status of one`);
  if (takes.form === 'bytes' && e.body) throw new Error(`${e.path}: bytes have no fields`);
  const made: Endpoint<P, Q, B, R, T, C> = {
    ...e,
    variant: e.variant,
    description: e.description,
    surface,
    params,
    query,
    body,
    status: statusOf(e.result) ?? e.status ?? (isRedirect ? 303 : 200),
    takes,
    conditional: e.conditional ?? (false as C),
    reach: e.reach ?? 'home',
    frames: e.frames ?? false,
    sameOrigin: e.sameOrigin ?? false,
    anyOrigin: e.anyOrigin ?? false,
    orElse: e.orElse,
    fails: e.fails ?? [],
  };
  for (const fault of contradictionsIn(made)) throw new Error(`${e.path}: ${fault}`);
  return made;
}

/** Returns the only status that a result can have; undefined if the declaration chooses. */
const statusOf = (result: Result): 101 | 204 | undefined =>
  'nothing' in result ? 204 : 'socket' in result ? 101 : undefined;

/** Returns what the parts of a declaration say against each other. */
function contradictionsIn({ method, path, params, query, result, access, surface, ...e }: Endpoint): string[] {
  const { link, linkBy } = isForProfiles(access) ? access : {};
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
  const scope = linkBy ?? 'id';
  const isSocket = 'socket' in result;
  const when = (isSo: boolean, fault: string) => (isSo ? [fault] : []);
  return [
    ...when(link !== undefined && !(scope in params.shape) && !(scope in query.shape), `no parameter ${scope}`),
    ...when(link === undefined && linkBy !== undefined, 'linkBy without a link'),
    ...when(surface.isDocumented && method.endsWith('SUBSCRIBE'), `the API document cannot have ${method}`),
    ...when(e.frames && surface.content !== 'page', 'only a page has frames'),
    ...when(e.sameOrigin && method !== 'GET', 'only a GET has to say that it is of our own origin'),
    ...when(
      e.anyOrigin && (method !== 'POST' || access !== 'public'),
      'only a public POST comes from any origin: no session speaks for it',
    ),
    ...when(isSocket && method !== 'GET', 'a socket is opened by GET'),
    ...when(
      e.conditional && !(result instanceof z.ZodType || 'nothing' in result),
      'only JSON or nothing is conditional: bytes bring their own ETag',
    ),
    ...when(inPath.sort().join() !== Object.keys(params.shape).sort().join(), 'params differ from the path'),
  ];
}

export type Group = Record<string, Endpoint>;
