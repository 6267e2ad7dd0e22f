/**
 * `/media` compared with nginx on the same file of 1 GiB, over http and https: throughput, CPU a GiB, and random seeks.
 *
 * The client is curl for whole files, and one kept connection of Node for seeks, the same for both servers. Each
 * figure is the median of five runs after one to warm up, taken in turn so that both see the same machine. nginx
 * has one worker, sendfile, and a separate certificate; the file is in the page cache.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, startServerProcess } from '../test/faults/child.ts';
import { openPort } from '../test/ports.ts';
import { buildServer } from '../tools/server.ts';
import { median, report } from './report.ts';

const SIZE = 1024 ** 3;
const SEEK = 1024 ** 2;
const SEEKS = 300;
const RUNS = 5;
const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString());

const program = await buildServer();
const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const stops: (() => Promise<unknown>)[] = [];
try {
  await bench();
} finally {
  for (const stop of stops.toReversed()) await stop();
  rmSync(home, { recursive: true, force: true });
}

interface Side {
  url: string;
  headers: Record<string, string>;
  pid: number;
}

async function bench(): Promise<void> {
  const media = join(home, 'media');
  const file = makeFile(media);
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      join(home, 'key.pem'),
      '-out',
      join(home, 'cert.pem'),
    ],
    { stdio: 'ignore' },
  );
  for (const scheme of ['http', 'https'] as const) {
    const ours = await startOurs(scheme, media);
    const theirs = await startNginx(scheme, file);
    compare(scheme, ours, theirs);
    await seeks(scheme, ours, theirs);
    for (const stop of stops.splice(0).toReversed()) await stop();
  }
}

/** A short real film, followed by a box that players skip, full of what does not compress. */
function makeFile(media: string): string {
  const folder = join(media, 'Large Film (2020)');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'Large Film (2020).mp4');
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=64x64:rate=5:duration=20',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
    path,
  ]);
  const head = statSync(path).size;
  const fd = openSync(path, 'a');
  const box = Buffer.alloc(8);
  box.writeUInt32BE(SIZE - head, 0);
  box.write('free', 4);
  writeSync(fd, box);
  const block = randomBytes(2 ** 20);
  for (let at = head + 8; at < SIZE; at += block.length)
    writeSync(fd, block.subarray(0, Math.min(block.length, SIZE - at)));
  closeSync(fd);
  return path;
}

async function startOurs(scheme: 'http' | 'https', media: string): Promise<Side> {
  const child = await startServerProcess({
    program,
    data: join(home, `data-${scheme}`),
    cache: join(home, 'cache'),
    media,
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_TLS_ENABLED: String(scheme === 'https') },
  });
  stops.push(() => child.stop());
  assert.ok(await child.ready, child.output());
  const url = child.url.replace('http:', `${scheme}:`);
  // The certificate is the server's own.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  process.removeAllListeners('warning');
  const { body } = await ask<{ token: string }>({ url }, 'POST', '/api/v1/setup', {
    body: { name: 'Bench', password: 'four warm brown bread rolls' },
  });
  for (let i = 0; i < 300; i++) {
    const page = await ask<{ items: { id: string }[] }>({ url }, 'GET', '/api/v1/library', { token: body.token });
    const item = page.body.items[0];
    if (item)
      return { url: `${url}/media/${item.id}`, headers: { authorization: `Bearer ${body.token}` }, pid: child.pid };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the film did not appear');
}

async function startNginx(scheme: 'http' | 'https', file: string): Promise<Side> {
  const { port } = await openPort();
  const conf = join(home, `nginx-${scheme}.conf`);
  const tls = scheme === 'https' ? `ssl_certificate ${home}/cert.pem; ssl_certificate_key ${home}/key.pem;` : '';
  writeFileSync(
    conf,
    `daemon off; worker_processes 1; pid ${home}/nginx.pid; error_log ${home}/nginx.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 64; }
    http { access_log off; sendfile on; default_type video/mp4; client_body_temp_path ${home}/nb; proxy_temp_path ${home}/np; fastcgi_temp_path ${home}/nf; uwsgi_temp_path ${home}/nu; scgi_temp_path ${home}/ns;
      keepalive_requests 100000;
      server { listen 127.0.0.1:${port}${scheme === 'https' ? ' ssl' : ''}; ${tls} location = /film.mp4 { alias "${file}"; } } }`,
  );
  const child = spawn('/usr/sbin/nginx', ['-c', conf, '-e', `${home}/nginx.log`], { stdio: 'inherit' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  stops.push(() => {
    child.kill('SIGTERM');
    return ended;
  });
  const url = `${scheme}://127.0.0.1:${port}/film.mp4`;
  for (let i = 0; spawnSync('curl', ['-sk', '-I', '-o', '/dev/null', url]).status !== 0; i++) {
    if (i > 50) throw new Error('nginx did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const worker = Number(
    execFileSync('pgrep', ['-P', String(child.pid)])
      .toString()
      .trim()
      .split('\n')[0],
  );
  return { url, headers: {}, pid: worker };
}

/** CPU seconds of a process so far, all its threads together (proc(5), fields 14 and 15). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Returns MiB per second and CPU seconds per GiB. */
function download({ url, headers, pid }: Side): { rate: number; cpu: number } {
  const before = cpuOf(pid);
  const args = [
    '-sk',
    '-o',
    '/dev/null',
    '-w',
    '%{size_download} %{time_total} %{time_starttransfer} %{http_code}',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ];
  const [size, total, first, code] = execFileSync('curl', args).toString().split(' ').map(Number) as [
    number,
    number,
    number,
    number,
  ];
  assert.deepEqual([code, size], [200, SIZE]);
  return { rate: SIZE / 2 ** 20 / (total - first), cpu: cpuOf(pid) - before };
}

function compare(scheme: 'http' | 'https', ours: Side, theirs: Side): void {
  download(ours);
  download(theirs);
  const mine = [];
  const nginx = [];
  for (let i = 0; i < RUNS; i++) {
    mine.push(download(ours));
    nginx.push(download(theirs));
  }
  const rate = median(mine.map((run) => run.rate));
  const other = median(nginx.map((run) => run.rate));
  const aim = scheme === 'http' ? 0.75 : 1;
  report({
    what: `/media 1 GiB over ${scheme}`,
    figure: `${rate.toFixed(0)} MiB/s, ${(rate / other).toFixed(2)} × nginx`,
    aim: `${aim} ×`,
    met: rate / other >= aim,
    note: `nginx ${other.toFixed(0)} MiB/s`,
  });
  const cpu = median(mine.map((run) => run.cpu));
  const otherCpu = median(nginx.map((run) => run.cpu));
  report({ what: `CPU a GiB over ${scheme}`, figure: `${cpu.toFixed(2)} s`, note: `nginx ${otherCpu.toFixed(2)} s` });
}

async function seeks(scheme: 'http' | 'https', ours: Side, theirs: Side): Promise<void> {
  const places = Array.from({ length: SEEKS }, (_, i) => ((i * 7_919_317) % (SIZE / 4096 - SEEK / 4096)) * 4096);
  const mine: number[][] = [];
  const nginx: number[][] = [];
  await seekAll(ours, places);
  await seekAll(theirs, places);
  for (let i = 0; i < RUNS; i++) {
    mine.push(await seekAll(ours, places));
    nginx.push(await seekAll(theirs, places));
  }
  const aim = scheme === 'http' ? 0.75 : 1;
  const middle = median(mine.map(median));
  const other = median(nginx.map(median));
  report({
    what: `seek and read 1 MiB over ${scheme}`,
    figure: `${middle.toFixed(2)} ms, ${(other / middle).toFixed(2)} × nginx`,
    aim: `${aim} ×`,
    met: other / middle >= aim,
    note: `nginx ${other.toFixed(2)} ms; ratio of requests a second`,
  });
}

/** Milliseconds of each seek, one after the other on one connection. */
async function seekAll({ url, headers }: Side, places: readonly number[]): Promise<number[]> {
  const isTls = url.startsWith('https:');
  const agent = isTls
    ? new HttpsAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    : new HttpAgent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (const at of places) {
    const began = performance.now();
    const got = await new Promise<number>((resolve, reject) => {
      const asked = (isTls ? httpsRequest : httpRequest)(
        url,
        { agent, headers: { ...headers, range: `bytes=${at}-${at + SEEK - 1}` } },
        (reply) => {
          let size = 0;
          reply.on('data', (bytes: Buffer) => void (size += bytes.length));
          reply.on('end', () => resolve(reply.statusCode === 206 ? size : -1));
          reply.on('error', reject);
        },
      );
      asked.on('error', reject);
      asked.end();
    });
    assert.equal(got, SEEK);
    times.push(performance.now() - began);
  }
  agent.destroy();
  return times;
}
