/** Loads the audio player with the first thing that is listened to, and keeps it while pages change. */
import { useMemo } from 'preact/hooks';
import { useMe } from '../data/session.ts';
import { createLateLayer } from '../kit/layers/late.ts';
import { useStore } from '../lib/store.ts';
import { pageAt } from '../lib/navigation/addresses.ts';
import { usePath } from '../lib/navigation/navigate.ts';
import { hasKeptQueue } from '../parts/listening/kept-queue.ts';
import { listenRequest, nowListening } from '../parts/listening/requests.ts';
import { frameOf } from './pages.ts';

const usePlayer = createLateLayer(() => import('../player/listen/view/mini.tsx').then((file) => file.MiniPlayer), {
  isAhead: false,
});

/** Rendered once, at the root. Pages that fill the screen have no room for the small player. */
export const Listening = () => {
  const isShown = frameOf(pageAt(usePath())?.page ?? 'missing') === 'shell';
  const isAsked = useStore(listenRequest) !== undefined;
  const isUsed = useStore(nowListening) !== undefined;
  const profile = useMe()?.profile.id;
  const isKept = useMemo(() => profile !== undefined && hasKeptQueue(profile), [profile]);
  const MiniPlayer = usePlayer(isAsked || isUsed || isKept, () => listenRequest.set(undefined));
  return MiniPlayer ? <MiniPlayer isShown={isShown} /> : null;
};
