/** Words for the reasons that speak for a subtitle, by the English ones, which are what is stored. */
import { area } from './catalogue.ts';

interface Pattern {
  form: RegExp;
  say: (values: Readonly<Record<string, string>>) => string;
}
interface Texts {
  fixed: ReadonlyMap<string, string>;
  measured: readonly Pattern[];
}

/** Returns the form of a reason with values, such as `moved by {shift}`. */
const formOf = (english: string): RegExp =>
  new RegExp(`^${english.replaceAll(/[.()]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')}$`);
// Numbers are stored with a point.
const withCommas = (value: string): string => value.replaceAll(/(\d)\.(\d)/g, '$1,$2');

let texts: Texts = { fixed: new Map(), measured: [] };
area<Texts>(
  {
    en: () => Promise.resolve({ fixed: new Map(), measured: [] }),
    de: () =>
      Promise.all([import('./de/server-evidence.ts'), import('./de/server-evidence-measured.ts')]).then(
        ([{ evidenceTextsGerman }, { measuredEvidenceGerman }]) => ({
          fixed: evidenceTextsGerman,
          measured: measuredEvidenceGerman.map(([english, say]) => ({ form: formOf(english), say })),
        }),
      ),
  },
  (loaded) => (texts = loaded),
);

/** Returns a reason in the language that is spoken; one of another version as it is stored. */
export function evidenceText(english: string): string {
  const fixed = texts.fixed.get(english);
  if (fixed !== undefined) return fixed;
  for (const { form, say } of texts.measured) {
    const found = form.exec(english);
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, withCommas(value)] as const);
    return say(Object.fromEntries(values));
  }
  return english;
}
