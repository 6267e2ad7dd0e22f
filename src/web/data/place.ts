/**
 * Whether this browser is at home or away, as the server sees it. Away, people watch: nothing is administered, and the
 * dashboard does not offer what the server does not have there.
 */
import { createStore, useStore } from '../lib/store.ts';
import { call } from './client.ts';

const network = createStore<'local' | 'public'>('local');

/** Asks the server. Called before anything else is asked, because some of that does not exist away from home. */
export async function readNetwork(): Promise<void> {
  network.set((await call.outside.ways({})).network);
}

export const isAway = (): boolean => network.get() === 'public';
export const useIsAway = (): boolean => useStore(network) === 'public';
