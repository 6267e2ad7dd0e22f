/** Words of the findings of diagnostics, by their codes. Empty in English, which the server says itself. */
import type { Finding, FindingCode } from '../../contract/findings.ts';
import { area } from './catalogue.ts';

export interface FindingText {
  subject: string;
  sentence: string;
}
/** Words for every code, made of the values that findings of this code carry. */
export type FindingTexts = {
  readonly [Code in FindingCode]: (values: Extract<Finding, { code: Code }>['values']) => FindingText;
};

let findingTexts: Partial<FindingTexts> = {};
area<typeof findingTexts>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-findings.ts').then(({ findingTextsGerman }) => findingTextsGerman),
  },
  (loaded) => (findingTexts = loaded),
);

/** Returns the finding in the language that is spoken. */
export function translatedFinding<F extends Pick<Finding, 'code' | 'values' | 'subject' | 'sentence'>>(finding: F): F {
  // The type of the values follows from the code, which the compiler does not see here.
  const text = findingTexts[finding.code] as ((values: object) => FindingText) | undefined;
  return text ? { ...finding, ...text(finding.values) } : finding;
}
