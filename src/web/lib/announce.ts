/**
 * Announcements to screen readers, for changes that sighted users see without help. `app/announcer.tsx` renders them.
 */
import { createStore } from './store.ts';

export const announcement = createStore('');
/** Makes a sentence different from the one before, which a screen reader would not read again. */
const REPEATED = '\u00a0';
/** Has a screen reader read a sentence aloud, also the same one again; nothing is shown. */
export const announce = (sentence: string): void =>
  announcement.change((before) => (before === sentence ? sentence + REPEATED : sentence));
