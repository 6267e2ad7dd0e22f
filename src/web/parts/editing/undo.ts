/** Undo of edits: a notification that takes a change back, and the lists and pages that show it read again. */
import { call } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';

const again = () => {
  for (const group of ['catalog', 'metadata'] as const) readAgain(group);
};

/** Shows what was changed, with Undo. Nothing changed without a change. */
export function showEdited(message: string, change: string | undefined): void {
  again();
  if (change !== undefined)
    toast({ message, undo: () => void runWithToast(() => call.metadata.undo({ id: change })).then(again) });
}
