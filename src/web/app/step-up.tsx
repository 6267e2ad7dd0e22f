/** Asks for the password, and a code where there is a second factor, before a change that needs fresh proof; the change is then made. */
import { useState } from 'preact/hooks';
import { Button } from '../kit/forms/button.tsx';
import { Field } from '../kit/forms/field.tsx';
import { Dialog } from '../kit/layers/dialog.tsx';
import { useStore } from '../lib/store.ts';
import { call, sentence } from '../data/client.ts';
import { useMe } from '../data/session.ts';
import { proof, type Proof } from '../data/send.ts';

const Ask = ({ settle }: Proof) => {
  const me = useMe();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const hasFactor = me?.profile.mfa ?? false;
  const prove = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await call.session.stepUp({ ...(password && { password }), ...(code && { code: code.trim().toLowerCase() }) });
      settle(true);
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button look="quiet" onClick={() => settle(false)}>
        Cancel
      </Button>
      <Button look="primary" type="submit" form="step-up" isBusy={isBusy}>
        Continue
      </Button>
    </>
  );
  return (
    <Dialog title="Confirm it is you" onClose={() => settle(false)} actions={actions}>
      <form id="step-up" onSubmit={prove}>
        <p className="muted">This change needs a fresh proof. It then holds for ten minutes.</p>
        <br />
        <input type="text" hidden autoComplete="username" value={me?.profile.name ?? ''} readOnly />
        {!me?.profile.passwordless && (
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            error={hasFactor ? undefined : error}
            required
          />
        )}
        {hasFactor && (
          <Field
            label="Code"
            hint="Six digits from your authenticator, or a recovery code."
            inputMode="text"
            autoComplete="one-time-code"
            value={code}
            onValue={setCode}
            error={error}
            required
          />
        )}
      </form>
    </Dialog>
  );
};

/** Stands once at the root. */
export const StepUp = () => {
  const asked = useStore(proof);
  return asked ? <Ask {...asked} /> : null;
};
