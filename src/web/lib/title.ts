/** The title of the page: in the tab, and said aloud when the page changes. */
import { useEffect } from 'preact/hooks';
import { createStore } from './store.ts';

export const title = createStore('');
/** Every page calls this once, with what it shows; undefined while that is not known yet. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return;
    document.title = text ? `${text} · Matinee` : 'Matinee';
    title.set(text);
  }, [text]);
}
