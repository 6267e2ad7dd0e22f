/** Sessions in memory. A session belongs to one Profile and one item: for all others it does not exist. */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { PlaybackSession } from './types.ts';

export interface SessionTable {
  add(session: PlaybackSession): void;
  get(id: string): PlaybackSession | undefined;
  delete(id: string): void;
  all(): PlaybackSession[];
  /** Returns the session of a Profile and, if one is given, of an item. */
  own(by: Pick<Principal, 'profile'>, item: string | undefined, id: string): PlaybackSession | undefined;
  /** Returns the sessions of a Profile, the one that was planned first being the first. */
  ofProfile(profile: string): PlaybackSession[];
  /** Returns those that have not ended. */
  open(): PlaybackSession[];
}

export function createSessionTable(): SessionTable {
  const sessions = new Map<string, PlaybackSession>();
  const all = (): PlaybackSession[] => [...sessions.values()];
  return {
    add: (session) => void sessions.set(session.id, session),
    get: (id) => sessions.get(id),
    delete: (id) => void sessions.delete(id),
    all,
    own: (by, item, id) => {
      const session = sessions.get(id);
      const isOwn = session?.profile === by.profile && (item === undefined || session.item === item);
      return isOwn ? session : undefined;
    },
    ofProfile: (profile) => all().filter((one) => one.profile === profile),
    open: () => all().filter(({ ended }) => ended === null),
  };
}
