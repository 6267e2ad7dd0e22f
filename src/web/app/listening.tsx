/** Loads the audio player with the first thing that is listened to, and keeps it while pages change. */
import { createLateLayer } from '../kit/layers/late.ts';
import { useStore } from '../lib/store.ts';
import { pageAt } from '../lib/navigation/addresses.ts';
import { usePath } from '../lib/navigation/navigate.ts';
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
  const MiniPlayer = usePlayer(isAsked || isUsed, () => listenRequest.set(undefined));
  return MiniPlayer ? <MiniPlayer isShown={isShown} /> : null;
};
