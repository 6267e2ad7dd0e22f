/** The tracks of albums and artists, as the audio player takes them. */
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

export interface TrackGroup {
  kind: 'album' | 'artist';
  id: string;
}

/** Returns the tracks of an album or an artist whose files can be reached. */
async function tracksOf({ kind, id }: TrackGroup): Promise<ListenItem[]> {
  if (kind === 'album') {
    const { discs } = await call.music.album({ id });
    return playable(discs.flatMap(({ tracks }) => tracks));
  }
  const found: ListenItem[] = [];
  for (let offset = 0; offset < MAX_TRACKS; offset += PAGE_SIZE) {
    const { items, total } = await call.music.artistTracks({ id, offset, limit: PAGE_SIZE });
    found.push(...playable(items));
    if (offset + PAGE_SIZE >= total) break;
  }
  return found;
}

type PlayableTrack = Parameters<typeof listenItemOf>[0] & { available: boolean };
const playable = (tracks: readonly PlayableTrack[]): ListenItem[] =>
  tracks.filter(({ available }) => available).map((track) => listenItemOf(track));

/** Asks for the tracks and hands them on; says so if they cannot be read or there are none. */
async function withTracks(group: TrackGroup, use: (items: ListenItem[]) => void): Promise<void> {
  try {
    const items = await tracksOf(group);
    if (items.length > 0) use(items);
    else toast({ message: m.nothingCanBePlayed, isError: true });
  } catch (error) {
    toast({ message: sentence(error), isError: true });
  }
}

export const playTracks = (group: TrackGroup, options: { isShuffled?: boolean } = {}): void =>
  void withTracks(group, (items) => listenTo(items, options));

/** Returns the entries of a menu that put tracks into the queue. */
export const queueEntries = (group: TrackGroup): MenuItem[] => [
  {
    label: m.playNext,
    icon: listStart,
    onChoose: () => void withTracks(group, (items) => addToQueue(items, 'next')),
  },
  {
    label: m.addToQueue,
    icon: listEnd,
    onChoose: () => void withTracks(group, (items) => addToQueue(items, 'last')),
  },
];
