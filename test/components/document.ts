/**
 * Puts a document of happy-dom into the global scope, where components expect one. Node keeps its own timers, network
 * and streams: tests replace those, and happy-dom's would wrap them.
 */
import { Window } from 'happy-dom';

/** Address of the page that components are drawn into. */
const ADDRESS = 'http://matinee.test/';

/** Globals that Node has in another form than a document takes. */
const OF_THE_DOCUMENT: ReadonlySet<string> = new Set([
  'Event',
  'EventTarget',
  'CustomEvent',
  'FormData',
  'navigator',
  'localStorage',
  'sessionStorage',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
]);

/** Passes messages on as a document does. Node's own channel would keep the process alive. */
class DocumentChannel {
  readonly port1: { onmessage?: (message: { data: unknown }) => void } = {};
  readonly port2 = { postMessage: (data: unknown) => void setImmediate(() => this.port1.onmessage?.({ data })) };
}

export function openDocument(): void {
  Object.assign(globalThis, { MessageChannel: DocumentChannel });
  const window = new Window({ url: ADDRESS, width: 1280, height: 800 });
  const own = new Set<string>();
  for (let from: object = window; from !== Object.prototype; from = Object.getPrototypeOf(from) as object)
    for (const name of Object.getOwnPropertyNames(from)) own.add(name);
  for (const name of own) {
    if (name === 'constructor' || (name in globalThis && !OF_THE_DOCUMENT.has(name))) continue;
    const value: unknown = window[name as keyof typeof window];
    Object.defineProperty(globalThis, name, {
      configurable: true,
      writable: true,
      value:
        typeof value === 'function' && !/^[A-Z]/.test(name)
          ? (value as (...given: unknown[]) => unknown).bind(window)
          : value,
    });
  }
}
