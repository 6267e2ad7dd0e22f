/** A dialog with a form: saves once, passes a failure to its fields, and closes when it has saved. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { sentence } from '../../data/client.ts';
import { shellWords } from '../../messages/shell.ts';
import { Button } from '../forms/button.tsx';
import { Dialog } from './dialog.tsx';

export interface FormDialogProps {
  title: string;
  /** The verb on the button. */
  action: string;
  /** Called with a valid form. Its rejection is shown in the form. */
  onSave: () => Promise<unknown>;
  onClose: () => void;
  /** Asked before the form is left unsaved. False keeps it open. */
  mayLeave?: () => Promise<boolean>;
  /** Whether the form can be saved. */
  isReady?: boolean;
  isWide?: boolean;
  /** Renders the fields. `error` is the last failure to save. */
  children: (error: string | undefined) => ComponentChildren;
}
export const FormDialog = ({
  title,
  action,
  onSave,
  onClose,
  mayLeave,
  isReady = true,
  isWide = false,
  children,
}: FormDialogProps) => {
  const id = useId();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy || !isReady) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSave();
      onClose();
    } catch (failed) {
      setError(sentence(failed));
      setBusy(false);
    }
  };
  const leave = async () => {
    if (mayLeave === undefined || (await mayLeave())) onClose();
  };
  const actions = (
    <>
      <Button look="quiet" onClick={() => void leave()}>
        {shellWords.cancel}
      </Button>
      <Button look="primary" type="submit" form={id} isBusy={isBusy} disabled={!isReady}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={() => void leave()} actions={actions} isWide={isWide}>
      <form id={id} onSubmit={(event) => void save(event)}>
        {children(error)}
      </form>
    </Dialog>
  );
};
