/**
 * Announcements: how a lower domain tells the ones above it that something changed.
 *
 * An announcement is a nudge, not a message. It carries no data, may be missed, and is
 * followed by the listener reading the tables for what it has not seen. A listener that
 * fails harms neither the others nor the one that announced.
 */
export const TOPICS = [
  'catalog.changed',
  'subtitles.changed',
  'config.changed',
  'identity.changed',
  'tasks.changed',
  'watching.changed',
  'playback.changed',
] as const;
export type Topic = (typeof TOPICS)[number];

export type BusListener = () => void | Promise<void>;

export interface Bus {
  /** Returns at once; the listeners run after the current turn, so call it once the write is committed. */
  announce(topic: Topic): void;
  /** Returns the function that stops listening. */
  on(topic: Topic, listener: BusListener): () => void;
}

/** `report` hears of every listener that failed. */
export function createBus(report: (error: unknown, topic: Topic) => void): Bus {
  const listeners = new Map<Topic, Set<BusListener>>();
  return {
    announce: (topic) => {
      for (const listener of listeners.get(topic) ?? []) {
        void Promise.resolve()
          .then(listener)
          .catch((error: unknown) => report(error, topic));
      }
    },
    on: (topic, listener) => {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all);
      // Wrapped, so that one function may listen twice and each stop ends only its own.
      const own: BusListener = () => listener();
      all.add(own);
      return () => void all.delete(own);
    },
  };
}
