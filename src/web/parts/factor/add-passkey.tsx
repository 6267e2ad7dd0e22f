/** The button that adds a passkey of this device, and the recovery codes that come with the first one. */
import { useState } from 'preact/hooks';
import key from 'lucide/dist/esm/icons/key-round.mjs';
import { sentence } from '../../data/client.ts';
import { addPasskey, isPasskeyCancelled, isPasskeyKnown } from '../../data/passkeys.ts';
import { readAgain } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { accountWords as m } from '../../messages/account.ts';
import { RecoveryCodesDialog } from './recovery-codes.tsx';

export const AddPasskey = ({ look, onAdded }: { look?: 'primary'; onAdded?: () => void }) => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [codes, setCodes] = useState<readonly string[]>();
  const done = () => {
    setCodes(undefined);
    readAgain('passkeys');
    if (onAdded) onAdded();
    else readAgain('me');
  };
  const add = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const made = await addPasskey();
      toast({ message: m.passkeyAdded });
      if (made) setCodes(made);
      else done();
    } catch (failure) {
      if (isPasskeyKnown(failure)) setError(m.passkeyOnThisDevice);
      else if (!isPasskeyCancelled(failure)) setError(sentence(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      <Button {...(look && { look })} icon={key} isBusy={isBusy} onClick={() => void add()}>
        {m.addAPasskey}
      </Button>
      {codes && <RecoveryCodesDialog codes={codes} onClose={done} />}
    </>
  );
};
