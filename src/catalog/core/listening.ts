/** The last places of a Profile in an audiobook, and how it listens to it. */
import { iso } from '../../lib/clock.ts';
import type { ListeningStore } from '../store/listening.ts';

interface Preferences {
  speed: number;
  skipBack: number;
  skipForward: number;
}
const DEFAULTS: Preferences = { speed: 1, skipBack: 15, skipForward: 30 };

export interface BookListening {
  /** Returns the last places, the latest first. */
  places(profile: string, item: string): Promise<{ position: number; at: string; device?: string }[]>;
  preferences(profile: string, item: string): Promise<Preferences>;
  /** Changes preferences of an item; those left out stay. Returns all of them. */
  prefer(
    profile: string,
    item: string,
    chosen: { [K in keyof Preferences]?: number | undefined },
  ): Promise<Preferences>;
}

export function createBookListening({ store, now }: { store: ListeningStore; now(): number }): BookListening {
  const preferences = async (profile: string, item: string): Promise<Preferences> => {
    const own = await store.listening(profile, item);
    const skip = async (column: 'skip_back' | 'skip_forward'): Promise<number | undefined> =>
      own?.[column] ?? (await store.latestSkip(profile, column));
    return {
      // Each book is read at its own pace, but a person skips equally far in all of them.
      speed: own?.speed ?? DEFAULTS.speed,
      skipBack: (await skip('skip_back')) ?? DEFAULTS.skipBack,
      skipForward: (await skip('skip_forward')) ?? DEFAULTS.skipForward,
    };
  };
  return {
    preferences,
    places: async (profile, item) =>
      (await store.places(profile, item)).map(({ position, at, device }) => ({
        position,
        at: iso(at),
        ...(device !== null && { device }),
      })),
    prefer: async (profile, item, { speed, skipBack, skipForward }) => {
      await store.listen({
        profile,
        item,
        at: now(),
        ...(speed !== undefined && { speed }),
        ...(skipBack !== undefined && { skip_back: skipBack }),
        ...(skipForward !== undefined && { skip_forward: skipForward }),
      });
      return preferences(profile, item);
    },
  };
}
