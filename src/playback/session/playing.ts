/** Sessions in progress: listed for Owners, stopped on request, and updated by the reports of players. */
import type { z } from 'zod';
import type { Catalog } from '../../catalog/index.ts';
import type { playbackSessions } from '../../contract/playback/sessions.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { isConverting } from './active.ts';
import type { PlaybackSessions } from './sessions.ts';
import type { PlaybackSession } from './types.ts';
import type { SessionRecipe } from './types.ts';

export type ShownSession = z.input<typeof playbackSessions.list.result>['items'][number];

/** State of a conversion that runs for a session. */
export interface ConversionState {
  accelerator?: string;
  /** Seconds of film in a second. */
  speed?: number;
  /** Events since the plan was made. */
  reasons: SessionRecipe['reasons'];
}

export interface PlayingNeeds {
  sessions: PlaybackSessions;
  catalog: Pick<Catalog, 'seenBy'> & { watching: Pick<Catalog['watching'], 'rows'> };
  /** The names of the Profiles there are. */
  profileName(id: string): string | undefined;
  /** A caller as they are now; undefined once they may not do anything any more. */
  current(by: Principal): Principal | undefined;
  stateOf(session: string): ConversionState | undefined;
  /** Whether the time of a Profile is over for today. */
  isTimeOver(profile: string): boolean;
}

export interface SessionControl {
  list(by: Principal): Promise<ShownSession[]>;
  /** Fails as `missing` for a session of another Profile, unless an Owner asks, and for one that is not played. */
  read(by: Principal, id: string): Promise<ShownSession>;
  /** Resolves when the end is stored. Fails as `missing` for a session of another Profile, unless an Owner asks. */
  stop(by: Principal, id: string): Promise<void>;
  /** Notes a report of a player. Returns the seconds that its own session plays; undefined for any other session. */
  reported(report: { profile: string; item: string; session: string; isPaused: boolean }): number | undefined;
  /** Ends what may no longer be played: called after every change of a Profile, a credential or the catalogue. */
  review(): void;
  /** Whether something is played now. */
  isActive(): boolean;
  /** Takes over how far players say they are: called after every report. */
  follow(): Promise<void>;
}

const STOPPED = 'playback was stopped by the owner of this server';
const LEFT = 'playback was stopped';
const SIGNED_OUT = 'this profile may not play anything here now';
const HIDDEN = 'this may no longer be played with this profile';
/** Message for a Profile whose time of a day is over. */
export const TIME_OVER = 'the time of this profile is over for today';
const NO_CONVERSION = 'this profile may no longer have anything converted';

export const durationOf = ({ parts }: SessionRecipe): number =>
  parts.reduce((end, { start, duration }) => Math.max(end, start + duration), 0);

export function createPlaying(needs: PlayingNeeds): SessionControl {
  const { sessions, catalog, profileName, current, stateOf, isTimeOver } = needs;
  return {
    list: (by) => shown(by, sessions.list()),
    read: async (by, id) => {
      const session = sessions
        .list()
        .find((one) => one.id === id && (by.role === 'owner' || one.profile === by.profile));
      return found(session && (await shown(by, [session]))[0], 'no such session', 'no-such-playback');
    },
    stop: async (by, id) => {
      const session = sessions.get(id);
      const isOwn = session?.profile === by.profile;
      if (!session || session.ended !== null || (!isOwn && by.role !== 'owner'))
        throw new Failure('missing', 'no such session', { reason: 'no-such-playback' });
      await sessions.end(session, isOwn ? LEFT : STOPPED);
    },
    reported: ({ profile, item, session: id, isPaused }) => {
      const session = sessions.own({ profile }, item, id);
      if (session) sessions.notePause(session, isPaused);
      const duration = session ? durationOf(session.recipe) : 0;
      return duration > 0 ? duration : undefined;
    },
    review: () => sessions.review((session, before) => whyNot(session, current(before))),
    isActive: () => sessions.open().some(sessions.isActive),
    follow: async () => {
      for (const [profile, own] of Map.groupBy(sessions.open(), (session) => session.profile)) {
        const rows = await catalog.watching.rows(profile);
        for (const session of own) {
          const row = rows.get(session.item);
          // Finishing puts the place back to the start: the player is at the end.
          if (row?.session === session.id)
            sessions.moved(
              session,
              row.watched === 1 && row.position === 0 ? durationOf(session.recipe) : row.position,
            );
        }
      }
    },
  };

  async function shown(by: Principal, all: readonly PlaybackSession[]): Promise<ShownSession[]> {
    const cards = new Map(
      (await catalog.seenBy(by).cards([...new Set(all.map(({ item }) => item))])).map((card) => [card.id, card]),
    );
    return all.flatMap((session): ShownSession[] => {
      const item = cards.get(session.item);
      const { id, profile, device, recipe, position, startedAt } = session;
      const isActive = sessions.isActive(session);
      const { reasons: later = [], ...state } = (isActive && stateOf(id)) || {};
      const reasons = [...recipe.reasons.filter(({ code }) => !later.some((one) => one.code === code)), ...later];
      return item
        ? [
            {
              id,
              profile: { id: profile, name: profileName(profile) ?? '' },
              device,
              item,
              way: recipe.way,
              reasons,
              position,
              duration: durationOf(recipe),
              active: isActive,
              since: iso(startedAt),
              ...state,
            },
          ]
        : [];
    });
  }

  function whyNot(session: PlaybackSession, by: Principal | undefined): string | undefined {
    if (!by) return SIGNED_OUT;
    if (isTimeOver(session.profile)) return TIME_OVER;
    if (!catalog.seenBy(by).isSeen(session.item)) return HIDDEN;
    return isConverting(session) && !by.policy.transcode ? NO_CONVERSION : undefined;
  }
}
