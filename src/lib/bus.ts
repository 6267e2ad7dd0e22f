/**
 * Announcements: a lower domain notifies the domains above it that something changed.
 *
 * An announcement carries no data and may be missed. The listener then reads the tables
 * for changes that it has not seen. A listener that
 * fails affects neither the other listeners nor the announcer.
 */
export const TOPICS = [
  'catalog.changed',
  'subtitles.changed',
  'config.changed',
  'identity.changed',
  'tasks.changed',
  'watching.changed',
  'playback.changed',
  'lists.changed',
  'activity.noticed',
  'requests.changed',
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
