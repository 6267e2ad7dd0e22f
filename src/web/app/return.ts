/** Brings a page back whose code could not be loaded. */
import { useEffect, useState } from 'preact/hooks';
import { readNetwork } from '../data/place.ts';
import { nowListening } from '../parts/listening/requests.ts';
import { later } from '../lib/pending-work.ts';
import { reload } from '../lib/navigation/navigate.ts';

/** Pause before a server that cannot be reached is asked again. */
export const RETRY_MS = 3000;
/** Entry of the session storage with the path of the page that was reloaded automatically. */
const RELOADED = 'matinee-reloaded';

/**
 * Reloads a page whose code could not be loaded once the server answers, and asks it every few seconds until then.
 * Returns whether the server is silent. If it answered all the time, the page is reloaded once only, because it could
 * fail again in the same way. Nothing is reloaded while music plays.
 */
export function useReturn(state: 'failed' | 'loading' | 'loaded'): boolean {
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    if (state === 'loaded') sessionStorage.removeItem(RELOADED);
    if (state !== 'failed') return;
    let stop: (() => void) | undefined;
    let wasSilent = false;
    let isLeft = false;
    const lookLater = () => {
      stop?.();
      stop = later(RETRY_MS, look, { isBackground: true });
    };
    const answered = () => {
      if (isLeft) return;
      setSilent(false);
      // A reload would stop what plays in the small player: it waits for a pause.
      if (nowListening.get()?.isPlaying === true) return lookLater();
      if (!wasSilent && sessionStorage.getItem(RELOADED) === location.pathname) return;
      sessionStorage.setItem(RELOADED, location.pathname);
      reload();
    };
    const silent = () => {
      if (isLeft) return;
      wasSilent = true;
      setSilent(true);
      lookLater();
    };
    const look = () => void readNetwork().then(answered, silent);
    look();
    addEventListener('online', look);
    return () => {
      isLeft = true;
      stop?.();
      removeEventListener('online', look);
      setSilent(false);
    };
  }, [state]);
  return isSilent;
}
