/**
 * Who can see what has changed: for each changed row, what a policy has to allow to show it, before and after the change.
 *
 * Many rows ask for the same (their library and rating), so that a scan of thousands leaves a few entries. Notifications
 * that are made from this reveal nothing of rows that a policy hides.
 */
import { RANK } from '../types.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { Episodes } from './episodes.ts';
import type { Rows } from './rows.ts';

/** A library and a rank of rating. */
interface Place {
  library: string;
  rank: number;
}
/** Places that a policy has to allow: the row's own and, if it has others, one of them. */
interface Sight {
  own: Place;
  others: readonly Place[] | undefined;
}

export interface Touched {
  /** Notes a row as it is now: call it before and after a change. */
  note(slot: number): void;
  /** Notes all rows of a library: it came, went or was renamed. */
  noteLibrary(library: string): void;
  /** Returns whether a policy shows any of what was noted since the last call. */
  take(): (policy: Policy) => boolean;
}

export function createTouched(rows: Rows, episodes: Episodes): Touched {
  let sights = new Map<string, Sight>();
  const place = (slot: number): Place => ({ library: rows.libraries.get(slot) ?? '', rank: rows.ranks.raw(slot) });
  const note = (slot: number): void => {
    if (!rows.isThere(slot)) return;
    const kind = rows.kinds.get(slot);
    const show = kind === 'episode' ? episodes.showOf(slot) : -1;
    // A show is seen with one of its episodes, an episode with its show.
    const others =
      kind === 'show' ? distinct(episodes.of(rows.ids.get(slot)).map(place)) : show < 0 ? undefined : [place(show)];
    const own = place(slot);
    sights.set([own, ...(others ?? [])].map(keyOf).join() + (others ? '' : ' alone'), { own, others });
  };
  return {
    note,
    noteLibrary: (library) => {
      for (let slot = 0; slot < rows.ids.end(); slot++) if (rows.libraries.get(slot) === library) note(slot);
    },
    take: () => {
      const taken = [...sights.values()];
      sights = new Map();
      return ({ libraries, rating }) => {
        const isAllowed = ({ library, rank }: Place): boolean =>
          rank <= RANK[rating] && (libraries === 'all' || libraries.includes(library));
        return taken.some(({ own, others }) => isAllowed(own) && (others === undefined || others.some(isAllowed)));
      };
    },
  };
}

const keyOf = ({ library, rank }: Place): string => `${library} ${rank}`;
const distinct = (places: readonly Place[]): Place[] =>
  [...new Map(places.map((one) => [keyOf(one), one])).values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
