/** Asks for a fresh proof when a protected change needs one. */
import { proof } from '../data/send.ts';
import { createLateLayer } from '../kit/layers/late.ts';
import { useStore } from '../lib/store.ts';

const useDialog = createLateLayer(() => import('./step-up-dialog.tsx').then((file) => file.StepUpDialog));

/** Rendered once, at the root. */
export const StepUp = () => {
  const asked = useStore(proof);
  const StepUpDialog = useDialog(asked !== undefined, () => asked?.settle(false));
  return asked && StepUpDialog ? <StepUpDialog {...asked} /> : null;
};
