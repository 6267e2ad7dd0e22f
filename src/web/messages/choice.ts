/**
 * Which language is spoken here: the Profile's, then the browser's. The Profile's is kept on this device for the next
 * start.
 */
import { speak } from './catalogue.ts';

const KEPT = 'matinee.language';

function kept(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
}
const wishes = (preference: string | undefined): string[] => [
  ...(preference === undefined ? [] : [preference]),
  ...navigator.languages,
];

/** Loads the words for the first page, before it is known who is here. */
export const speakAtStart = (): Promise<void> => speak(wishes(kept()));

/** Speaks what a Profile prefers; undefined for the browser's language. */
export async function speakFor(preference: string | undefined): Promise<void> {
  try {
    if (preference === undefined) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, preference);
  } catch {
    // Storage may be forbidden; the next start then begins in the browser's language.
  }
  await speak(wishes(preference));
}
