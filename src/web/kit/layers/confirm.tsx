/** Asks before something is done, and shows exactly what will be done. */
import type { ComponentChildren } from 'preact';
import { createStore, useStore } from '../../lib/store.ts';
import { Button } from '../forms/button.tsx';
import { Dialog } from './dialog.tsx';

export interface Question {
  title: string;
  /** What will happen, and what will not. */
  says: ComponentChildren;
  /** The verb on the button: "Remove library". */
  action: string;
  isDanger?: boolean;
}
const question = createStore<(Question & { settle: (yes: boolean) => void }) | undefined>(undefined);

/** Resolves to true when the person chose the action. */
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

/** Stands once at the root. */
export const Confirms = () => {
  const asked = useStore(question);
  if (!asked) return null;
  const { title, says, action, isDanger = false, settle } = asked;
  const actions = (
    <>
      <Button look="quiet" onClick={() => settle(false)} data-first={isDanger || undefined}>
        Cancel
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
