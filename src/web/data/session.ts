/** The session: the signed-in Profile with its preferences, signing in and signing out. */
import { useState } from 'preact/hooks';
import type { Preferences } from '../../contract/identity/accounts.ts';
import { hrefOf, pageAt, safeNext } from '../lib/navigation/addresses.ts';
import { go, reload } from '../lib/navigation/navigate.ts';
import { setTheme } from '../lib/theme.ts';
import { call } from './client.ts';
import { useIsAway } from './place.ts';
import { queries, readAgain, useAsk, type Reply } from './query.ts';
import { speakFor } from '../messages/choice.ts';
import { createStore, useStore } from '../lib/store.ts';
import { barrier } from './send.ts';
import { actionFor, onTabNotice, notifyTabs } from './tabs.ts';
import { pendingUntil } from '../lib/pending-work.ts';

export type CurrentUser = Reply<'me', 'read'>;

/** Whether the Profile was read. Until then only `begin` asks for it. */
const isKnown = createStore(false);

/** Number of sessions that this tab has started. */
const begun = createStore(0);
/**
 * Whether a session has started since the caller was first rendered. A page before sign-in stays on show
 * until the code of the next one is loaded, and everything that it has read is discarded meanwhile.
 */
export function useHasBegun(): boolean {
  const now = useStore(begun);
  const [first] = useState(now);
  return now !== first;
}

/** This Profile, or undefined before it is known. Pages inside the shell may count on it. */
export const useMe = (): CurrentUser | undefined => useAsk('me', 'read', {}, { enabled: useStore(isKnown) }).data;
/** Whether this Profile may administer the server here: an Owner, at home. */
export const useIsOwner = (): boolean => {
  const me = useMe();
  return !useIsAway() && me?.profile.role === 'owner';
};
/** Whether an Owner is away from home, where nothing is administered. */
export const useIsOwnerAway = (): boolean => {
  const me = useMe();
  return useIsAway() && me?.profile.role === 'owner';
};

const ME = ['me', 'read', {}];
const known = (): CurrentUser | undefined => queries.getQueryData<CurrentUser>(ME);

/** Reads the Profile of the session, and discards what was read for another one. */
async function readSession(): Promise<CurrentUser> {
  const me = await call.me.read({}).catch((error: unknown) => {
    isKnown.set(false);
    queries.clear();
    throw error;
  });
  await pendingUntil('import', speakFor(me.preferences.language));
  const isSame = isKnown.get() && known()?.profile.id === me.profile.id;
  // Kept, and not made again: a page that shows it must learn of the change.
  queries.setQueryData(ME, me);
  const isOther = ({ queryKey: [group, name] }: { queryKey: readonly unknown[] }) => group !== ME[0] || name !== ME[1];
  // A page that is on show would wait for ever for the reply of a query that is removed.
  if (isSame) void queries.invalidateQueries({ predicate: isOther });
  else queries.removeQueries({ predicate: isOther });
  isKnown.set(true);
  begun.change((count) => count + 1);
  setTheme(me.preferences.theme);
  barrier.set('none');
  notifyTabs({ kind: 'session', profile: me.profile.id });
  return me;
}

let beginning: Promise<unknown> = Promise.resolve();
/**
 * Starts a session after sign-in or set-up. Everything that was read for another Profile is discarded once this one is
 * known: a page that finds no Profile meanwhile would redirect to sign-in. One at a time: a tab that is being opened
 * may hear of the session from another tab while it reads its own.
 */
export function beginSession(): Promise<CurrentUser> {
  const begins = beginning.then(readSession, readSession);
  beginning = begins;
  return begins;
}

/** Leads to sign-in and forgets everything that was read, so that nothing of it stays visible. */
function leave(): void {
  go(hrefOf({ page: 'signIn' }), { replace: true });
  isKnown.set(false);
  queries.clear();
  barrier.set('signed-out');
}

/** Signs out and forgets everything that was read. */
export async function signOut(): Promise<void> {
  await (known()?.household ? call.household.close({}) : call.session.remove({}));
  sessionEndedHere();
}

/** Forgets everything that was read, in every tab, after the server has ended the session. */
export function sessionEndedHere(): void {
  notifyTabs({ kind: 'signed-out' });
  leave();
}

/** Reads what another tab changed: the Profile with its theme and language, and the lists of Profiles and keys. */
async function readIdentity(): Promise<void> {
  const before = known();
  const me = await call.me.read({});
  queries.setQueryData(ME, me);
  setTheme(me.preferences.theme);
  for (const group of ['profiles', 'apiKeys', 'sessions', 'ownSessions', 'household', 'passkeys', 'directory'] as const)
    readAgain(group);
  const page = pageAt(location.pathname)?.page;
  // Everything on the page is written in the language before. A film or an edit is not interrupted for it.
  if (before?.preferences.language !== me.preferences.language && page !== 'player' && page !== 'subtitleEdit')
    reload();
}

/** Follows what the other tabs of this browser do; the returned function ends that. */
export const followTabs = (): (() => void) =>
  onTabNotice((notice) => {
    const action = actionFor(notice, { profile: known()?.profile.id });
    const isAtSignIn = pageAt(location.pathname)?.page === 'signIn';
    const to = isAtSignIn ? safeNext(new URLSearchParams(location.search).get('next')) : '/';
    if (action === 'leave') leave();
    else if (action === 'read') readIdentity().catch(() => undefined);
    else if (action !== 'nothing')
      beginSession()
        .then(() => void ((isAtSignIn || action === 'switch') && go(to, { replace: true })))
        .catch(() => undefined);
  });

/** Changes preferences at once, and takes the change back if the server refuses it. */
export async function savePreferences(change: Partial<Preferences>): Promise<void> {
  const before = known();
  if (before) queries.setQueryData(ME, { ...before, preferences: { ...before.preferences, ...change } });
  if (change.theme) setTheme(change.theme);
  try {
    await call.me.preferences(change);
  } catch (error) {
    if (before) {
      queries.setQueryData(ME, before);
      setTheme(before.preferences.theme);
    }
    throw error;
  }
  readAgain('me');
}
