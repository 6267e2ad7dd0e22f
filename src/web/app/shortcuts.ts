/** Keys that work on every page: "/" searches. */
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../lib/navigation/addresses.ts';
import { go } from '../lib/navigation/navigate.ts';

export function useShortcuts(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      const target = event.target as HTMLElement;
      if (
        target.isContentEditable ||
        /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
        document.querySelector('dialog[open]')
      )
        return;
      event.preventDefault();
      go(hrefOf({ page: 'search' }));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}
