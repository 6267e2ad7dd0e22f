/** Recovery codes, shown once: to copy, to print, and to keep. */
import copy from 'lucide/dist/esm/icons/copy.mjs';
import printer from 'lucide/dist/esm/icons/printer.mjs';
import { Button } from '../../kit/forms/button.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { accountWords as m } from '../../messages/account.ts';
import css from './factor.module.css';

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ message: m.copied({ what }) });
  } catch {
    toast({ message: m.thisBrowserDoesNotAllow({ what }), isError: true });
  }
}

export const RecoveryCodes = ({ codes, says }: { codes: readonly string[]; says: string }) => (
  <>
    <p className="muted">{says}</p>
    <ul className={css.codes} aria-label={m.recoveryCodes}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <div className={css.buttons}>
      <Button icon={copy} onClick={() => void copyText(codes.join('\n'), m.recoveryCodesLabel)}>
        {m.copy}
      </Button>
      <Button icon={printer} onClick={() => print()}>
        {m.print}
      </Button>
    </div>
  </>
);

/** Shows the codes that came with a first passkey. */
export const RecoveryCodesDialog = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
  <Dialog
    title={m.saveYourRecoveryCodes}
    onClose={onClose}
    actions={
      <Button look="primary" onClick={onClose}>
        {m.iHaveSavedThem}
      </Button>
    }
  >
    <RecoveryCodes codes={codes} says={m.eachCodeReplacesYourPasskey} />
  </Dialog>
);
