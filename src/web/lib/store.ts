/** A value that parts of the page share, with listeners for its changes. */
import { useSyncExternalStore } from 'preact/compat';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  change(how: (value: T) => T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(first: T): Store<T> {
  let now = first;
  const listeners = new Set<() => void>();
  const set = (value: T) => {
    if (Object.is(now, value)) return;
    now = value;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => now,
    set,
    change: (how) => set(how(now)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);
