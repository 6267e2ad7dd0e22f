/**
 * The access matrix as it is observed: every route, asked by every principal, on a listener. The requests are wrong in
 * all that comes after admission, so nothing is changed.
 *
 * A cell is `in`, or the status of the refusal. 404 is that of an address that does not exist there.
 */
import { type Endpoint, isForProfiles } from '../../src/contract/kernel/endpoint.ts';
import type { MountedEndpoint } from '../../src/http/handle.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { AT_HOME, HOST, ITEM, type Listeners, OUTSIDE, PRINCIPALS, type Sends } from './principals.ts';

/** A listener, and the origin of the requests to it. */
export interface Place {
  http: HttpServer;
  address: string;
  host: string;
}
export const PLACES = {
  home: ({ home }: Listeners): Place => ({ http: home, address: AT_HOME, host: 'localhost' }),
  public: ({ outside }: Listeners): Place => ({ http: outside, address: OUTSIDE, host: HOST }),
  /** The home port, as a router that forwards it by mistake makes it. */
  forwarded: ({ home }: Listeners): Place => ({ http: home, address: OUTSIDE, host: OUTSIDE }),
} as const;

const pathOf = ({ path }: Endpoint) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? ITEM : 'aaaa'));

let networks = 0;
/** Address of a request. At home, each token of a service comes from a separate network: they are throttled by it. */
const addressFor = ({ access }: Endpoint, { address }: Place): string =>
  access === 'public' || isForProfiles(access) || address !== AT_HOME
    ? address
    : `10.${++networks >> 8}.${networks & 255}.1`;

async function cell(endpoint: Endpoint, place: Place, { headers, ticket }: Sends): Promise<string> {
  const { http, host } = place;
  const isRead = endpoint.method === 'GET';
  const reply = await http.server.inject({
    method: endpoint.method as 'GET',
    url: `${pathOf(endpoint)}?surprise=1${ticket === undefined ? '' : `&ticket=${ticket}`}`,
    remoteAddress: addressFor(endpoint, place),
    headers: { host, ...headers, ...(!isRead && { 'content-type': 'application/json' }) },
    ...(!isRead && { payload: '{"surprise":1}' }),
  });
  const { statusCode: status } = reply;
  if (status === 404) return /"no-such-route"|"no such resource"/.test(reply.body) ? '404' : 'in';
  if (status === 429) throw new Error(`${endpoint.method} ${endpoint.path} was throttled`);
  return status === 401 || status === 403 || status === 405 ? String(status) : 'in';
}

/** Returns the lines of a matrix: the route, and a column for each principal. */
export async function observeRoutes(
  { principals }: Pick<Listeners, 'principals'>,
  place: Place,
  mounted: readonly MountedEndpoint[],
): Promise<string[]> {
  const width = Math.max(...mounted.map(({ endpoint: { method, path } }) => method.length + path.length)) + 2;
  const rows = await Promise.all(
    mounted.map(async ({ endpoint }) => {
      const cells: string[] = [];
      for (const name of PRINCIPALS) cells.push(await cell(endpoint, place, principals[name]));
      return `${`${endpoint.method} ${endpoint.path}`.padEnd(width)}${cells.map((one) => one.padEnd(4)).join('')}`;
    }),
  );
  return rows.map((row) => row.trimEnd()).sort();
}

/** Returns the matrix of a listener with all its routes. */
export async function observe(listeners: Listeners, place: Place): Promise<string> {
  const rows = await observeRoutes(listeners, place, listeners.world.mounted);
  return `${[...PRINCIPALS.map((name, at) => `# ${at + 1} ${name}`), ...rows].join('\n')}\n`;
}
