/**
 * Announcements to screen readers, for changes that sighted users see without help. `app/announcer.tsx` renders them.
 */
import { createStore } from './store.ts';

export const announcement = createStore('');
/** Has a screen reader read a sentence aloud; nothing is shown. */
export const announce = (sentence: string): void => announcement.set(sentence);
