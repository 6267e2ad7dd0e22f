/**
 * Tags of one file under the names of the tag library, for the quick readers of each format. Which tag has which name
 * is a table of the format; values that repeat are treated alike in all.
 */
import type { IAudioMetadata } from 'music-metadata';

export interface Tag {
  id: string;
  value: string | number;
}

/** Names of the library by those of a format in upper case. */
export interface CommonNames {
  /** Members that the last of several tags becomes. */
  single: Readonly<Record<string, string>>;
  /** Members that are lists of different values. */
  several: Readonly<Record<string, string>>;
  /** Numbers, with a total behind a slash. */
  numbers: Readonly<Record<string, 'track' | 'disk'>>;
  /** Totals in a separate tag. */
  totals?: Readonly<Record<string, 'track' | 'disk'>>;
  compilation: string;
  /** Lyrics are counted: whether there are any is all that is asked of them here, and `readLyrics` reads them. */
  lyrics: readonly string[];
}

type Numbered = { no: number | null; of: number | null };

/** Returns a whole number; null if a text begins with none. */
const wholeIn = (text: string | number | undefined): number | null => {
  const number = Number.parseInt(String(text ?? ''), 10);
  return Number.isNaN(number) ? null : number;
};

/** `more` are members that a format has elsewhere, and the lyrics that are counted elsewhere. */
export function commonOf(
  tags: readonly Tag[],
  names: CommonNames,
  { lyrics: counted = 0, ...more }: Readonly<Record<string, unknown>> & { lyrics?: number } = {},
): IAudioMetadata['common'] {
  const single: Record<string, unknown> = {};
  const several: Record<string, unknown[]> = {};
  const numbers: Record<'track' | 'disk', Numbered> = { track: { no: null, of: null }, disk: { no: null, of: null } };
  let compilation: boolean | undefined;
  let lyrics = counted;
  for (const { id, value } of tags) {
    const name = id.toUpperCase();
    const [one, list, number, total] = [
      names.single[name],
      names.several[name],
      names.numbers[name],
      names.totals?.[name],
    ];
    if (one !== undefined) single[one] = value;
    else if (list !== undefined) {
      const values = (several[list] ??= []);
      if (!values.includes(value)) values.push(value);
    } else if (number !== undefined) {
      const [own, of] = String(value).split('/');
      numbers[number] = { no: wholeIn(own) || null, of: numbers[number].of ?? (wholeIn(of) || null) };
    } else if (total !== undefined) numbers[total].of = wholeIn(value);
    else if (name === names.compilation) compilation = value === '1' || value === 1;
    else if (names.lyrics.includes(name)) lyrics++;
  }
  return {
    ...single,
    ...several,
    ...numbers,
    ...more,
    movementIndex: { no: null, of: null },
    ...(compilation !== undefined && { compilation }),
    ...(lyrics > 0 && { lyrics: Array.from({ length: lyrics }, () => ({ syncText: [] })) }),
  } as unknown as IAudioMetadata['common'];
}
