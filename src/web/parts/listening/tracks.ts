/** Tracks to listen to: those of an album or an artist, which are asked for when they are wanted. */
import listEnd from 'lucide/dist/esm/icons/list-end.mjs';
import listStart from 'lucide/dist/esm/icons/list-start.mjs';
import { call, sentence } from '../../data/client.ts';
import type { MenuItem } from '../../kit/layers/menu.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';
import { type ListenItem, listenItemOf } from './items.ts';
import { addToQueue, listenTo } from './requests.ts';

/** Tracks that are played of one artist at most. */
const MAX_TRACKS = 2000;
const PAGE_SIZE = 200;

/** Returns items that can be played. */
type FindItems = () => Promise<readonly ListenItem[]>;

export const albumTracks =
  (id: string): FindItems =>
  async () => {
    const { discs } = await call.music.album({ id });
    return playable(discs.flatMap(({ tracks }) => tracks));
  };

export const artistTracks =
  (id: string): FindItems =>
  async () => {
    const found: ListenItem[] = [];
    for (let offset = 0; offset < MAX_TRACKS; offset += PAGE_SIZE) {
      const { items, total } = await call.music.artistTracks({ id, offset, limit: PAGE_SIZE });
      found.push(...playable(items));
      if (offset + PAGE_SIZE >= total) break;
    }
    return found;
  };

type PlayableTrack = Parameters<typeof listenItemOf>[0] & { available: boolean };
/** Returns the tracks whose files can be reached. */
export const playable = (tracks: readonly PlayableTrack[]): ListenItem[] =>
  tracks.filter(({ available }) => available).map((track) => listenItemOf(track));

/** Asks for the items and hands them on; says so if they cannot be read or there are none. */
async function withItems(find: FindItems, use: (items: readonly ListenItem[]) => void): Promise<void> {
  try {
    const items = await find();
    if (items.length > 0) use(items);
    else toast({ message: m.nothingCanBePlayed, isError: true });
  } catch (error) {
    toast({ message: sentence(error), isError: true });
  }
}

export const playTracks = (find: FindItems, options: { isShuffled?: boolean } = {}): void =>
  void withItems(find, (items) => listenTo(items, options));

/** Returns the entries of a menu that put items into the queue. */
export const queueEntries = (find: FindItems): MenuItem[] =>
  (
    [
      [m.playNext, listStart, 'next'],
      [m.addToQueue, listEnd, 'last'],
    ] as const
  ).map(([label, icon, where]) => ({
    label,
    icon,
    onChoose: () => void withItems(find, (items) => addToQueue(items, where)),
  }));
