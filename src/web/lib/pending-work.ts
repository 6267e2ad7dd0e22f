/**
 * Work of this page that can still change what it shows: calls, queries, code that is loaded, timers, announced events,
 * and drawing. The root element is marked with it: `data-pending` names the kinds of work, and is empty once nothing is
 * left and the last change is drawn. It is absent until the dashboard starts.
 *
 * Everything asynchronous that changes the page is counted from the turn in which it begins to the turn in which it
 * ends, so nothing falls between two pieces of work. Pictures, videos and styles that move are not counted: the browser
 * says itself when they are done. Timers are set here and nowhere else in the dashboard.
 */

export type PendingKind =
  /** An open call. */
  | 'call'
  /** A query that is fetched or waits to be tried again. */
  | 'query'
  /** Code or words. */
  | 'import'
  /** A timer whose end changes the page. */
  | 'timer'
  /** An event that the server has named and the stream has not brought, or a stream that is being opened. */
  | 'event'
  /** Work of the next turn. */
  | 'task'
  /** Effects or drawing. */
  | 'frame'
  /** Another page or document that was asked for. */
  | 'leave';

const counts = new Map<PendingKind, number>();
/** Cancels the wait for the drawing of the last change. */
let stopDrawing: (() => void) | undefined;

function mark(): void {
  if (typeof document !== 'object') return;
  stopDrawing?.();
  stopDrawing = undefined;
  if (counts.size === 0) stopDrawing = afterDrawing(() => (document.documentElement.dataset['pending'] = ''));
  const shown = counts.size === 0 ? 'frame' : [...counts.keys()].sort().join(' ');
  if (document.documentElement.dataset['pending'] !== shown) document.documentElement.dataset['pending'] = shown;
}

/**
 * Calls back in a task after two frames: what observes sizes and visibility is notified at the end of the first. A page
 * that is not visible is not drawn, and not marked until it is.
 */
function afterDrawing(done: () => void): () => void {
  let isStopped = false;
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => runSoon(() => isStopped || done()));
  });
  return () => {
    isStopped = true;
    cancelAnimationFrame(frame);
  };
}

function add(kind: PendingKind, by: 1 | -1): void {
  const count = (counts.get(kind) ?? 0) + by;
  if (count > 0) counts.set(kind, count);
  else counts.delete(kind);
  mark();
}

/** Counts a piece of work that begins. Returns the function that ends it. */
export function beginPending(kind: PendingKind): () => void {
  let isOver = false;
  add(kind, 1);
  return () => {
    if (isOver) return;
    isOver = true;
    add(kind, -1);
  };
}

/** Counts a promise until it is settled, and returns it. */
export async function pendingUntil<T>(kind: PendingKind, promise: Promise<T>): Promise<T> {
  const end = beginPending(kind);
  try {
    return await promise;
  } finally {
    end();
  }
}

/** Returns a function that counts or ends one piece of work, by whether it is there. */
export function createPendingState(kind: PendingKind): (isPending: boolean) => void {
  let end: (() => void) | undefined;
  return (isPending) => {
    if (isPending) end ??= beginPending(kind);
    else {
      end?.();
      end = undefined;
    }
  };
}

/** Leaves a call out of the count while a person is asked for what it needs. */
export async function whilePersonDecides<T>(promise: Promise<T>): Promise<T> {
  if (!counts.has('call')) return promise;
  add('call', -1);
  try {
    return await promise;
  } finally {
    add('call', 1);
  }
}

export interface TimerOptions {
  /**
   * For a timer that the page owes no one: it takes away what was read, asks again for what may never come, or keeps
   * something for later. It is not counted.
   */
  isBackground?: boolean;
}

/** Calls a function after some milliseconds. Returns a function that cancels it. */
export function later(ms: number, callback: () => void, { isBackground = false }: TimerOptions = {}): () => void {
  const end = isBackground ? () => {} : beginPending('timer');
  const timer = setTimeout(() => {
    try {
      callback();
    } finally {
      end();
    }
  }, ms);
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Resolves after some milliseconds. */
export const delay = (ms: number, options?: TimerOptions): Promise<void> =>
  new Promise((resolve) => void later(ms, resolve, options));

/** Calls a function again and again, which is never over and not counted. Returns a function that ends it. */
export function repeat(ms: number, callback: () => void): () => void {
  const timer = setInterval(callback, ms);
  return () => clearInterval(timer);
}

/** Calls a function before the next frame is drawn. Returns a function that cancels it. */
export function onNextFrame(callback: () => void): () => void {
  const end = beginPending('frame');
  const frame = requestAnimationFrame(() => {
    try {
      callback();
    } finally {
      end();
    }
  });
  return () => {
    cancelAnimationFrame(frame);
    end();
  };
}

/** A page that is not visible draws no frames: what follows one does not wait longer. */
const HIDDEN_FRAME_MS = 100;

/** Calls a function in a task after the next frame was drawn, or soon if the page is not visible. */
export function afterNextFrame(callback: () => void): void {
  const end = beginPending('frame');
  let isCalled = false;
  const run = () => {
    if (isCalled) return;
    isCalled = true;
    cancelAnimationFrame(frame);
    stop();
    runSoon(() => {
      try {
        callback();
      } finally {
        end();
      }
    });
  };
  const frame = requestAnimationFrame(run);
  const stop = later(HIDDEN_FRAME_MS, run, { isBackground: true });
}

const tasks: (() => void)[] = [];
let channel: MessageChannel | undefined;
/** Calls a function in another task at once: a timer of 0 ms waits for four when several follow each other. */
function runSoon(callback: () => void): void {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => tasks.shift()?.();
  }
  tasks.push(callback);
  channel.port2.postMessage(undefined);
}

/** Calls a function in another task, and counts it until then. */
export function soon(callback: () => void): void {
  const end = beginPending('task');
  runSoon(() => {
    try {
      callback();
    } finally {
      end();
    }
  });
}
