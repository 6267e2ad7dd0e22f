/**
 * The service worker. It keeps the shell (the document, its script and styles) so that the dashboard opens
 * at once and says something useful without a connection. It never keeps a reply of the API, a media file
 * or artwork: those belong to a Profile, and the server decides on every request who may see them.
 */
import { NOT_PAGES } from '../../contract/dashboard/not-pages.ts';

interface Waits extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Installs extends Waits {
  /** Says which requests never reach this worker. Not every browser has it. */
  addRoutes?(routes: readonly { condition: object; source: 'network' }[]): Promise<void>;
}
interface Fetches extends Waits {
  request: Request;
  respondWith(reply: Promise<Response>): void;
}
interface Scope {
  addEventListener(type: 'install', on: (event: Installs) => void): void;
  addEventListener(type: 'activate', on: (event: Waits) => void): void;
  addEventListener(type: 'fetch', on: (event: Fetches) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: Location;
}
const scope = self as unknown as Scope;
const { version, files: shell, words } = __SHELL__;
/** Registered once per language, so that the words of that one are kept and of no other. */
const language = new URL(scope.location.href).searchParams.get('language') ?? 'en';
const files = [...shell, ...(words[language] ?? [])];
const CACHE = `matinee-shell-${version}-${language}`;

/**
 * The API is asked without this worker. A request would wait until the worker has started, and what a page sends while
 * it is left (how far a film was seen, the end of a session) is lost if the page has gone by then.
 */
const PAST_WORKER = [{ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' }] as const;

scope.addEventListener('install', (event) => {
  // Browsers without it, or with an earlier form of it, ask as before.
  event.waitUntil(
    Promise.resolve()
      .then(() => event.addRoutes?.(PAST_WORKER))
      .catch(() => undefined),
  );
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'reload' }))))
      .then(() => scope.skipWaiting()),
  );
});

scope.addEventListener('activate', (event) => {
  const old = (name: string) => name.startsWith('matinee-shell-') && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => scope.clients.claim()),
  );
});

/**
 * A page: the server's newest, or the kept document when the server cannot be reached. An address that the
 * server does not know gets the document too, which says so with a way home.
 */
const page = async (request: Request): Promise<Response> => {
  try {
    const reply = await fetch(request);
    if (reply.status !== 404) return reply;
    return (await caches.match('/', { cacheName: CACHE })) ?? reply;
  } catch (error) {
    const kept = await caches.match('/', { cacheName: CACHE });
    if (kept) return kept;
    throw error;
  }
};
/** A file of the shell: its name changes with its content, so a kept one is always right. */
const asset = async (request: Request): Promise<Response> =>
  (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
  if (request.mode === 'navigate' && !NOT_PAGES.test(url.pathname)) event.respondWith(page(request));
  else if (files.includes(url.pathname)) event.respondWith(asset(request));
});
