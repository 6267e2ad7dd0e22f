/** Says that the server cannot be heard, once it has been silent for a few seconds, and goes away by itself. */
import { useEffect, useState } from 'preact/hooks';
import wifiOff from 'lucide/dist/esm/icons/wifi-off.mjs';
import { isHeard } from '../data/events.ts';
import { Icon } from '../kit/art/icon.tsx';
import { useStore } from '../lib/store.ts';
import css from './shell.module.css';

/** A stream that opens again within this time was never missed. */
const PATIENCE_MS = 4000;

export const Silence = () => {
  const heard = useStore(isHeard);
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    if (heard) return setSilent(false);
    const timer = setTimeout(() => setSilent(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [heard]);
  return (
    <div role="status">
      {isSilent && (
        <p className={css.silence}>
          <Icon of={wifiOff} size={1} /> The server does not answer. Trying again
        </p>
      )}
    </div>
  );
};
