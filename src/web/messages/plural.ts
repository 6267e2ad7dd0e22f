/** Helpers of messages: numbers and counted nouns in the language that is spoken. */
import { speaking } from './catalogue.ts';

/** Makes a formatter once per locale. */
export function perLocale<T>(make: (locale: string) => T): () => T {
  let made: { locale: string; value: T } | undefined;
  return () => {
    const { locale } = speaking();
    if (made?.locale !== locale) made = { locale, value: make(locale) };
    return made.value;
  };
}

const rules = perLocale((locale) => new Intl.PluralRules(locale));
const numbers = perLocale((locale) => new Intl.NumberFormat(locale));

/** A number with the separators of the locale: "1,204". */
export const count = (value: number): string => numbers().format(value);

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
/** The form for a number, without the number: "is", "are". */
export const plural = (value: number, forms: Forms): string => forms[rules().select(value)] ?? forms.other;
/** A number with its noun: "1 film", "1,204 films". */
export const counted = (value: number, one: string, other: string): string =>
  `${count(value)} ${plural(value, { one, other })}`;
