/** The session: the signed-in Profile with its preferences, signing in and signing out. */
import type { Preferences } from '../../contract/identity/accounts.ts';
import { hrefOf } from '../lib/navigation/addresses.ts';
import { go } from '../lib/navigation/navigate.ts';
import { setTheme } from '../lib/theme.ts';
import { call } from './client.ts';
import { queries, readAgain, useAsk, type Reply } from './query.ts';
import { speakFor } from '../messages/choice.ts';
import { createStore, useStore } from '../lib/store.ts';
import { barrier } from './send.ts';

export type CurrentUser = Reply<'me', 'read'>;

/** Whether the Profile was read. Until then only `begin` asks for it. */
const isKnown = createStore(false);

/** This Profile, or undefined before it is known. Pages inside the shell may count on it. */
export const useMe = (): CurrentUser | undefined => useAsk('me', 'read', {}, { enabled: useStore(isKnown) }).data;
export const useIsOwner = (): boolean => useMe()?.profile.role === 'owner';

/**
 * Starts a session after sign-in or set-up. Everything that was read for another Profile is discarded once this one is
 * known: a page that finds no Profile meanwhile would redirect to sign-in.
 */
export async function beginSession(): Promise<CurrentUser> {
  const me = await call.me.read({}).catch((error: unknown) => {
    isKnown.set(false);
    queries.clear();
    throw error;
  });
  await speakFor(me.preferences.language);
  queries.clear();
  queries.setQueryData(['me', 'read', {}], me);
  isKnown.set(true);
  setTheme(me.preferences.theme);
  barrier.set('none');
  return me;
}

/** Signs out and forgets everything that was read. */
export async function signOut(): Promise<void> {
  await call.session.remove({});
  go(hrefOf({ page: 'signIn' }), { replace: true });
  isKnown.set(false);
  queries.clear();
  barrier.set('signed-out');
}

/** Changes preferences at once, and takes the change back if the server refuses it. */
export async function savePreferences(change: Partial<Preferences>): Promise<void> {
  const key = ['me', 'read', {}];
  const before = queries.getQueryData<CurrentUser>(key);
  if (before) queries.setQueryData(key, { ...before, preferences: { ...before.preferences, ...change } });
  if (change.theme) setTheme(change.theme);
  try {
    await call.me.preferences(change);
  } catch (error) {
    if (before) {
      queries.setQueryData(key, before);
      setTheme(before.preferences.theme);
    }
    throw error;
  }
  readAgain('me');
}
