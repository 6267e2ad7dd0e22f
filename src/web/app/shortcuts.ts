/** Keys that open a page from anywhere in the frame, as `lib/navigation/destinations.ts` declares them. */
import { useEffect } from 'preact/hooks';
import { isInLayer, isTyping } from '../lib/keyboard.ts';
import { hrefOf } from '../lib/navigation/addresses.ts';
import { destinationFor } from '../lib/navigation/destinations.ts';
import { go } from '../lib/navigation/navigate.ts';
import { openPalette } from '../parts/palette/open.ts';

export function useShortcuts(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      // Also while a field has the focus: Ctrl with K writes nothing.
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isInLayer(event.target as HTMLElement)) openPalette();
        return;
      }
      const destination = destinationFor(event.key);
      if (!destination || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      const target = event.target as HTMLElement;
      if (isTyping(target) || isInLayer(target)) return;
      event.preventDefault();
      go(hrefOf({ page: destination.page }));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}
