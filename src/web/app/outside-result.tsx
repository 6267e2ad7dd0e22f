/** Result of a proof at the identity provider: a notification, or the dialog for the code that is owed. */
import { useEffect } from 'preact/hooks';
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';
import { call } from '../data/client.ts';
import { type OutsideResult, withoutOutsideResult } from '../lib/outside-result.ts';
import { readAgain } from '../data/query.ts';
import { Button } from '../kit/forms/button.tsx';
import { Field } from '../kit/forms/field.tsx';
import { Dialog } from '../kit/layers/dialog.tsx';
import { toast } from '../kit/layers/toast.tsx';
import { go } from '../lib/navigation/navigate.ts';
import { accountWords as m } from '../messages/account.ts';
import { shellWords } from '../messages/shell.ts';
import { useCodeForm } from '../parts/factor/code-form.ts';

/** Takes the result out of the address, so that reloading the page does not repeat it. */
const clear = () =>
  go(withoutOutsideResult(location.pathname, new URLSearchParams(location.search)), { replace: true });

const CodeDialog = ({ protocol }: { protocol: OutsideProtocolName }) => {
  const { code, setCode, error, isBusy, submit } = useCodeForm(async (given) => {
    await call[protocol].finishProof({ code: given });
    toast({ message: m.identityConfirmed });
    readAgain('session');
    clear();
  });
  const actions = (
    <>
      <Button look="quiet" onClick={clear}>
        {shellWords.cancel}
      </Button>
      <Button look="primary" type="submit" form="outside-code" isBusy={isBusy}>
        {shellWords.continue}
      </Button>
    </>
  );
  return (
    <Dialog title={shellWords.confirmIdentity} onClose={clear} actions={actions}>
      <form id="outside-code" onSubmit={submit}>
        <p className="muted">{m.identityIsConfirmed}</p>
        <br />
        <Field
          label={shellWords.code}
          hint={shellWords.codeHelp}
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

export const OutsideResultShown = ({ result }: { result: OutsideResult }) => {
  useEffect(() => {
    if (result.kind === 'owes-code') return;
    if (result.kind === 'confirmed') toast({ message: m.identityConfirmed });
    else toast({ message: result.reason === 'outside-unknown' ? m.proofUnknown : m.proofRefused, isError: true });
    clear();
  }, [result.kind]);
  return result.kind === 'owes-code' ? <CodeDialog protocol={result.protocol} /> : null;
};
