/**
 * Follows the server's event stream while someone is signed in. An event carries no data to show: it names
 * what to read again. Bursts (a scan adds items for minutes) are gathered, so that a page reads at most once
 * in a second and a half.
 */
import type { Event as ServerEvent, Task } from '../../contract/ops/operations.ts';
import { createStore } from '../lib/store.ts';
import { call } from './client.ts';
import { queries, readAgain } from './query.ts';
import { newestEvent } from './send.ts';
import { createPendingState, later } from '../lib/pending-work.ts';

const URL_OF_EVENTS = '/api/v1/events';
const GATHER_MS = 1500;

/** Whether the server can be heard now. */
export const isConnected = createStore(true);

type Heard = (event: ServerEvent) => void;
const listeners = new Set<Heard>();
/** Calls a listener for every event. Returns a function that removes it. */
export const onEvent = (listener: Heard): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const rereads: Record<Exclude<ServerEvent['kind'], 'hello'>, () => void> = {
  task: () => readAgain('tasks'),
  catalog: () => {
    readAgain('catalog');
    readAgain('music');
    readAgain('playlists');
    readAgain('smartPlaylists');
    readAgain('collections');
    readAgain('libraries', 'list');
    // Another policy has another time.
    readAgain('viewing');
  },
  subtitles: () => {
    readAgain('subtitles');
    readAgain('wantedSubtitles');
    readAgain('subtitleAudit');
    readAgain('workbench');
    readAgain('catalog', 'item');
  },
  watching: () => {
    readAgain('catalog');
    readAgain('music');
    readAgain('smartPlaylists');
    readAgain('collections');
    readAgain('watching');
    readAgain('audiobooks');
  },
  lists: () => {
    readAgain('playlists');
    readAgain('smartPlaylists');
    readAgain('collections');
  },
  configuration: () => {
    readAgain('configuration');
    readAgain('hardware');
    readAgain('remoteAccess');
    readAgain('trustedHttps');
  },
  playback: () => {
    readAgain('playbackSessions');
    readAgain('hardware');
  },
  requests: () => {
    readAgain('requests');
    readAgain('viewing');
  },
  security: () => readAgain('security'),
  missed: () => void queries.invalidateQueries(),
};
const KINDS = ['hello', ...Object.keys(rereads)];

const waiting = new Set<Exclude<ServerEvent['kind'], 'hello'>>();
let isGathering = false;
function gather(kind: Exclude<ServerEvent['kind'], 'hello'>): void {
  waiting.add(kind);
  if (isGathering) return;
  isGathering = true;
  later(GATHER_MS, () => {
    isGathering = false;
    const kinds = [...waiting];
    waiting.clear();
    for (const one of kinds) rereads[one]();
  });
}

/** Puts a task's newest state where the tasks page and the wizard read it. */
function keepTask(task: Task): void {
  queries.setQueryData(['tasks', 'read', { task: task.id }], task);
}

/** Opens the stream at once instead of when the browser would try again. */
export let reopenEvents = (): void => {};

/** Opens the stream, and again after it breaks; the returned function ends it. */
export function followEvents(): () => void {
  let source: EventSource | undefined;
  let cancelRetry: (() => void) | undefined;
  /** Number of the last event of this stream; undefined while it has brought none. */
  let last: number | undefined;
  let isOpening = false;
  const setAwaited = createPendingState('event');
  const look = () => setAwaited(isOpening || (last !== undefined && newestEvent.get() > last));
  let wait = 2000;
  let isFirst = true;
  const heard = (message: MessageEvent<string>) => {
    let event: ServerEvent;
    try {
      event = JSON.parse(message.data) as ServerEvent;
    } catch {
      return;
    }
    if (event.task) keepTask(event.task);
    for (const listener of [...listeners]) listener(event);
    if (event.kind !== 'hello') gather(event.kind);
    last = Number(message.lastEventId);
    isOpening = false;
    look();
  };
  const open = () => {
    source = new EventSource(URL_OF_EVENTS);
    isOpening = true;
    look();
    for (const kind of ['message', ...KINDS]) source.addEventListener(kind, heard as (event: Event) => void);
    source.addEventListener('open', () => {
      wait = 2000;
      isConnected.set(true);
      // Events were missed while the stream was closed, so everything on show is read again.
      if (!isFirst) gather('missed');
      isFirst = false;
    });
    source.addEventListener('error', () => {
      isConnected.set(false);
      // All is read again once the stream is open, and numbers of another run of the server mean nothing.
      newestEvent.set(0);
      last = undefined;
      isOpening = false;
      look();
      if (source?.readyState !== EventSource.CLOSED) return;
      // The server refused the stream, perhaps because another tab signed out: the reply to this call redirects if so.
      call.session.read({}).catch(() => undefined);
      cancelRetry = later(wait, open, { isBackground: true });
      wait = Math.min(wait * 2, 60_000);
    });
  };
  const close = () => {
    source?.close();
    newestEvent.set(0);
    last = undefined;
    isOpening = false;
    look();
    cancelRetry?.();
  };
  reopenEvents = () => {
    close();
    open();
  };
  open();
  // Reads at once what failed while this device was offline.
  const onOnline = () => {
    if (source?.readyState !== EventSource.OPEN) reopenEvents();
    gather('missed');
  };
  addEventListener('online', onOnline);
  const unfollow = newestEvent.subscribe(look);
  return () => {
    removeEventListener('online', onOnline);
    unfollow();
    close();
    reopenEvents = () => {};
    isConnected.set(true);
  };
}
