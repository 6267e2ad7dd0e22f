/** The second factor of this Profile: whether there is one, and ways to add or remove it. */
import { useState } from 'preact/hooks';
import shield from 'lucide/dist/esm/icons/shield-check.mjs';
import { call } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { useCodeForm } from '../../parts/factor/code-form.ts';
import { Enrol } from '../../parts/factor/enrol.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import css from './account.module.css';
import { accountWords as m } from '../../messages/account.ts';

const Remove = ({ onClose }: { onClose: () => void }) => {
  const { code, setCode, error, isBusy, submit } = useCodeForm(async (given) => {
    await call.me.removeMfa({ code: given });
    toast({ message: m.secondFactorRemoved });
    readAgain('me');
    onClose();
  });
  const actions = (
    <>
      <Button look="quiet" onClick={onClose}>
        {m.cancel}
      </Button>
      <Button look="danger" type="submit" form="remove-factor" isBusy={isBusy}>
        {m.remove}
      </Button>
    </>
  );
  return (
    <Dialog title={m.removeTheSecondFactor} onClose={onClose} actions={actions}>
      <form id="remove-factor" onSubmit={submit}>
        <p className="muted">{m.yourAuthenticatorAndAllRecovery}</p>
        <br />
        <Field
          label={m.code}
          hint={m.sixDigitsFromYourAuthenticator}
          value={code}
          onValue={setCode}
          autoComplete="one-time-code"
          error={error}
          required
        />
      </form>
    </Dialog>
  );
};

export const Factor = ({ hasApp, passkeys, left }: { hasApp: boolean; passkeys: number; left: number }) => {
  const [open, setOpen] = useState<'enrol' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <>
      {hasApp ? (
        <>
          <p className={css.status}>
            <Icon of={shield} /> {m.onWithLeft({ codes: m.recoveryCodesCount({ count: left }) })}
          </p>
          {left < 3 && <p className={css.few}>{m.removeItAndAddIt}</p>}
          <Button onClick={() => setOpen('remove')}>{m.removeOrReplace}</Button>
        </>
      ) : (
        <>
          {passkeys > 0 && (
            <p className={css.status}>
              <Icon of={shield} /> {m.passkeyIsOn({ codes: m.recoveryCodesCount({ count: left }) })}
            </p>
          )}
          <Button look={passkeys > 0 ? 'plain' : 'primary'} onClick={() => setOpen('enrol')}>
            {m.addASecondFactor}
          </Button>
        </>
      )}
      {open === 'remove' && <Remove onClose={close} />}
      {open === 'enrol' && (
        <Dialog title={m.addASecondFactor} onClose={close} isWide>
          <Enrol
            onDone={() => {
              readAgain('me');
              toast({ message: m.secondFactorAdded });
              close();
            }}
          />
        </Dialog>
      )}
    </>
  );
};
