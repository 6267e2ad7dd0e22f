/**
 * Away from home in a browser: the public name leads to the public listener, sign-in is by a code that is approved at
 * home, nothing is administered, and the switch of an Owner cuts a film that is playing.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { openPort } from '../ports.ts';
import { startAuthority } from '../../src/remote/certificates/testing-authority.ts';
import { DNS_TOKENS } from '../../src/remote/dns/testing-services.ts';
import { keepCertificate, PUBLIC_HOST, REMOTE_ENV } from '../remote-world.ts';
import { violations } from './axe.ts';
import {
  advance,
  appears,
  closeAll,
  type Home,
  openView,
  OWNER,
  settled,
  untilPage,
  type View,
  type ViewNeeds,
} from './browser.ts';
import { type Ids, openSettledHome, openSignedIn } from './places.ts';

let home: Home;
let owner: string;
let viewer: string;
let ids: Ids;
let router: Router;

/** In place of the internet: leads the public name to the public listener, and counts what is open. */
interface Router {
  url: string;
  open(): number;
  close(): Promise<void>;
}

async function startRouter(port: number): Promise<Router> {
  const tunnels = new Set<Socket>();
  const server: Server = createServer((_request, reply) => void reply.writeHead(502).end());
  server.on('connect', ({ url }: IncomingMessage, near: Socket) => {
    near.on('error', () => {});
    if (url !== `${PUBLIC_HOST}:443`) return void near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const far = connect(port, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      near.pipe(far).pipe(near);
      tunnels.add(far);
    });
    far.on('error', () => near.destroy()).on('close', () => (tunnels.delete(far), near.destroy()));
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => tunnels.size,
    close: () =>
      new Promise<void>((resolve) => {
        for (const one of tunnels) one.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

before(async () => {
  const { port } = await openPort();
  const opened = await openSettledHome({
    env: { ...REMOTE_ENV, SERVICE_REMOTE_LISTEN: `127.0.0.1:${port}` },
    prepare: ({ media }) => keepCertificate(join(dirname(media), 'data'), { now: () => Date.now() }),
  });
  ({ home, token: owner, ids } = opened);
  router = await startRouter(port);
  const policy = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true };
  const body = { name: 'Vic', password: 'nine tall green garden doors', policy };
  viewer = (await ask<{ id: string }>(home.server, 'POST', '/api/v1/profiles', { token: owner, body })).body.id;
});
after(async () => {
  await closeAll();
  await router?.close();
});

/** Opens a window away from home. Its certificate is one that no authority has signed. */
const openAway = (needs: ViewNeeds = {}): Promise<View> =>
  openView({ url: `https://${PUBLIC_HOST}` }, { ...needs, isWithoutWorker: true, proxy: router.url });

/** Signs in with a code, which the Owner approves at home. */
async function signInByCode({ page }: View, profile?: string): Promise<void> {
  await page.goto('/');
  await page.waitForURL(/\/sign-in/);
  await page.getByRole('button', { name: 'Get a code' }).click();
  const shown = await page.getByRole('img', { name: /^Code: / }).innerText();
  const path = `/api/v1/quick-connect/${shown.replaceAll(/\D/g, '')}`;
  const approved = await ask(home.server, 'POST', path, {
    token: owner,
    body: profile === undefined ? {} : { profile },
  });
  assert.equal(approved.status, 204);
  // It asks every two seconds.
  await advance(page, 2_000);
  await page.waitForURL(/\/$/);
}

test('away, sign-in offers a code and no password, on every screen', async () => {
  for (const needs of [{ width: 360, height: 740 }, {}, { width: 1920, height: 1080, theme: 'light' }] as const) {
    const view = await openAway(needs);
    const { page } = view;
    await page.goto('/');
    await page.waitForURL(/\/sign-in/);
    await page.getByText('You are away from home.').waitFor();
    assert.equal(await page.getByLabel('Password').count(), 0);
    await settled(page);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Get a code' }).click();
    await page.getByRole('img', { name: /^Code: / }).waitFor();
    await page.getByText('At home, an owner opens their account').waitFor();
    assert.deepEqual(await violations(page), []);
    await view.close();
  }
});

test('an Owner who is away watches, and finds the settings at home', async () => {
  const view = await openAway();
  const { page } = view;
  await signInByCode(view);
  await settled(page);
  assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
  for (const path of ['/settings', '/settings/profiles', '/subtitles', '/subtitles/cleanup']) {
    await page.goto(path);
    await page.getByText('Available at home').waitFor();
    assert.deepEqual(await violations(page), [], path);
  }
  await page.goto('/account');
  await page.getByText('are managed at home').waitFor();
  for (const name of ['Password', 'Second factor', 'Connect a device'])
    assert.equal(await page.getByRole('region', { name, exact: true }).count(), 0, name);
  await view.close();
});

test('the pages of a Viewer who is away ask for nothing that does not exist there', async () => {
  const view = await openAway();
  const { page } = view;
  const missing: string[] = [];
  page.on('response', (reply) => {
    if (reply.status() === 404) missing.push(`${reply.request().method()} ${new URL(reply.url()).pathname}`);
  });
  await signInByCode(view, viewer);
  const { film, show } = ids;
  for (const path of ['/', '/library', `/item/${film}`, `/show/${show}`, '/list', '/playlists', '/collections']) {
    await page.goto(path);
    await settled(page);
  }
  for (const path of ['/history', '/account', '/about', '/search?q=a', '/settings']) {
    await page.goto(path);
    await settled(page);
  }
  assert.deepEqual(missing, []);
  await view.close();
});

test('the button of an Owner cuts a film that is playing away, and allows access again with a proof', async (t) => {
  const view = await openAway({ expected: /./ });
  const { page } = view;
  await signInByCode(view, viewer);
  const atHome = await openSignedIn(home, { isWithoutWorker: true });
  await atHome.page.goto('/settings/remote');
  const button = atHome.page.getByRole('button', { name: 'Cut off remote access' });
  await button.waitFor();
  // A minute later than the proof lasts: cutting asks for none, and allowing does.
  const db = new DatabaseSync(join(home.data, 'matinee.db'), { timeout: 60_000 });
  db.exec('update identity_session set proved_at = proved_at - 660000');
  db.close();
  await home.restart();
  await page.goto(`/play/${ids.film}`);
  await untilPage(page, "document.querySelector('video')?.readyState >= 2");
  assert.ok(router.open() > 0);
  await atHome.page.goto('/settings/remote');
  await button.waitFor();
  await settled(atHome.page);
  const pressed = performance.now();
  await button.click();
  await atHome.page.getByText('An owner cut off remote access (').waitFor();
  // The server says so once nothing is open any more, so there is nothing to wait for.
  assert.equal(router.open(), 0, 'a connection from outside is left');
  t.diagnostic(`everything cut ${Math.round(performance.now() - pressed)} ms after the click`);
  assert.deepEqual(await violations(atHome.page), []);
  await assert.rejects(page.goto('/'), /ERR_/);
  await atHome.page.getByRole('button', { name: 'Allow access again' }).click();
  const proof = atHome.page.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByLabel('Password').fill(OWNER.password);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await button.waitFor();
  await page.goto('/');
  await page.waitForURL(/\/sign-in/);
  await page.getByText('You are away from home.').waitFor();
  await atHome.close();
  await view.close();
});

test('the page shows every check in German on a phone, and what the environment decides as fixed', async () => {
  const view = await openSignedIn(home, { width: 360, height: 740, locale: 'de-DE', isWithoutWorker: true });
  const { page } = view;
  await page.goto('/settings/remote');
  await page.getByRole('heading', { name: 'Fernzugriff' }).waitFor();
  const checks = page.getByRole('region', { name: 'Prüfungen' }).locator('li');
  await checks.first().waitFor();
  assert.equal(await checks.count(), 6);
  await page.getByText('Der Server nimmt Fernzugriffe an Port').first().waitFor();
  await page.getByText('SERVICE_DNS_A_DOMAIN').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Fernzugriff ausschalten' }).count(), 0);
  await settled(page);
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await view.close();
});

test('it is set up on its page, checked by a third party, and turned off', async (t) => {
  const { port, release } = await openPort();
  t.after(release);
  const authority = await startAuthority({ tlsPort: port, callerAddress: '127.0.0.1' });
  t.after(() => authority.close());
  const { home: plain } = await openSettledHome({
    env: {
      NODE_EXTRA_CA_CERTS: join(authority.folder, 'cert.pem'),
      SERVICE_ACME_DIRECTORY: authority.directory,
      SERVICE_ACME_PROBE_DIRECTORY: authority.directory,
      SERVICE_ACME_RESOLVER: authority.resolver,
      SERVICE_ACME_DNS_A_URL: authority.services.url,
      SERVICE_REMOTE_LISTEN: `127.0.0.1:${port}`,
    },
  });
  t.after(() => plain.close());
  const view = await openSignedIn(plain, { isWithoutWorker: true });
  const { page } = view;
  await page.goto('/settings/remote');
  const setUp = page.getByRole('region', { name: 'Setup' });
  const press = async (name: string): Promise<void> => {
    await setUp.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  await page.getByText('Matinee can be reached in your home network only.').waitFor();
  await setUp.getByLabel('Subdomain').fill('https://film.duckdns.org/');
  await setUp.getByText('Your address will be https://film.duckdns.org').waitFor();
  await setUp.getByLabel('Token').fill('short');
  await press('Save and turn on');
  await setUp.getByRole('alert').filter({ hasText: /32/ }).waitFor();
  assert.deepEqual(await violations(page), []);
  await setUp.getByLabel('Token').fill(DNS_TOKENS.dns_a);
  await press('Save and turn on');
  await setUp.getByText('Saved. Restart the server to use it').waitFor();
  await press('Restart now');
  await appears(setUp.getByText('The certificate authority issues the certificate that browsers trust.'));
  assert.deepEqual(authority.services.asked, [], 'nothing leaves it before the terms are accepted');
  await settled(page);
  assert.deepEqual(await violations(page), []);

  await press('I have read the terms and accept them');
  await appears(page.getByText('The server listens for remote access. No device outside has reached it'));
  await setUp.getByText('The terms of the certificate authority are accepted.').waitFor();
  await press('Check without a phone');
  await appears(setUp.getByText('A third party has connected to the server through the public address at'));
  await settled(page);
  assert.deepEqual(await violations(page), []);

  await press('Turn off remote access');
  // It is in force until the restart, so the listener is still there.
  await setUp.getByRole('button', { name: 'Save and turn on' }).waitFor();
  await isOpen(port);
  await page.getByRole('button', { name: 'Restart now' }).click();
  await appears(page.getByText('Matinee can be reached in your home network only.'));
  await assert.rejects(isOpen(port), { code: 'ECONNREFUSED' });
  await view.close();
});

/** Resolves if something listens at a port of this machine. */
const isOpen = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()));
    socket.once('error', reject);
  });
