/** The dialog of `confirm`. */
import { shellWords } from '../../messages/shell.ts';
import { Button } from '../forms/button.tsx';
import type { OpenQuestion } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

export const ConfirmDialog = ({ title, says, action, isDanger = false, settle }: OpenQuestion) => {
  const actions = (
    <>
      <Button look="quiet" onClick={() => settle(false)} data-first={isDanger || undefined}>
        {shellWords.cancel}
      </Button>
      <Button look={isDanger ? 'danger' : 'primary'} onClick={() => settle(true)}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={() => settle(false)} actions={actions}>
      <div className="muted">{says}</div>
    </Dialog>
  );
};
