/**
 * The event hub: what changed, told to whoever listens, with a memory short enough to be free.
 *
 * An event says what to read again and carries nothing that a policy hides. Numbers grow over restarts,
 * so that a client that comes back with one from before is told that it missed something.
 */
import type { Event } from '../contract/operations.ts';
import { type Clock, iso } from '../lib/clock.ts';

const REMEMBERED = 512;
/** What may wait for one listener before it is told that it missed something. */
const MOST_WAITING = 128;

export type News = Omit<Event, 'at'>;
export interface Told {
  id: number;
  event: Event;
}
export interface Hub {
  tell(news: News): void;
  /** Events from now on, or from after `last`; `wants` chooses. Ends when the signal aborts. */
  listen(ask: { last: number | undefined; wants(event: Event): boolean }, signal: AbortSignal): AsyncIterable<Told>;
  listeners(): number;
}

export function createHub({ clock }: { clock: Clock }): Hub {
  let next = clock.now() * 1_000;
  const memory: Told[] = [];
  const listening = new Set<(told: Told) => void>();

  return {
    tell: (news) => {
      const told = { id: ++next, event: { ...news, at: iso(clock.now()) } };
      memory.push(told);
      if (memory.length > REMEMBERED) memory.shift();
      for (const hear of listening) hear(told);
    },
    listeners: () => listening.size,
    listen: async function* ({ last, wants }, signal) {
      const waiting: Told[] = [];
      let wake: (() => void) | undefined;
      const say = (told: Told) => {
        if (waiting.length >= MOST_WAITING) waiting.splice(0, waiting.length, marker('missed', told.id));
        else if (wants(told.event)) waiting.push(told);
        wake?.();
      };
      const marker = (kind: 'hello' | 'missed', id: number): Told => ({ id, event: { kind, at: iso(clock.now()) } });
      const stop = () => wake?.();
      listening.add(say);
      signal.addEventListener('abort', stop);
      try {
        yield marker('hello', next);
        if (last !== undefined) {
          const first = memory[0]?.id ?? next + 1;
          if (last + 1 < first && last !== next) yield marker('missed', next);
          else for (const told of memory.filter(({ id, event }) => id > last && wants(event))) yield told;
        }
        while (!signal.aborted) {
          const told = waiting.shift();
          if (told) yield told;
          else await new Promise<void>((resolve) => void (wake = resolve));
        }
      } finally {
        listening.delete(say);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
