/** Confirmation dialog. Use it for changes that cannot be undone; the others are made at once, with Undo in a toast. */
import type { ComponentChildren } from 'preact';
import { createStore, useStore } from '../../lib/store.ts';
import { shellWords } from '../../messages/shell.ts';
import { Button } from '../forms/button.tsx';
import { Dialog } from './dialog.tsx';

export interface Question {
  title: string;
  /** Says what the action changes and what stays. */
  says: ComponentChildren;
  /** The verb on the button: "Remove library". */
  action: string;
  isDanger?: boolean;
}
const question = createStore<(Question & { settle: (yes: boolean) => void }) | undefined>(undefined);

/** Resolves to true if the user confirms, and to false if the dialog is closed. */
export const confirm = (asked: Question): Promise<boolean> =>
  new Promise((resolve) => {
    question.set({
      ...asked,
      settle: (yes) => {
        question.set(undefined);
        resolve(yes);
      },
    });
  });

/** Rendered once, at the root. */
export const Confirms = () => {
  const asked = useStore(question);
  if (!asked) return null;
  const { title, says, action, isDanger = false, settle } = asked;
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
