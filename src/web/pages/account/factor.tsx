/** The second factor of this Profile: whether there is one, and ways to add or remove it. */
import { useState } from 'preact/hooks';
import shield from 'lucide/dist/esm/icons/shield-check.mjs';
import { call, sentence } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { Enrol } from '../../parts/factor/enrol.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { many } from '../../lib/format.ts';
import css from './account.module.css';

const Remove = ({ onClose }: { onClose: () => void }) => {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await call.me.removeMfa({ code: code.trim().toLowerCase() });
      toast({ message: 'Removed your second factor' });
      readAgain('me');
      onClose();
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button look="danger" type="submit" form="remove-factor" isBusy={isBusy}>
        Remove
      </Button>
    </>
  );
  return (
    <Dialog title="Remove the second factor" onClose={onClose} actions={actions}>
      <form id="remove-factor" onSubmit={submit}>
        <p className="muted">
          Your authenticator and all recovery codes stop working. Where this server requires a second factor, you enrol
          a new one next.
        </p>
        <br />
        <Field
          label="Code"
          hint="Six digits from your authenticator, or a recovery code."
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

export const Factor = ({ hasFactor, left }: { hasFactor: boolean; left: number }) => {
  const [open, setOpen] = useState<'enrol' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <>
      {hasFactor ? (
        <>
          <p className={css.status}>
            <Icon of={shield} /> On, with {many(left, 'recovery code')} left
          </p>
          {left < 3 && <p className={css.few}>Remove it and enrol again to get new recovery codes.</p>}
          <Button onClick={() => setOpen('remove')}>Remove or replace</Button>
        </>
      ) : (
        <Button look="primary" onClick={() => setOpen('enrol')}>
          Add a second factor
        </Button>
      )}
      {open === 'remove' && <Remove onClose={close} />}
      {open === 'enrol' && (
        <Dialog title="Add a second factor" onClose={close} isWide>
          <Enrol
            onDone={() => {
              readAgain('me');
              toast({ message: 'Added a second factor' });
              close();
            }}
          />
        </Dialog>
      )}
    </>
  );
};
