/**
 * A real certificate authority for tests: Debian's pebble in strict mode, which refuses nonces at random, with its name
 * server, and stand-ins of the DNS services that publish there.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownCertificate } from '../../http/certificate.ts';
import { systemClock } from '../../lib/clock.ts';
import { createNet } from '../../lib/net.ts';
import { openPort } from '../../../test/ports.ts';
import { udpPortsOf } from '../../../test/processes.ts';
import { startDnsServices, type DnsServices } from '../dns/testing-services.ts';

export interface TestAuthority {
  folder: string;
  directory: string;
  /** Address of the name server, which has what the DNS services publish. */
  resolver: string;
  /** Starts a name server that has no addresses, as that of a router that drops them. Returns its address. */
  startDroppingResolver(): Promise<string>;
  /** Certificate by which the authority's own HTTPS is trusted. */
  ca: string;
  services: DnsServices;
  /** Milliseconds before a text is published. */
  delay(ms: number): void;
  /** Ends the authority, as an outage would, and starts it again without its memory. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function untilAnswers(ask: () => Promise<unknown>, child: ChildProcess, name: string): Promise<void> {
  let failed: Error | undefined;
  child.once('error', (error) => (failed = error));
  for (let tries = 0; tries < 200; tries += 1) {
    if (failed || child.exitCode !== null) break;
    if (await ask().then(() => true, () => false)) return; // prettier-ignore
    await new Promise((resolve) => void setTimeout(resolve, 25));
  }
  throw new Error(`${name} does not start: install the Debian package pebble`, { cause: failed });
}

interface NameServer {
  child: ChildProcess;
  /** Its address. */
  at: string;
  manage(path: string, body?: object): Promise<void>;
}

/**
 * Starts a name server. Unless it is empty, every name leads to this machine that has no other address. It says nowhere
 * which port it got: its only UDP socket has it.
 */
async function startNames({ isEmpty = false }: { isEmpty?: boolean } = {}): Promise<NameServer> {
  const management = await openPort();
  const off = ['-http01', '-https01', '-tlsalpn01', '-defaultIPv6', ...(isEmpty ? ['-defaultIPv4'] : [])];
  const at = ['-dns01', '127.0.0.1:0', '-management', `127.0.0.1:${management.port}`];
  const child = spawn('pebble-challtestsrv', [...off.flatMap((name) => [name, '']), ...at], { stdio: 'ignore' });
  child.once('close', () => management.release());
  const manage = async (path: string, body: object = {}): Promise<void> => {
    const url = `http://127.0.0.1:${management.port}/${path}`;
    await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  };
  let port = 0;
  await untilAnswers(
    async () => {
      await manage('clear-txt', { host: 'x.' });
      [port = 0] = udpPortsOf(child.pid ?? 0);
      if (port === 0) throw new Error('the name server does not listen yet');
    },
    child,
    'pebble-challtestsrv',
  ).catch(async (error: unknown) => {
    await end(child);
    throw error;
  });
  return { child, at: `127.0.0.1:${port}`, manage };
}

/**
 * `tlsPort` is where it connects for proofs by TLS, in place of port 443. `callerAddress` is the public address of the
 * server for the DNS services.
 */
export async function startAuthority({
  reuse = 0,
  tlsPort,
  callerAddress,
}: { reuse?: number; tlsPort?: number; callerAddress?: string } = {}): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-acme-'));
  // It is at the same address after an outage, and nothing answers at the port for proofs by HTTP.
  const [{ port, release }, silent] = [await openPort(), await openPort()];
  const { key, cert } = await ownCertificate({ folder: `${folder}/own`, hosts: [], clock: systemClock });
  await writeFile(`${folder}/key.pem`, key);
  await writeFile(`${folder}/cert.pem`, cert);
  await writeFile(
    `${folder}/pebble.json`,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: '127.0.0.1:0',
        certificate: `${folder}/cert.pem`,
        privateKey: `${folder}/key.pem`,
        httpPort: silent.port,
        tlsPort: tlsPort ?? silent.port,
      },
    }),
  );
  const directory = `https://localhost:${port}/dir`;
  const net = createNet({ version: '0', ca: cert });
  const { child: names, at: resolver, manage } = await startNames();
  let dropping: ChildProcess | undefined;
  let delayMs = 0;
  const services = await startDnsServices(async (type, name, values) => {
    if (type === 'A') {
      await manage('clear-a', { host: `${name}.` });
      if (values.length > 0) await manage('add-a', { host: `${name}.`, addresses: values });
      return;
    }
    const publish = async (): Promise<void> => {
      await manage('clear-txt', { host: `${name}.` });
      for (const value of values) await manage('set-txt', { host: `${name}.`, value });
    };
    if (delayMs === 0) await publish();
    else setTimeout(() => void publish().catch(() => {}), delayMs).unref();
  }, callerAddress);
  let pebble: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    pebble = spawn('pebble', ['-config', `${folder}/pebble.json`, '-strict', '-dnsserver', resolver], {
      stdio: 'ignore',
      env: { PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: String(reuse) },
    });
    await untilAnswers(() => net.request({ url: directory, allowLoopback: true }), pebble, 'pebble');
  };
  const authority: TestAuthority = {
    ...{ folder, directory, resolver, ca: cert, services, start },
    startDroppingResolver: async () => {
      const started = await startNames({ isEmpty: true });
      dropping = started.child;
      return started.at;
    },
    delay: (ms) => void (delayMs = ms),
    stop: () => end(pebble),
    close: async () => {
      await Promise.all([end(pebble), end(names), end(dropping), net.close(), services.close()]);
      release();
      silent.release();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await start();
  } catch (error) {
    await authority.close();
    throw error;
  }
  return authority;
}
