/**
 * The event hub: one mailbox for each Profile, with what changed for that Profile, numbered separately.
 *
 * An event says what to read again and carries nothing that a policy hides. Changes of other Profiles are not in a
 * mailbox at all, so neither kinds nor counts, gaps or numbers tell of it. Numbers begin at a random one in each
 * mailbox:
 * they tell no time, do not depend on the clock, and a number of another process or mailbox is answered with `missed`.
 */
import { randomInt } from 'node:crypto';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Event } from '../contract/ops/operations.ts';
import { type Clock, iso } from '../lib/clock.ts';

const MAX_REMEMBERED = 256;
/** Maximum number of events that wait for one listener. After that it receives `missed`. */
const MAX_WAITING = 128;
/** Mailboxes of Profiles that were connected last; of the others nothing is remembered. */
const MAX_MAILBOXES = 256;
/** Far above what a process ever counts to, and within what a number holds exactly. */
const MAX_FIRST = 2 ** 47;

export type News = Omit<Event, 'at'>;
export interface StreamEvent {
  id: number;
  event: Event;
}
/** The owner of a mailbox. Administration has a separate one: a key without that scope does not receive it. */
export interface EventReader {
  profile: string;
  isAdmin: boolean;
}
export interface Hub {
  /** Puts news into the mailboxes of those for whom `concerns` holds. */
  publish(news: News, concerns: (reader: EventReader) => boolean): void;
  /** Events of a reader from now on, or from after `last`. Ends when the signal aborts. */
  listen(ask: { reader: EventReader; last: number | undefined }, signal: AbortSignal): AsyncIterable<StreamEvent>;
  listeners(): number;
  /** Number of the newest event of a reader; undefined while no stream of theirs is open. */
  newest(reader: EventReader): number | undefined;
}

/** Returns the mailbox that a caller reads. */
export const readerOf = ({ profile, role, via }: Principal): EventReader => ({
  profile,
  isAdmin: role === 'owner' && (via === 'session' || (via instanceof Set && via.has('admin'))),
});

interface Mailbox {
  reader: EventReader;
  next: number;
  memory: StreamEvent[];
  listening: Set<(told: StreamEvent) => void>;
}

/** `opened` is called with the reader of each new mailbox, before anything is in it. */
export function createHub({ clock, opened }: { clock: Clock; opened(reader: EventReader): void }): Hub {
  const mailboxes = new Map<string, Mailbox>();

  const keyOf = ({ profile, isAdmin }: EventReader): string => `${profile} ${isAdmin}`;
  const mailboxOf = (reader: EventReader): Mailbox => {
    const key = keyOf(reader);
    const had = mailboxes.get(key);
    if (!had) opened(reader);
    const mailbox = had ?? { reader, next: randomInt(1, MAX_FIRST), memory: [], listening: new Set() };
    mailboxes.delete(key);
    mailboxes.set(key, mailbox);
    for (const [old, { listening }] of mailboxes) {
      if (mailboxes.size <= MAX_MAILBOXES) break;
      if (listening.size === 0 && old !== key) mailboxes.delete(old);
    }
    return mailbox;
  };
  const marker = (kind: 'hello' | 'missed', id: number): StreamEvent => ({ id, event: { kind, at: iso(clock.now()) } });

  return {
    publish: (news, concerns) => {
      for (const mailbox of mailboxes.values()) {
        if (!concerns(mailbox.reader)) continue;
        const told = { id: ++mailbox.next, event: { ...news, at: iso(clock.now()) } };
        mailbox.memory.push(told);
        if (mailbox.memory.length > MAX_REMEMBERED) mailbox.memory.shift();
        for (const hear of mailbox.listening) hear(told);
      }
    },
    listeners: () => [...mailboxes.values()].reduce((sum, { listening }) => sum + listening.size, 0),
    newest: (reader) => {
      const mailbox = mailboxes.get(keyOf(reader));
      return mailbox && mailbox.listening.size > 0 ? mailbox.next : undefined;
    },
    listen: async function* ({ reader, last }, signal) {
      const mailbox = mailboxOf(reader);
      const waiting: StreamEvent[] = [];
      let wake: (() => void) | undefined;
      const hear = (told: StreamEvent) => {
        if (waiting.length >= MAX_WAITING) waiting.splice(0, waiting.length, marker('missed', told.id));
        else waiting.push(told);
        wake?.();
      };
      const stop = () => wake?.();
      mailbox.listening.add(hear);
      signal.addEventListener('abort', stop);
      try {
        const { next } = mailbox;
        const past = last === undefined ? [] : mailbox.memory.filter(({ id }) => id > last);
        const isKnown = last === undefined || (last <= next && last >= (mailbox.memory[0]?.id ?? next + 1) - 1);
        yield marker('hello', next);
        if (isKnown) yield* past;
        else yield marker('missed', next);
        while (!signal.aborted) {
          const told = waiting.shift();
          if (told) yield told;
          else await new Promise<void>((resolve) => void (wake = resolve));
        }
      } finally {
        mailbox.listening.delete(hear);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
