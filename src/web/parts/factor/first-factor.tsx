/** Adds a second factor: a passkey where this address can have one, or an authenticator app. */
import { useState } from 'preact/hooks';
import { arePasskeysHere } from '../../data/passkeys.ts';
import { useIsAway } from '../../data/place.ts';
import { useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { accountWords as m } from '../../messages/account.ts';
import { AddPasskey } from './add-passkey.tsx';
import { Enrol } from './enrol.tsx';
import css from './factor.module.css';

export const FirstFactor = ({ onDone }: { onDone: () => void }) => {
  const { data, isPending } = useAsk('passkeys', 'list', {});
  const [isApp, setApp] = useState(false);
  const isAway = useIsAway();
  if (isPending) return null;
  const isOffered = arePasskeysHere(data?.at);
  if (isAway && !isOffered) return <p>{m.managedAtHome}</p>;
  if (isApp || !isOffered) return <Enrol onDone={onDone} />;
  return (
    <div className={css.choice}>
      <section>
        <h2>{m.passkey}</h2>
        <p className="muted">{m.passkeySays}</p>
        <AddPasskey look="primary" onAdded={onDone} />
      </section>
      {!isAway && (
        <section>
          <h2>{m.authenticatorApp}</h2>
          <p className="muted">{m.authenticatorAppSays}</p>
          <Button onClick={() => setApp(true)}>{m.useAnApp}</Button>
        </section>
      )}
    </div>
  );
};
