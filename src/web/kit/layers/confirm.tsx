/** Confirmation dialog. Use it for changes that cannot be undone; the others are made at once, with Undo in a toast. */
import type { ComponentChildren } from 'preact';
import { createStore, useStore } from '../../lib/store.ts';
import { createLateLayer } from './late.ts';

export interface Question {
  title: string;
  /** Says what the action changes and what stays. */
  says: ComponentChildren;
  /** The verb on the button: "Remove library". */
  action: string;
  isDanger?: boolean;
}
export interface OpenQuestion extends Question {
  settle: (isConfirmed: boolean) => void;
}
const question = createStore<OpenQuestion | undefined>(undefined);

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

const useDialog = createLateLayer(() => import('./confirm-dialog.tsx').then((file) => file.ConfirmDialog));

/** Rendered once, at the root. */
export const Confirms = () => {
  const asked = useStore(question);
  const ConfirmDialog = useDialog(asked !== undefined, () => asked?.settle(false));
  return asked && ConfirmDialog ? <ConfirmDialog {...asked} /> : null;
};
