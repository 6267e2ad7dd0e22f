/** Keys that work anywhere in the frame: `/`, and Ctrl or Cmd with K, open the command palette. */
import { useEffect } from 'preact/hooks';
import { isInLayer, isTyping } from '../lib/keyboard.ts';
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
      if (event.key !== '/' || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      const target = event.target as HTMLElement;
      if (isTyping(target) || isInLayer(target)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}
