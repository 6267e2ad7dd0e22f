/**
 * The server under every stand-in: it logs requests, plays the requested faults, and detects leaks.
 *
 * A leak is something that a careful client never sends: a key in an address where a header exists, a credential to a
 * place that does not need it, a request without a User-Agent, anything at all to a host that is not the provider's.
 * Leaks are answered 400 and kept; `close` fails when there were any.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault, plainFault, type Reply, type SetFault, type Step } from './faults.ts';

export interface RecordedRequest {
  method: string;
  url: URL;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Which of the server's addresses was asked: `main`, or another host for some accounts. */
  host: 'main' | 'vip';
  step: Step;
}

export interface LogEntry extends RecordedRequest {
  status: number;
  fault?: string;
}

/** Parts that one provider adds to the server. */
export interface Protocol {
  name: string;
  /** The path of the API, for the address that is handed out. */
  apiPath: string;
  stepOf(method: string, path: string): Step;
  /** Faults of a request that a careful client never sends. */
  leaksOf(asked: RecordedRequest): string[];
  /** Headers on every answer. */
  headers(asked: RecordedRequest): Record<string, string>;
  answer(asked: RecordedRequest): Reply;
  /** A fault in the provider's own words; undefined: as any server. */
  inOwnWords(fault: SetFault, asked: RecordedRequest): Reply | undefined;
  /** Which requests a fault is for when it does not say. */
  defaultStep(fault: SetFault): Step | undefined;
  /** Forget tokens and counts. */
  reset(): void;
  /**
   * The last connection was closed: who called is gone, and whoever calls next has only started. That takes a server
   * longer than a second, and a test far less, so counts of the last second end here.
   */
  hungUp?(): void;
}

export interface StandIn {
  name: string;
  /** The address of its API, for the provider's setting. */
  url: string;
  /** A second address of the same provider, which some accounts are sent to. */
  vipUrl: string;
  requests: LogEntry[];
  leaks: string[];
  fault(fault: Fault): void;
  /** Forgets requests, faults, tokens and counts; leaks stay. */
  reset(): void;
  /** Cuts every connection, hanging ones too. */
  drop(): void;
  close(): Promise<void>;
}

const MOST_BODY = 1024 * 1024;
const MOST_LOGGED = 10_000;

export interface StandInNeeds {
  /** Address of a host to which no client may be sent. */
  elsewhere: string;
  port?: number;
}

export async function startStandIn(
  make: (vipHost: string) => Protocol,
  { elsewhere, port = 0 }: StandInNeeds,
): Promise<StandIn> {
  const requests: LogEntry[] = [];
  const leaks: string[] = [];
  let faults: SetFault[] = [];
  const vip = createServer((request, response) => void handle(request, response, 'vip'));
  const vipAddress = await listen(vip, 0);
  const protocol = make(vipAddress.host);
  const main = createServer((request, response) => void handle(request, response, 'main'));
  const address = await listen(main, port);
  let open = 0;
  for (const server of [main, vip]) {
    server.on('connection', (socket) => {
      open++;
      socket.once('close', () => {
        open--;
        if (open === 0) protocol.hungUp?.();
      });
    });
  }

  const takeFault = (step: Step): SetFault | undefined => {
    const found = faults.find((fault) => (fault.on ?? protocol.defaultStep(fault) ?? step) === step);
    if (found) found.times--;
    faults = faults.filter(({ times }) => times > 0);
    return found;
  };
  const replyTo = (asked: RecordedRequest): { reply: Reply; fault?: string } => {
    const found = protocol.leaksOf(asked).concat(asked.headers['user-agent'] === undefined ? ['no User-Agent'] : []);
    if (found.length > 0) {
      leaks.push(...found.map((leak) => `${protocol.name} ${asked.method} ${asked.path}: ${leak}`));
      return { reply: { status: 400, body: `leak: ${found.join(', ')}` } };
    }
    const fault = takeFault(asked.step);
    const reply = fault && (protocol.inOwnWords(fault, asked) ?? plainFault(fault.fault, elsewhere));
    return reply && fault ? { reply, fault: fault.fault } : { reply: protocol.answer(asked) };
  };
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    host: RecordedRequest['host'],
  ): Promise<void> => {
    try {
      const asked = { ...(await read(request)), host } as RecordedRequest;
      if (asked.path === '/__control') return control(asked, response);
      asked.step = protocol.stepOf(asked.method, asked.path);
      const { reply, fault } = replyTo(asked);
      // By hand it may run for days.
      if (requests.length >= MOST_LOGGED) requests.shift();
      requests.push({ ...asked, status: reply.status, ...(fault === undefined ? {} : { fault }) });
      send(response, { ...reply, headers: { ...protocol.headers(asked), ...reply.headers } });
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : '');
    }
  };
  /** By hand: POST a fault, GET what was asked, DELETE to forget. */
  const control = (asked: RecordedRequest, response: ServerResponse): void => {
    if (asked.method === 'POST') faults.push(Fault.parse(JSON.parse(asked.body)));
    if (asked.method === 'DELETE') reset();
    const log = requests.map(({ method, path, step, status, fault }) => ({ method, path, step, status, fault }));
    send(response, {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests: log, leaks, faults }),
    });
  };
  const reset = (): void => {
    requests.length = 0;
    faults = [];
    protocol.reset();
  };

  return {
    name: protocol.name,
    url: `http://${address.host}${protocol.apiPath}`,
    vipUrl: `http://${vipAddress.host}${protocol.apiPath}`,
    requests,
    leaks,
    fault: (fault) => void faults.push(Fault.parse(fault)),
    reset,
    drop: () => {
      main.closeAllConnections();
      vip.closeAllConnections();
    },
    close: async () => {
      await Promise.all([stop(main), stop(vip)]);
      if (leaks.length > 0) throw new Error(`leaks: ${leaks.join('; ')}`);
    },
  };
}

/** A host that belongs to no provider: every request to it is a leak. */
export async function startElsewhere(): Promise<{ url: string; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const { port } = await listen(server, 0);
  return {
    url: `http://localhost:${port}`,
    requests,
    close: async () => {
      await stop(server);
      if (requests.length > 0) throw new Error(`leaks: asked a foreign host ${requests.length} times`);
    },
  };
}

async function listen(server: Server, port: number): Promise<{ host: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${given}`, port: given };
}

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function read(request: IncomingMessage): Promise<Omit<RecordedRequest, 'host' | 'step'>> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > MOST_BODY) throw new Error('the body is too large');
    parts.push(part as Buffer);
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    method: request.method ?? 'GET',
    url,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: Buffer.concat(parts).toString(),
  };
}

function send(response: ServerResponse, { status, headers = {}, body = '', isSlow, silence }: Reply): void {
  if (silence === 'reset') return void response.socket?.resetAndDestroy();
  if (silence === 'hang') return;
  if (isSlow !== true) return void response.writeHead(status, headers).end(body);
  response.writeHead(status, headers);
  const timer = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(timer));
}
