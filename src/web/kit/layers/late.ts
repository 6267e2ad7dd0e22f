/**
 * Layers that a first visit does not need. Their code and words are loaded shortly after the frame is shown, or at once
 * when one of them is opened before that.
 */
import { useEffect, useState } from 'preact/hooks';
import { settled } from '../../messages/catalogue.ts';
import { shellWords } from '../../messages/shell.ts';
import { toast } from './toast.tsx';
import { later, pendingUntil } from '../../lib/pending-work.ts';

/** Pause before a closed layer is loaded: the page and its pictures come first. */
const LOAD_AFTER_MS = 3000;

/**
 * Makes a hook that returns a layer's component once it is loaded. `isOpen` says whether it is to be shown now; if it
 * cannot be loaded then, a notification says so and `close` is called. Without `isAhead` it is loaded only then.
 */
export function createLateLayer<C>(
  load: () => Promise<C>,
  { isAhead = true }: { isAhead?: boolean } = {},
): (isOpen: boolean, close: () => void) => C | undefined {
  let loaded: { component: C } | undefined;
  let loading: Promise<void> | undefined;
  const loadOnce = (): Promise<void> => {
    loading ??= pendingUntil(
      'import',
      load().then(async (component) => {
        await settled();
        loaded = { component };
      }),
    ).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return (isOpen, close) => {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (loaded || (!isOpen && !isAhead)) return undefined;
      let isOver = false;
      const begin = () =>
        void loadOnce().then(
          () => isOver || redraw((times) => times + 1),
          () => {
            if (isOver || !isOpen) return;
            toast({ message: shellWords.pageNotLoadedHelp, isError: true });
            close();
          },
        );
      const stop = later(isOpen ? 0 : LOAD_AFTER_MS, begin, { isBackground: !isOpen });
      return () => {
        isOver = true;
        stop();
      };
    }, [isOpen]);
    return loaded?.component;
  };
}
