/** Keeps the queue of a Profile on this device, and restores it after a reload of the page. */
import { ask, queries } from '../../../data/query.ts';
import { queueKey } from '../../../parts/listening/kept-queue.ts';
import { listenItemsOf } from '../../../parts/listening/queued.ts';
import { keptFrom, keptOf, restoredQueue } from '../queue/kept.ts';
import { change, listenClock, listening } from './state.ts';
import { later } from '../../../lib/pending-work.ts';

/** Time between two writes: the time of the current entry grows all the while. */
const WRITE_EVERY_MS = 5000;

function write(profile: string): void {
  const { queue, after } = listening.get();
  const kept = keptOf(queue, { time: listenClock.get().time, after });
  try {
    if (kept) localStorage.setItem(queueKey(profile), JSON.stringify(kept));
    else localStorage.removeItem(queueKey(profile));
  } catch {
    // Storage may be forbidden or full; the queue then lasts as long as the page.
  }
}
function read(profile: string): ReturnType<typeof keptFrom> {
  try {
    return keptFrom(localStorage.getItem(queueKey(profile)));
  } catch {
    return undefined;
  }
}

const stoppedAt = (id: string): Promise<number> =>
  queries
    .fetchQuery(ask('catalog', 'item', { id }))
    .then(({ userData }) => (userData.watched ? 0 : userData.position))
    .catch(() => 0);

/** Shows the kept queue, paused. What is played in the meantime wins. */
async function restore(profile: string, isCurrent: () => boolean): Promise<void> {
  const kept = read(profile);
  if (!kept) return;
  const items = await listenItemsOf(kept.ids);
  if (!isCurrent() || listening.get().queue.entries.length > 0) return;
  const { queue, isSame } = restoredQueue(kept, items);
  const item = queue.entries[queue.at]?.item;
  if (!item) return;
  // A book continues where the Profile stopped on any device.
  const restoredAt = item.kind === 'audiobook' ? await stoppedAt(item.id) : undefined;
  if (!isCurrent() || listening.get().queue.entries.length > 0) return;
  listenClock.set({ time: restoredAt ?? (isSame ? kept.time : 0), duration: item.duration ?? 0 });
  change({ queue, after: kept.after, isPlaying: false, restoredAt });
}

/** Restores the queue of a Profile and keeps it from then on. Returns a function that ends that. */
export function keepQueue(profile: string): () => void {
  let isEnded = false;
  let isRestored = false;
  let stopTimer: (() => void) | undefined;
  const flush = () => {
    stopTimer?.();
    stopTimer = undefined;
    // Until it is known what was kept, an empty queue overwrites nothing.
    if (isRestored || listening.get().queue.entries.length > 0) write(profile);
  };
  let before = listening.get().queue;
  const changed = () => {
    const { queue } = listening.get();
    if (queue !== before) {
      before = queue;
      flush();
    } else stopTimer ??= later(WRITE_EVERY_MS, flush, { isBackground: true });
  };
  const stopped = [listening.subscribe(changed), listenClock.subscribe(changed)];
  addEventListener('pagehide', flush);
  restore(profile, () => !isEnded)
    .catch(() => undefined)
    .finally(() => (isRestored = true));
  return () => {
    isEnded = true;
    stopTimer?.();
    removeEventListener('pagehide', flush);
    for (const stop of stopped) stop();
  };
}
