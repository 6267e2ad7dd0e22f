/**
 * Other tabs of this browser. The server's events tell each tab what changed in the catalogue, what was watched, and in
 * the settings; this channel adds who is signed in, what belongs to Profiles, and that sound begins. A notice has no
 * data to show.
 */
export type TabNotice =
  | { kind: 'signed-out' }
  /** Someone is signed in. */
  | { kind: 'session'; profile: string }
  /** A Profile, its preferences or its sign-in methods have changed. */
  | { kind: 'identity' }
  /** A player has begun to play sound. */
  | { kind: 'sound' };

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;

/** Browsers of 2020 have it. Without it, tabs follow when they read again. */
let opened: Channel | undefined;
const channel = (): Channel | undefined => {
  if (typeof document === 'object' && typeof BroadcastChannel === 'function')
    opened ??= new BroadcastChannel('matinee');
  return opened;
};

export const notifyTabs = (notice: TabNotice): void => channel()?.postMessage(notice);

/** Calls a listener for each notice of another tab. Returns a function that removes it. */
export function onTabNotice(listener: (notice: TabNotice) => void): () => void {
  const heard = (event: Event) => listener((event as MessageEvent<TabNotice>).data);
  channel()?.addEventListener('message', heard);
  return () => channel()?.removeEventListener('message', heard);
}

/** Writes that other tabs are notified of: the server's events do not cover Profiles, sessions and keys. */
const IDENTITY = /^\/api\/v1\/(me|profiles|api-keys|sessions|devices|household|passkeys)(\/|$)/;
export const isIdentityWrite = (path: string, method: string | undefined): boolean =>
  method !== undefined && method !== 'GET' && IDENTITY.test(path);

export interface TabState {
  /** The Profile of this tab, if it is signed in. */
  profile: string | undefined;
}
/** The reaction of this tab to a notice of another one. */
export type TabAction = 'leave' | 'enter' | 'switch' | 'read' | 'nothing';

export function actionFor(notice: TabNotice, { profile }: TabState): TabAction {
  switch (notice.kind) {
    case 'signed-out':
      return profile === undefined ? 'nothing' : 'leave';
    case 'session':
      return profile === notice.profile ? 'nothing' : profile === undefined ? 'enter' : 'switch';
    case 'identity':
      return profile === undefined ? 'nothing' : 'read';
    case 'sound':
      return 'nothing';
  }
}
