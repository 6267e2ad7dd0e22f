/** A dialog that is a form: it saves once, says what went wrong beside the fields, and closes when it is done. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { sentence } from '../../data/client.ts';
import { Button } from '../forms/button.tsx';
import { Dialog } from './dialog.tsx';

export interface FormDialogProps {
  title: string;
  /** The verb on the button. */
  action: string;
  /** Rejects with what went wrong. */
  onSave: () => Promise<unknown>;
  onClose: () => void;
  /** False while something is still missing. */
  isReady?: boolean;
  isWide?: boolean;
  /** The fields, given what went wrong. */
  children: (error: string | undefined) => ComponentChildren;
}
export const FormDialog = ({
  title,
  action,
  onSave,
  onClose,
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
  const actions = (
    <>
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button look="primary" type="submit" form={id} isBusy={isBusy} disabled={!isReady}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions} isWide={isWide}>
      <form id={id} onSubmit={(event) => void save(event)}>
        {children(error)}
      </form>
    </Dialog>
  );
};
