/**
 * Which language is spoken here: the Profile's, then the browser's. The Profile's is kept on this device for the next
 * start.
 */
import { speak } from './catalogue.ts';

const STORAGE_KEY = 'matinee.language';

function kept(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined;
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
    if (preference === undefined) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, preference);
  } catch {
    // Storage may be forbidden; the next start then begins in the browser's language.
  }
  await speak(wishes(preference));
}
