/** Saves where the reader is: a moment after the last page was turned, and when the book is closed. */
import { useEffect, useRef } from 'preact/hooks';
import { hrefOfProgress } from './addresses.ts';
import { readAgain } from '../../data/query.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { readingWords as m } from '../../messages/reading.ts';
import { later, pendingUntil } from '../../lib/pending-work.ts';

export interface ReaderPlace {
  part: number;
  offset: number;
}

const PAUSE_MS = 700;

interface Reports {
  session: string;
  sequence: number;
  cancel?: () => void;
  /** The place that was taken last. */
  last?: ReaderPlace;
  pending?: ReaderPlace;
  hasFailed?: true;
}

/** Returns a function that takes the place of the reader after each turn. */
export function usePlaceReports(id: string): (place: ReaderPlace) => void {
  const state = useRef<Reports>({
    session: `reader-${Math.random().toString(36).slice(2, 12)}`,
    sequence: 0,
  });
  const send = (): Promise<void> => {
    const now = state.current;
    const place = now.pending;
    now.cancel?.();
    if (!place) return Promise.resolve();
    delete now.pending;
    now.sequence += 1;
    return fetch(hrefOfProgress(id), {
      method: 'PUT',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...place, session: now.session, sequence: now.sequence }),
    }).then((reply) => {
      // A stale report was overtaken by a later one, which is saved.
      if (!reply.ok && reply.status !== 409) throw new Error(String(reply.status));
    });
  };
  const sendAloud = () =>
    void pendingUntil('call', send()).catch(() => {
      // It is not stored, so the same place counts as another one.
      delete state.current.last;
      if (state.current.hasFailed) return;
      state.current.hasFailed = true;
      toast({ message: m.placeNotSaved, isError: true });
    });
  useEffect(() => {
    const leave = () => sendAloud();
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
    return () => {
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', leave);
      void send()
        .catch(() => undefined)
        .then(() => readAgain('catalog'));
    };
  }, [id]);
  return (place) => {
    const now = state.current;
    // Laid out again, a book says the same place once more. Another device may have read on since.
    if (now.last?.part === place.part && now.last.offset === place.offset) return;
    now.last = now.pending = place;
    now.cancel?.();
    now.cancel = later(PAUSE_MS, sendAloud);
  };
}
