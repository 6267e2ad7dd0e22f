/**
 * Reads the age of a certification: `PG-13`, `Rated R for violence`, `FSK 12`, `DE:16`, `gb/15`, `se-11`,
 * `USA:PG-13 / UK:12A`.
 *
 * A mark that several countries use differently (`A` means all ages in Norway and adults in India) is read in
 * this order: as the country that is written with it, else as the country of the household, else in its strictest
 * reading of all countries. Of several certifications in one text, that of the household's country counts, or else the
 * strictest.
 *
 * A mark that is not known is unrated. It is never read as a rating for all ages.
 */
import { CERTIFICATIONS, COUNTRY_NAMES, EXEMPT, UNRATED_WORDS, WIDESPREAD } from './certifications.ts';

/** Ages that a certification can have. */
export const MAX_AGE = 21;
/** Lengths of a text and number of its certifications, above which it is unrated. */
const MAX_LENGTH = 400;
const MAX_CERTIFICATIONS = 40;

/** An age, or null for a mark that says that there is no rating. */
type Reading = number | null;
type Marks = ReadonlyMap<string, Reading>;

/** Countries whose certifications are known, by their lowercase ISO 3166 codes. */
export const RATED_COUNTRIES: readonly string[] = Object.keys(CERTIFICATIONS);

const listed = (marks: string): string[] => marks.split(',').map((mark) => mark.trim());

/** Removes differences in spelling: case, accents, spaces and signs. `U/A 13+` and `ua13` are the same mark. */
const squash = (mark: string): string =>
  mark
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const marksOf = (byAge: Readonly<Record<number, string>>, exempt = ''): Marks =>
  new Map<string, Reading>([
    ...listed(exempt).map((mark) => [squash(mark), null] as const),
    ...Object.entries(byAge).flatMap(([age, marks]) =>
      listed(marks).map((mark) => [squash(mark), Number(age)] as const),
    ),
  ]);

const COUNTRIES: ReadonlyMap<string, Marks> = new Map(
  Object.entries(CERTIFICATIONS).map(([country, byAge]) => [country, marksOf(byAge, EXEMPT[country])]),
);

/** The strictest reading of each mark in all countries. A mark that is exempt in one of them is unrated. */
const STRICTEST: Marks = [marksOf(WIDESPREAD), ...COUNTRIES.values()].reduce<Map<string, Reading>>((all, marks) => {
  for (const [mark, reading] of marks) {
    const before = all.get(mark);
    all.set(mark, before === null || reading === null ? null : Math.max(before ?? 0, reading));
  }
  return all;
}, new Map());

const UNRATED: ReadonlySet<string> = new Set(['', ...listed(UNRATED_WORDS).map(squash)]);

const NAMES: ReadonlyMap<string, string> = new Map([
  ...RATED_COUNTRIES.map((code) => [code, code] as const),
  ...Object.entries(COUNTRY_NAMES).flatMap(([code, names]) => listed(names).map((name) => [name, code] as const)),
]);

/**
 * Returns the age from which an item with this rating is fit to be seen; undefined if it is unrated. `household` is the
 * code of a country. Never throws.
 */
export function ageOf(rating: string | null | undefined, household?: string): number | undefined {
  if (typeof rating !== 'string' || rating.length > MAX_LENGTH) return undefined;
  const texts = rating.split(/\s\/\s|[;|]/, MAX_CERTIFICATIONS + 1);
  if (texts.length > MAX_CERTIFICATIONS) return undefined;
  const home = household?.toLowerCase();
  let strictest: number | undefined;
  for (const text of texts) {
    const { country, mark } = divide(tidy(text));
    const age = readMark(mark, country ?? home);
    if (age === undefined) continue;
    if (country !== undefined && country === home) return age;
    strictest = Math.max(strictest ?? 0, age);
  }
  return strictest;
}

/** Returns the certifications of a country that are examples of each age, the lowest age first. */
export const examplesOf = (country: string): { age: number; ratings: string[] }[] =>
  Object.entries(own(CERTIFICATIONS, country) ?? {}).map(([age, marks]) => ({
    age: Number(age),
    ratings: listed(marks).slice(0, MAX_EXAMPLES),
  }));
const MAX_EXAMPLES = 3;

function readMark(mark: string, country: string | undefined): number | undefined {
  const key = keyOf(mark);
  if (UNRATED.has(key)) return undefined;
  const stated = country === undefined ? undefined : COUNTRIES.get(country);
  const reading = stated?.has(key) === true ? stated.get(key) : STRICTEST.get(key);
  return reading === null ? undefined : (reading ?? ageIn(key));
}

/** Returns the key of a mark. The American descriptors of content (`TV-14-LV`) do not change the age. */
const keyOf = (mark: string): string => squash(mark).replace(/^(TVPG|TV14|TVMA)[DLSV]{1,4}$/, '$1');

/** Reads `16`, `K16`, `VM14`, `FROM12YEARS`. A number next to any other word is not an age. */
function ageIn(key: string): number | undefined {
  const digits =
    /^(?:K|Κ|VM|FSK|PEGI|AGES?|FROM|AB|R|M|PG|OD|OVER|RATED)?(\d{1,2})(?:YEARS?|YEARSOLD|ANS|JAHREN?|ANOS|ANNI|YO|ANDUP|ANDOVER|PLUS)?$/u.exec(
      key,
    )?.[1];
  const age = Number(digits ?? NaN);
  return age <= MAX_AGE ? age : undefined;
}

/** Removes "Rated …" and the reasons after it, and unifies dashes and spaces. */
const tidy = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[‐-―−_]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:mpaa )?(?:rated|rating)[: ] ?(?=\S)/i, '')
    .replace(/ (?:for|because) .*$/i, '');

/** A country's name and a mark, divided by a colon, a slash, a space or a dash. */
const DIVISIONS = [
  /^([^:]{2,40}):(.*)$/u,
  /^([^:/ ]{2,20})[/ ](.+)$/u,
  /^(\p{L}{2,20}-\p{L}{2})-(.+)$/u,
  /^(\p{L}{2,20})-(.+)$/u,
];

const countryOf = (name: string): string | undefined =>
  NAMES.get(name) ?? (englishNames ??= codesByEnglishName()).get(name);

/** Splits `DE:16`, `DE-16`, `gb/15`, `FSK 12`, `South Korea:15` into country and mark. */
function divide(text: string): { country?: string; mark: string } {
  // "TV-14", "U/A 13+" and "MA 15+" are marks in themselves.
  if (!text.includes(':') && STRICTEST.has(keyOf(text))) return { mark: text };
  for (const division of DIVISIONS) {
    const [, name = '', mark = ''] = division.exec(text) ?? [];
    const country = countryOf(name.trim().toLowerCase());
    if (country === undefined) continue;
    // A board may be named in addition: "DE:FSK 12".
    const inner = STRICTEST.has(keyOf(mark)) ? mark : divide(mark.trim()).mark;
    return { country, mark: inner };
  }
  // A number means the same in a country that is not known here.
  return { mark: text.replace(/^\p{L}{2}[:/-](?=\d)/u, '') };
}

let englishNames: ReadonlyMap<string, string> | undefined;
/** Codes by the English names of countries. Made when first needed: the names take a start ten milliseconds. */
function codesByEnglishName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return new Map(RATED_COUNTRIES.map((code) => [(names.of(code.toUpperCase()) ?? code).toLowerCase(), code]));
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
