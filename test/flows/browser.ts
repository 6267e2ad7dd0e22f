/**
 * A browser, and a house to look at: the real server with the built dashboard, the demo library and the stand-in
 * providers, on separate folders.
 *
 * Every page is watched while it is used: an error in the console, a breach of the content security policy or a
 * script that fails makes `close` fail.
 */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { makeDemo } from '../../demo/make.ts';
import { chance } from '../chance.ts';
import { type Child, startServerProcess } from '../faults/child.ts';
import { openPort } from '../ports.ts';
import { type Fixtures, startStandIns, type StandIns } from '../stand-ins/index.ts';
import { advance, appears, evaluate, inRealTime, type RealTime, settled, stopTime, withHeldTimers } from './settled.ts';
import { until, WAIT_LIMIT_MS } from '../until.ts';

export { advance, appears, settled, withHeldTimers };

const top = fileURLToPath(new URL('../../', import.meta.url));
/** Made once and kept: it takes a minute. */
const DEMO = join(top, 'dist/flows');
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  // Pages of tests live for seconds: optimising their scripts costs more than it saves.
  '--js-flags=--max-optimized-bytecode-size=1',
];
/** The shell does without what windows need, and takes a sixth less CPU time; not every release of Debian has it. */
const EXECUTABLES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export const OWNER = { name: 'Ada', password: 'four warm brown bread rolls' };

export interface Home {
  server: Child;
  standIns: StandIns;
  url: string;
  media: string;
  data: string;
  cache: string;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface HomeNeeds {
  env?: Record<string, string>;
  /** Returns settings that name the address of the home. */
  envOf?: (url: string) => Record<string, string>;
  /** With TLS, by the certificate that the server makes for itself. */
  isSecure?: boolean;
  /** Puts more into the library, and what the providers have for it, before anything starts. */
  prepare?: (house: { media: string; fixtures: Fixtures }) => Promise<void>;
  /** Folder with the data and the cache of a home that was stopped, which this one takes over. */
  from?: string;
}

/** Homes that are not closed yet. */
const openHomes = new Set<Home>();

export async function openHome({
  env = {},
  envOf = () => ({}),
  isSecure = false,
  prepare,
  from,
}: HomeNeeds = {}): Promise<Home> {
  assert.ok(existsSync(join(top, 'dist/web/index.html')), 'the dashboard is built first: npm run build');
  await makeDemo(DEMO);
  const home = mkdtempSync(join(tmpdir(), 'matinee-flow-'));
  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
  copyTree(join(DEMO, 'media'), folders.media);
  for (const part of ['data', 'cache'] as const)
    if (from !== undefined) cpSync(join(from, part), folders[part], { recursive: true });
  const fixtures = JSON.parse(readFileSync(join(DEMO, 'providers.json'), 'utf8')) as Fixtures;
  await prepare?.({ media: folders.media, fixtures });
  const standIns = await startStandIns({ fixtures });
  // Held, because a page keeps its address while the server restarts.
  const { port, release } = await openPort();
  // A secure context, as a browser asks it for the service worker.
  const url = `${isSecure ? 'https' : 'http'}://localhost:${port}`;
  const open = async () => {
    const server = await startServerProcess({
      ...folders,
      port,
      // Five seconds of CPU time less for each test file.
      isShortLived: true,
      env: {
        ...standIns.environment,
        SERVICE_SCAN_INTERVAL: '0s',
        ...(isSecure && { SERVICE_TLS_ENABLED: 'true' }),
        ...env,
        ...envOf(url),
      },
    });
    assert.ok(await server.ready, server.output());
    return server;
  };
  const opened: Home = {
    server: await open(),
    standIns,
    url,
    media: folders.media,
    data: folders.data,
    cache: folders.cache,
    restart: async () => {
      await opened.server.stop();
      opened.server = await open();
    },
    close: async () => {
      openHomes.delete(opened);
      await opened.server.stop();
      release();
      await standIns.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  openHomes.add(opened);
  return opened;
}

/** Puts a library of the demo into a folder of this home, and returns the folder. Only its films are there already. */
export function addDemoFolder(home: Pick<Home, 'media'>, name: 'audiobooks' | 'books' | 'music' | 'photos'): string {
  const folder = join(dirname(home.media), name);
  copyTree(join(DEMO, name), folder);
  return folder;
}

/** Links, because nothing changes a video; files that the server writes next to one are separate. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyTree(join(from, entry.name), join(to, entry.name));
    else place(join(from, entry.name), join(to, entry.name));
  }
}

/** Temporary files may lie on another disk than the project, and no link leads from one to the other. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

export interface View {
  page: Page;
  context: BrowserContext;
  /** Faults of the page so far. */
  complaints: string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;
export const openBrowser = (): Promise<Browser> =>
  (browser ??= chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? EXECUTABLES.find(existsSync) ?? 'chromium',
    args: FLAGS,
  }));
export const closeBrowser = async (): Promise<void> => {
  const open = await browser;
  browser = undefined;
  await open?.close();
};

/**
 * Closes the browser, and every home that is still open: what a flow does at its end, also if it did not get as far as
 * having a home.
 */
export async function closeAll(): Promise<void> {
  await closeBrowser();
  for (const home of openHomes) await home.close();
}

export interface ViewNeeds {
  /** The browser's language: English unless given. */
  locale?: string;
  width?: number;
  height?: number;
  theme?: 'dark' | 'light';
  /** With fingers, which are sent through the debugger. */
  isTouch?: boolean;
  /** Blocks the service worker: a route of a test cannot change the files that it keeps. */
  isWithoutWorker?: boolean;
  /** Why the time of the page runs. Without a reason, only `advance` and timers that the page owes move it. */
  realTime?: RealTime;
  /** Address of a proxy that leads to a server whose certificate no authority has signed. */
  proxy?: string;
  /** Sentences that this flow provokes. */
  expected?: RegExp;
}

/** Opens a window. A console error that is only a refused request which the flow provokes is no complaint. */
export async function openView(
  home: Pick<Home, 'url'>,
  {
    width = 1280,
    height = 800,
    theme = 'dark',
    isTouch = false,
    isWithoutWorker = false,
    realTime,
    proxy,
    expected = /^$/,
    locale = 'en-GB',
  }: ViewNeeds = {},
): Promise<View> {
  const context = await (
    await openBrowser()
  ).newContext({
    baseURL: home.url,
    // The certificate of a home is its own.
    ignoreHTTPSErrors: home.url.startsWith('https:'),
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: isTouch,
    reducedMotion: 'reduce',
    locale,
    serviceWorkers: isWithoutWorker ? 'block' : 'allow',
    ...(proxy !== undefined && { proxy: { server: proxy }, ignoreHTTPSErrors: true }),
  });
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  if (realTime === undefined) await stopTime(context);
  const page = await context.newPage();
  if (SLOW_SEED !== undefined) await slowDown(page);
  watchRequests(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refused request is written there by the browser itself, without the page's doing.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + " +
      "event.violatedDirective + ' ' + event.blockedURI))",
  );
  return {
    page,
    context,
    complaints,
    close: async () => {
      await context.close();
      assert.deepEqual(
        complaints.filter((text) => !expected.test(text)),
        [],
      );
    },
  };
}

/** Requests that each page has sent and not seen the end of. */
const openRequests = new WeakMap<Page, Set<Request>>();
/** Kinds of requests that stay open for as long as a page is, or as a film plays. */
const LASTING = ['eventsource', 'websocket', 'media'];
/** Bytes of films, and reports of a player that may outlive their page. */
const OF_PLAYING = /\/(media|hls|trickplay)\/|\/progress$/;
function watchRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  const isLasting = (request: Request): boolean =>
    LASTING.includes(request.resourceType()) || OF_PLAYING.test(new URL(request.url()).pathname);
  page.on('request', (request) => {
    // Another document: the end of what the one before has asked for is not always told.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    if (!isLasting(request)) open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
}

const drawn = (page: Page): Promise<unknown> =>
  evaluate(page, inRealTime('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))'));

/**
 * Holds requests of a page until it has the replies to all others, and has drawn what they brought. Returns the end of
 * that. It must end before a player is left: while requests pass through the debugger, those that outlive a document
 * are lost with it (5 of 25 sessions stayed open, none of 50 otherwise).
 */
export async function replyLast(page: Page, url: string): Promise<() => Promise<void>> {
  const open = openRequests.get(page) ?? new Set();
  const held = new Set<Request>();
  await page.route(url, async (route) => {
    held.add(route.request());
    let quiet = 0;
    await until(`the last reply to be ${url}`, async () => {
      await drawn(page);
      quiet = [...open].every((one) => held.has(one)) ? quiet + 1 : 0;
      return quiet >= 3;
    });
    await route.fallback();
  });
  return () => page.unroute(url);
}

/** Waits until an expression is true in the page. Throws with its last value and the text that the page shows. */
export async function untilPage(page: Page, expression: string): Promise<void> {
  // Asked from outside, because the page's policy lets no text become code.
  await until(expression, () => evaluate(page, expression), { everyMs: 30 }).catch(async (error: unknown) =>
    assert.fail(`${String(error)}; ${page.url()} shows: ${String(await evaluate(page, 'document.body.innerText'))}`),
  );
}

/**
 * Whether the video has played at all, or the moment of a time; an expression for the page. What has been
 * played is a fact that stays, so that a slow machine does not look at it too late.
 */
export const hasPlayed = (at?: number): string =>
  `(({ played }) => [...Array(played.length).keys()].some((n) => ${
    at === undefined ? 'true' : `played.start(n) <= ${at} && ${at} < played.end(n)`
  }))(document.querySelector('video') ?? { played: [] })`;
/** Notes where films begin, as `begunAt`: a script for the page. A page that looks later finds them played on. */
export const NOTE_BEGIN = `for (const name of ['loadstart', 'seeking', 'loadeddata'])
  document.addEventListener(name, ({ target }) => {
    if (name === 'loadstart') globalThis.begunAt = undefined;
    else globalThis.begunAt ??= target.currentTime;
  }, true);`;

/**
 * Waits until every picture is there and nothing moves. What moves is brought to its end at once:
 * colours on their way to others are not to be judged, and drawing each step of a thousand elements takes a second.
 */
export async function calm(page: Page): Promise<void> {
  await untilPage(
    page,
    `(() => {
      const moving = document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().iterations !== Infinity);
      for (const one of moving) one.finish();
      return moving.length === 0 && [...document.images].every((image) => image.complete || image.loading === 'lazy');
    })()`,
  );
}

/** `SLOW=random` makes every page slow, with another order of replies in each run; `SLOW=12345` repeats one of them. */
const slow = process.env['SLOW'];
const SLOW_SEED =
  slow === undefined ? undefined : slow === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(slow);
const random = chance(SLOW_SEED ?? 0);
if (SLOW_SEED !== undefined) process.stderr.write(`pages are slow: SLOW=${SLOW_SEED}\n`);

/** Slows the page's processor down, and changes the latency of its network all the time, so that replies overtake. */
async function slowDown(page: Page): Promise<void> {
  const context = page.context();
  const debug = await context.newCDPSession(page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await debug.send('Network.enable');
  let offline = false;
  const setOffline = context.setOffline.bind(context);
  context.setOffline = (is) => setOffline((offline = is));
  const change = () =>
    debug.send('Network.emulateNetworkConditions', {
      offline,
      latency: 150 + 250 * random(),
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  await change();
  // Until the page is closed.
  const timer = setInterval(() => change().catch(() => clearInterval(timer)), 100).unref();
}
