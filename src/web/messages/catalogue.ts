/**
 * The dashboard's words. English (`en/<area>.ts`) is complete and is the type that every other language fulfils: text,
 * or a function of named parameters. An area (`player.ts`) exports its messages as `playerWords`, in the language that
 * is spoken; only that language is loaded, each area with the first page that imports it.
 *
 * They are empty until `settled()` has resolved, so they are read while rendering and never in a constant of a module.
 */

/** The languages there are words for, and the direction each is written in. */
export const SPOKEN_LANGUAGES = { en: 'ltr', de: 'ltr' } as const satisfies Readonly<Record<string, 'ltr' | 'rtl'>>;
export type SpokenLanguage = keyof typeof SPOKEN_LANGUAGES;

/** The type that a language fulfils for an English area: the same keys, and functions of the same parameters. */
export type Translation<M> = {
  readonly [K in keyof M]: M[K] extends string
    ? string
    : M[K] extends (...parameters: infer P) => string
      ? (...parameters: P) => string
      : Translation<M[K]>;
};

type Loaders<M> = Readonly<Record<SpokenLanguage, () => Promise<M>>>;
interface Area {
  /** Loads the area in a language unless it is there. */
  ready(language: SpokenLanguage): Promise<void>;
}

const areas: Area[] = [];
let spoken: { language: SpokenLanguage; locale: string } = { language: 'en', locale: 'en' };
let isChosen = false;

/** Declares an area. `put` receives its messages; it is loaded by the next `speak` or `settled`. */
export function area<M>(loaders: Loaders<M>, put: (messages: M) => void): void {
  let loading: { language: SpokenLanguage; done: Promise<void> } | undefined;
  const ready = (language: SpokenLanguage): Promise<void> => {
    if (loading?.language === language) return loading.done;
    const done = loaders[language]().then(
      (messages) => {
        // A language chosen meanwhile wins.
        if (spoken.language === language) put(messages);
      },
      (error: unknown) => {
        if (loading?.done === done) loading = undefined;
        throw error;
      },
    );
    loading = { language, done };
    return done;
  };
  areas.push({ ready });
  if (isChosen) ready(spoken.language).catch(() => undefined);
}

/**
 * Resolves when every area that was imported so far is loaded. Rejects when one cannot be, and tries again when called
 * again.
 */
export const settled = (): Promise<void> =>
  Promise.all(areas.map(({ ready }) => ready(spoken.language))).then(() => undefined);

/** The language for those who prefer `wishes`, in that order: BCP 47 tags, of which the primary language counts. */
export function chooseSpoken(wishes: readonly string[]): { language: SpokenLanguage; locale: string } {
  for (const wish of wishes) {
    const language = wish.split('-', 1)[0]?.toLowerCase() ?? '';
    // A wish without a region is refined by a later one of the same language, which has the dates of its country.
    if (isLanguage(language))
      return { language, locale: wishes.find((other) => other.toLowerCase().startsWith(`${language}-`)) ?? wish };
  }
  return { language: 'en', locale: 'en' };
}
const isLanguage = (text: string): text is SpokenLanguage => Object.hasOwn(SPOKEN_LANGUAGES, text);

/** Loads every area in the first of these languages that there are words for, and says it to the document. */
export async function speak(wishes: readonly string[]): Promise<void> {
  spoken = chooseSpoken(wishes);
  isChosen = true;
  if (typeof document === 'object') {
    document.documentElement.lang = spoken.language;
    document.documentElement.dir = SPOKEN_LANGUAGES[spoken.language];
  }
  await settled();
}

/** The language that is spoken, and the locale in which numbers, dates and names are formatted. */
export const speaking = (): Readonly<typeof spoken> => spoken;
