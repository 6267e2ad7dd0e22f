/**
 * Sign-in with a passkey: by a button, and in the list that the browser shows under the field of the name. Where this
 * page has another address than passkeys are for, the button leads there.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import key from 'lucide/dist/esm/icons/key-round.mjs';
import type { PasskeyHost } from '../../../contract/identity/passkeys.ts';
import { sentence } from '../../data/client.ts';
import {
  arePasskeysHere,
  canOfferInField,
  hasPasskeys,
  isPasskeyCancelled,
  signInByPasskey,
} from '../../data/passkeys.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { deviceName } from '../../lib/device.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { accountWords as m } from '../../messages/account.ts';
import css from './sign-in.module.css';
import { later } from '../../lib/pending-work.ts';
import { leaveTo } from '../../lib/navigation/navigate.ts';

/** The server keeps a ceremony for five minutes, so it is begun again before that. */
const RENEW_MS = 4 * 60_000;

interface PasskeyProps {
  at: PasskeyHost;
  next: string;
  remember: boolean;
  onSignedIn: () => Promise<void>;
}

export const SignInByPasskey = ({ at, next, remember, onSignedIn }: PasskeyProps) => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isHere = arePasskeysHere(at);
  const stays = useRef(remember);
  stays.current = remember;
  const waiting = useRef<AbortController | undefined>(undefined);
  const given = { device: deviceName(navigator.userAgent), remember: () => stays.current };
  const offerInField = async (): Promise<void> => {
    const waits = new AbortController();
    waiting.current = waits;
    const stop = later(RENEW_MS, () => waits.abort('renew'), { isBackground: true });
    let isChosen = false;
    const onChosen = () => (isChosen = true);
    try {
      await signInByPasskey(given, { signal: waits.signal, isInField: true, onChosen });
      await onSignedIn();
    } catch (failure) {
      if (waits.signal.reason === 'renew') return offerInField();
      // A person who has not chosen one has the form, and needs no words about this.
      if (isChosen) setError(sentence(failure));
    } finally {
      stop();
    }
  };
  useEffect(() => {
    let isLeft = false;
    if (isHere) void canOfferInField().then((can) => (can && !isLeft ? offerInField() : undefined));
    return () => {
      isLeft = true;
      waiting.current?.abort('left');
    };
  }, [isHere]);
  const use = async () => {
    if (!isHere) return leaveTo(`${at.origin}${hrefOf({ page: 'signIn', query: { next } })}`);
    // A browser answers one question at a time.
    waiting.current?.abort('asked');
    setBusy(true);
    setError(undefined);
    try {
      await signInByPasskey(given);
      await onSignedIn();
    } catch (failure) {
      if (!isPasskeyCancelled(failure)) setError(sentence(failure));
      setBusy(false);
      void canOfferInField().then((can) => (can ? offerInField() : undefined));
    }
  };
  if (!hasPasskeys() && isHere) return null;
  return (
    <div className={css.passkey}>
      {error !== undefined && <Notice tone="danger">{error}</Notice>}
      <Button isLarge icon={key} isBusy={isBusy} onClick={() => void use()}>
        {m.signInByPasskey}
      </Button>
      {!isHere && <p className="muted small">{m.continuesAt({ origin: at.origin })}</p>}
      <p className={css.or} aria-hidden="true">
        {m.or}
      </p>
    </div>
  );
};
