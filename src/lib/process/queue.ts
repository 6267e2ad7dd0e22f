/** Queue of programs: bounded, playback first, and at most half of the slots for background work. */
import type { Priority } from './types.ts';
import { PRIORITIES } from './types.ts';

export interface Queue {
  /** Resolves with a function that frees the slot, to be called once. Rejects with `refuse('busy')` and the like. */
  enter(priority: Priority, signal?: AbortSignal): Promise<() => void>;
  stats(): { running: number; waiting: number };
  close(): void;
}

export type Refuse = (reason: 'busy' | 'aborted' | 'closed') => Error;

interface Waiter {
  priority: Priority;
  admit(): void;
  refuse(reason: 'aborted' | 'closed'): void;
}

/** `most` slots; background work has half of them, playback may use half as many again. */
export function createQueue({
  most,
  mostWaiting = 1000,
  refuse,
}: {
  most: number;
  mostWaiting?: number;
  refuse: Refuse;
}): Queue {
  const room: Record<Priority, number> = {
    playback: most + Math.ceil(most / 2),
    interactive: most,
    background: Math.max(1, Math.floor(most / 2)),
  };
  const waiting = new Set<Waiter>();
  let running = 0;
  let isClosed = false;

  const next = (): void => {
    for (const priority of PRIORITIES) {
      for (const waiter of waiting) {
        if (running >= room[priority]) break;
        if (waiter.priority === priority) waiter.admit();
      }
    }
  };
  const slot = (): (() => void) => {
    running += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      running -= 1;
      next();
    };
  };

  return {
    enter(priority, signal) {
      if (isClosed) return Promise.reject(refuse('closed'));
      if (signal?.aborted === true) return Promise.reject(refuse('aborted'));
      const isOvertaking = ![...waiting].some((w) => PRIORITIES.indexOf(w.priority) <= PRIORITIES.indexOf(priority));
      if (running < room[priority] && isOvertaking) return Promise.resolve(slot());
      if (waiting.size >= mostWaiting) return Promise.reject(refuse('busy'));
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(waiter);
          signal?.removeEventListener('abort', onAbort);
        };
        const onAbort = (): void => waiter.refuse('aborted');
        const waiter: Waiter = {
          priority,
          admit: () => {
            leave();
            resolve(slot());
          },
          refuse: (reason) => {
            leave();
            reject(refuse(reason));
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.add(waiter);
      });
    },
    stats: () => ({ running, waiting: waiting.size }),
    close() {
      isClosed = true;
      for (const waiter of waiting) waiter.refuse('closed');
    },
  };
}
