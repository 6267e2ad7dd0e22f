/**
 * Follows the changes of the catalogue for work that reads files. A library that is away is put off: its items are
 * returned when it can be reached again, and neither they nor those of other libraries are read again until then.
 */

/** How far work has followed the catalogue. */
export interface FollowedPosition {
  /** The last change that was looked at. */
  change: number;
  /** Libraries that were away, by id: the change after which their items have to be looked at again. */
  away: Readonly<Record<string, number>>;
}

export interface FollowedItem {
  id: string;
  library: string;
  change: number;
  /** Whether its library can be reached. */
  available: boolean;
  /** Whether its files are gone. */
  gone: boolean;
}

export interface FollowedCatalog<T extends FollowedItem> {
  /** Returns items that changed after `change`, of all libraries or one of them, the oldest change first. */
  changedSince(change: number, most: number, library?: string): Promise<T[]>;
  isOnline(library: string): boolean;
}

export interface FollowedBatch<T> {
  /** Items that changed, the oldest change first. The files of those that are not gone can be read. */
  items: T[];
  /** Items whose library is away. */
  putOff: T[];
  /** The position when these items are done. */
  position: FollowedPosition;
}

export const BEFORE_ALL: FollowedPosition = { change: 0, away: {} };
const READ = 50;

const isReadable = ({ gone, available }: FollowedItem): boolean => gone || available;

/** Returns the position from which the changes of these items are read again, once their library can be reached. */
export const withPutOff = (
  { change, away }: FollowedPosition,
  items: readonly Pick<FollowedItem, 'library' | 'change'>[],
): FollowedPosition => {
  const next = { ...away };
  for (const one of items) next[one.library] = Math.min(next[one.library] ?? Infinity, one.change - 1);
  return { change, away: next };
};

/** Whether an item has changed, or a library that was away can be reached again. */
export const hasChanges = async <T extends FollowedItem>(
  { changedSince, isOnline }: FollowedCatalog<T>,
  { change, away }: FollowedPosition,
): Promise<boolean> => Object.keys(away).some(isOnline) || (await changedSince(change, 1)).length > 0;

/** Yields what changed after a position: first the items of libraries that are back. */
export async function* changesSince<T extends FollowedItem>(
  { changedSince, isOnline }: FollowedCatalog<T>,
  from: FollowedPosition,
  signal: AbortSignal,
): AsyncGenerator<FollowedBatch<T>, void, void> {
  let position = from;
  for (const library of Object.keys(from.away).filter(isOnline)) {
    for (let isDone = false; !isDone;) {
      signal.throwIfAborted();
      const read = await changedSince(position.away[library] ?? 0, READ, library);
      // Later changes are read with those of all libraries.
      const items = read.filter(({ change }) => change <= from.change);
      const { [library]: _, ...others } = position.away;
      isDone = items.length < READ;
      const last = items.at(-1);
      position = { ...position, away: isDone || !last ? others : { ...others, [library]: last.change } };
      const putOff = items.filter((one) => !isReadable(one));
      position = withPutOff(position, putOff);
      // It went away again.
      if (putOff.length > 0) isDone = true;
      yield { items: items.filter(isReadable), putOff, position };
    }
  }
  for (let isDone = false; !isDone;) {
    signal.throwIfAborted();
    const read = await changedSince(position.change, READ);
    isDone = read.length < READ;
    const putOff = read.filter((one) => !isReadable(one));
    position = withPutOff({ ...position, change: read.at(-1)?.change ?? position.change }, putOff);
    yield { items: read.filter(isReadable), putOff, position };
  }
}
