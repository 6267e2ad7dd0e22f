/** Languages of the dashboard as choices, by their own names: those who look for one may read no other. */
import { ownName } from '../../lib/format.ts';
import { SPOKEN_LANGUAGES } from '../../messages/catalogue.ts';
import { householdWords as m } from '../../messages/household.ts';

const AS_BROWSER = '';

export const interfaceLanguages = (): { value: string; label: string }[] => [
  { value: AS_BROWSER, label: m.asBrowser },
  ...Object.keys(SPOKEN_LANGUAGES).map((code) => ({ value: code, label: ownName(code) })),
];
/** Returns the choice that a preference stands for: "de" for "de-at". */
export function languageChoice(preference: string | undefined): string {
  const primary = preference?.split('-')[0] ?? AS_BROWSER;
  return Object.hasOwn(SPOKEN_LANGUAGES, primary) ? primary : AS_BROWSER;
}
/** Returns the preference of a choice; null for the language of the browser. */
export const chosenLanguage = (choice: string): string | null => (choice === AS_BROWSER ? null : choice);
