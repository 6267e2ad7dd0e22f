/** Remote access on the whole server: what opens it, what it shows, and the switch that cuts it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import {
  askOutside,
  makeRemoteFolders,
  openOutside,
  PUBLIC_HOST,
  REMOTE_ENV,
  type OutsideAsked,
} from './remote-world.ts';
import { until } from './until.ts';
import { PASSWORD, startWorld, type World } from './world.ts';

const AT = '/api/v1/remote-access';
const KILL = `${AT}/kill`;
const NO_FACTOR = { SERVICE_REQUIRE_MFA: 'false' };

interface Check {
  name: string;
  state: string;
  sentence: string;
  text: { reason: string };
}
interface Status {
  mode: string;
  state: string;
  url?: string;
  port?: number;
  checks: Check[];
  certificate?: { state: string; names: string[] };
  terms?: { accepted: boolean };
  seen?: string;
  killedAt?: string;
}

interface House {
  world: World;
  owner: string;
  viewer: string;
  status(): Promise<Status>;
  /** Opens a session of the Viewer from outside, by a code that the Owner approves at home. */
  signInOutside(): Promise<string>;
  outside(asked: OutsideAsked): ReturnType<typeof askOutside>;
  port(): Promise<number>;
}

async function openHouse(world: World): Promise<House> {
  const { call } = world;
  await world.start();
  const made = await call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const signed =
    made.status === 201 ? made : await call(undefined, 'POST', '/api/v1/session', { name: 'Ada', password: PASSWORD });
  const owner = String(signed.body['token']);
  const policy = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true };
  const listed = await call({ token: owner }, 'GET', '/api/v1/profiles');
  const vic =
    (listed.body['items'] as { id: string; name: string }[]).find(({ name }) => name === 'Vic') ??
    (await call({ token: owner }, 'POST', '/api/v1/profiles', { name: 'Vic', password: PASSWORD, policy })).body;
  const viewer = String(vic.id);
  const status = async () => (await call({ token: owner }, 'GET', AT)).body as unknown as Status;
  const port = async () => (await status()).port ?? 0;
  const outside = async (asked: OutsideAsked) => askOutside(await port(), asked);
  const signInOutside = async () => {
    const begun = await outside({ method: 'POST', path: '/api/v1/quick-connect', body: {} });
    const code = String(begun.body['code']);
    await call({ token: owner }, 'POST', `/api/v1/quick-connect/${code}`, { profile: viewer });
    const body = { secret: begun.body['secret'] };
    const taken = await outside({ method: 'POST', path: '/api/v1/quick-connect/token', body });
    return String(taken.body['token']);
  };
  return { world, owner, viewer, status, signInOutside, outside, port };
}

async function startHouse(t: TestContext, env: Record<string, string> = {}): Promise<House> {
  const after = await makeRemoteFolders(t);
  return openHouse(await startWorld(t, { after, env: { ...REMOTE_ENV, ...NO_FACTOR, ...env } }));
}

const stateOf = ({ checks }: Status, name: string): string => {
  const { state = '', text } = checks.find((one) => one.name === name) ?? {};
  return `${state} ${text?.reason}`;
};

test('it opens with the terms and the certificate, and says what it knows and what not', async (t) => {
  const { status, outside, world } = await startHouse(t);
  const { mode, state, url, checks, certificate, terms, ...more } = await status();
  assert.deepEqual([mode, state, url], ['https', 'open', 'https://film.duckdns.org']);
  assert.deepEqual([certificate?.names, terms?.accepted, more.seen], [['film.duckdns.org'], true, undefined]);
  assert.deepEqual(
    checks.map(({ name }) => name),
    ['terms', 'address', 'certificate', 'listener', 'reached', 'home-port'],
  );
  assert.equal(stateOf({ ...more, mode, state, checks }, 'reached'), 'unknown not-reached-yet');
  assert.equal(stateOf({ ...more, mode, state, checks }, 'home-port'), 'unknown home-port-quiet');
  for (const { sentence } of checks) assert.match(sentence, /^[A-Z].*\.$/);
  const ways = await outside({ path: '/api/v1/session/ways' });
  assert.deepEqual([ways.status, ways.body['network'], ways.body['password']], [200, 'public', false]);
  const password = { method: 'POST', path: '/api/v1/session', body: { name: 'Ada', password: PASSWORD } };
  assert.equal((await outside(password)).body['reason'], 'password-at-home-only');
  assert.equal((await outside({ path: '/api/v1/setup' })).status, 404);
  // Loopback is at home: a third party has to come from elsewhere to count.
  assert.equal((await status()).seen, undefined);
  assert.equal((await world.call(undefined, 'GET', AT)).status, 401);
});

test('a request from outside at the home port is reported', async (t) => {
  const { status, world, owner } = await startHouse(t);
  const headers = { host: '198.51.100.7:38128' };
  assert.equal((await world.call(undefined, 'GET', '/api/v1/setup', undefined, headers)).status, 404);
  assert.equal(stateOf(await status(), 'home-port'), 'failed home-port-forwarded');
  const { findings } = (await world.call({ token: owner }, 'GET', '/api/v1/diagnostics')).body as {
    findings: { code: string; level: string }[];
  };
  assert.equal(findings.find(({ code }) => code === 'home-port-forwarded')?.level, 'warning');
});

test('without accepted terms it waits, and it follows them while the server runs', async (t) => {
  const { status, world, owner } = await startHouse(t, { SERVICE_REMOTE_TERMS_ACCEPTED: '' });
  const waiting = await status();
  assert.deepEqual([waiting.state, stateOf(waiting, 'terms')], ['waiting', 'failed terms-open']);
  const accept = (value: string) =>
    world.call({ token: owner }, 'PUT', '/api/v1/configuration/remote.terms_accepted', { value });
  assert.equal((await accept('true')).status, 202);
  await until('it to be open', async () => (await status()).state === 'open');
  assert.equal((await accept('false')).status, 202);
  await until('it to be closed', async () => (await status()).state === 'waiting');
});

test('off by the settings: there is no listener, and the switch works all the same', async (t) => {
  const world = await startWorld(t, { env: NO_FACTOR });
  const { status, owner } = await openHouse(world);
  assert.deepEqual(await status(), { mode: 'off', state: 'off', gateway: false, checks: [] });
  const cut = await world.call({ token: owner }, 'POST', KILL, {});
  assert.deepEqual([cut.status, cut.body['state'], typeof cut.body['killedAt']], [200, 'off', 'string']);
  assert.equal((await world.call({ token: owner }, 'DELETE', KILL)).status, 200);
  assert.equal((await status()).killedAt, undefined);
});

/** Resolves when a reply has ended, whether it is complete or cut. */
const ended = (reply: { once(event: 'close', listener: () => void): unknown; resume(): unknown }): Promise<void> =>
  new Promise((resolve) => {
    reply.once('close', resolve);
    reply.resume();
  });

test('the switch ends sessions and codes from outside, the listener and what is open, over a restart', async (t) => {
  const house = await startHouse(t);
  const { world, owner, viewer, signInOutside, outside } = house;
  const token = await signInOutside();
  const port = await house.port();
  const me = (at: number, bearer: string) => askOutside(at, { path: '/api/v1/me', token: bearer });
  assert.equal((await me(port, token)).status, 200);
  const home = await world.call(undefined, 'POST', '/api/v1/session', { name: 'Vic', password: PASSWORD });
  const stream = await openOutside(port, { path: '/api/v1/events', token });
  stream.sent.on('error', () => {});
  stream.reply.on('error', () => {});
  assert.equal(stream.reply.statusCode, 200);
  const gone = ended(stream.reply);
  const begun = await outside({ method: 'POST', path: '/api/v1/quick-connect', body: {} });
  const code = String(begun.body['code']);
  assert.equal((await world.call({ token: String(home.body['token']) }, 'POST', KILL, {})).status, 403, 'no Viewer');

  // No recent proof is needed, so that it works at once.
  world.clock.pass(11 * 60_000);
  const pressed = performance.now();
  const cut = await world.call({ token: owner }, 'POST', KILL, {});
  const tookMs = performance.now() - pressed;
  assert.deepEqual([cut.status, cut.body['state']], [200, 'killed']);
  await gone;
  t.diagnostic(`cut in ${Math.round(tookMs)} ms, the stream ended after ${Math.round(performance.now() - pressed)} ms`);
  await assert.rejects(me(port, token), { code: 'ECONNREFUSED' });
  assert.equal((await world.call({ token: owner }, 'POST', KILL, {})).status, 200, 'and once more is no failure');
  const step = { password: PASSWORD };
  assert.equal((await world.call({ token: owner }, 'POST', '/api/v1/session/step-up', step)).status, 200);
  const approve = await world.call({ token: owner }, 'POST', `/api/v1/quick-connect/${code}`, { profile: viewer });
  assert.equal(approve.body['reason'], 'no-such-code');
  assert.equal((await world.call({ token: String(home.body['token']) }, 'GET', '/api/v1/me')).status, 200);

  await world.close();
  const again = await openHouse(await startWorld(t, { after: world, env: { ...REMOTE_ENV, ...NO_FACTOR } }));
  const held = await again.status();
  assert.deepEqual([held.state, stateOf(held, 'listener')], ['killed', 'failed listener-killed']);
  const allow = () => again.world.call({ token: again.owner }, 'DELETE', KILL);
  again.world.clock.pass(11 * 60_000);
  assert.equal((await allow()).body['reason'], 'step-up-required', 'allowing needs a recent proof');
  await again.world.call({ token: again.owner }, 'POST', '/api/v1/session/step-up', step);
  const key = await again.world.call({ token: again.owner }, 'POST', '/api/v1/api-keys', {
    name: 'k',
    scopes: ['admin'],
  });
  const asKey = { token: String(key.body['secret']) };
  assert.equal((await again.world.call(asKey, 'DELETE', KILL)).status, 403, 'and no API key does it');
  const allowed = await allow();
  assert.deepEqual([allowed.status, allowed.body['state']], [200, 'open']);
  assert.equal((await me(await again.port(), token)).status, 401, 'no session is revived');
  assert.equal((await me(await again.port(), await again.signInOutside())).status, 200);
  assert.equal((await again.world.call(asKey, 'POST', KILL, {})).body['state'], 'killed', 'a key may cut');
});

const REQUEST = `GET /api/v1/session/ways HTTP/1.1\r\nhost: ${PUBLIC_HOST}\r\n\r\n`;

/** Opens a connection from outside, and sends what it has sent when the switch is used. */
async function openConnection(port: number, { sends, isBare = false }: { sends: string; isBare?: boolean }) {
  const options = { host: '127.0.0.1', port };
  const socket = isBare
    ? connect(options)
    : connectTls({ ...options, servername: PUBLIC_HOST, rejectUnauthorized: false });
  let received = '';
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.on('error', () => {}).on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')));
  await once(socket, isBare ? 'connect' : 'secureConnect');
  socket.write(sends);
  return { socket, closed, received: () => received };
}

test('the switch cuts connections in every state before it answers', async (t) => {
  const { world, owner, port } = await startHouse(t);
  const at = await port();
  const states = {
    'before its handshake': { sends: '', isBare: true },
    'before its first request': { sends: '' },
    'in the middle of a request': { sends: REQUEST.slice(0, -2) },
    'after a reply': { sends: REQUEST },
  };
  const open = await Promise.all(
    Object.entries(states).map(async ([name, given]) => ({ name, ...(await openConnection(at, given)) })),
  );
  await until('the reply to the only whole request', () => open.at(-1)?.received().includes('"network":"public"'));
  const before = open.map(({ received }) => received());
  assert.equal((await world.call({ token: owner }, 'POST', KILL, {})).status, 200);
  // A connection that is left open would be served the rest of its request.
  for (const { name, socket } of open) socket.write(name === 'in the middle of a request' ? '\r\n' : REQUEST);
  await Promise.all(open.map(({ closed }) => closed));
  open.forEach(({ name, received }, index) => assert.equal(received(), before[index], `${name}, it was served`));
});

test('an Owner has a third party asked to connect, and reads what is known of it', async (t) => {
  const off = await openHouse(await startWorld(t, { env: NO_FACTOR }));
  const prove = ({ world, owner }: House, token = owner) => world.call({ token }, 'POST', `${AT}/proof`, {});
  const refused = await prove(off);
  assert.deepEqual([refused.status, refused.body['reason']], [409, 'remote-access-closed']);
  const signed = await off.world.call(undefined, 'POST', '/api/v1/session', { name: 'Vic', password: PASSWORD });
  assert.equal((await prove(off, String(signed.body['token']))).status, 403);

  // The network of this world has no authority, which says nothing of the server.
  const house = await startHouse(t);
  const begun = await prove(house);
  assert.equal(begun.status, 202);
  await until('the end of the proof', async () => {
    const { proof } = (await house.status()) as { proof?: { isRunning: boolean; text: { reason: string } } };
    return proof?.isRunning === false && proof.text.reason === 'ca-unreachable';
  });
  assert.equal(stateOf(await house.status(), 'reached'), 'unknown ca-unreachable');
  assert.deepEqual(house.world.asked.at(-1), 'https://acme-staging-v02.api.letsencrypt.org/directory');
  await house.world.call({ token: house.owner }, 'POST', KILL);
  assert.equal((await prove(house)).body['reason'], 'remote-access-closed', 'what was cut is not tried');

  const gateway = await startHouse(t, {
    SERVICE_PUBLIC_GATEWAY: 'true',
    SERVICE_PROXY_TOKEN: 'a'.repeat(32),
  });
  assert.equal((await prove(gateway)).body['reason'], 'proof-behind-gateway');
  const recorded = async ({ world, owner: token }: House) =>
    (await world.call({ token }, 'GET', '/api/v1/activity?kind=remote-proof')).body['total'];
  assert.deepEqual(
    [await recorded(off), await recorded(house), await recorded(gateway)],
    [0, 1, 0],
    'what was tried is in the log, and what was refused is not',
  );
});
