/** A banner shown while the server cannot be reached. It hides as soon as the event stream is open again. */
import { useEffect, useState } from 'preact/hooks';
import wifiOff from 'lucide/dist/esm/icons/wifi-off.mjs';
import { isConnected } from '../data/events.ts';
import { Icon } from '../kit/art/icon.tsx';
import { useStore } from '../lib/store.ts';
import { shellWords } from '../messages/shell.ts';
import css from './shell.module.css';
import { later } from '../lib/pending-work.ts';

/** Interruptions shorter than this are not shown. */
const SHOW_AFTER_MS = 4000;

export const OfflineBanner = () => {
  const connected = useStore(isConnected);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    if (connected) return setOffline(false);
    return later(SHOW_AFTER_MS, () => setOffline(true));
  }, [connected]);
  return (
    <div role="status">
      {isOffline && (
        <p className={css.offline}>
          <Icon of={wifiOff} size={1} /> {shellWords.reconnecting}
        </p>
      )}
    </div>
  );
};
