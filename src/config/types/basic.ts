/**
 * The plain types of values: texts, choices, numbers, durations, times, paths and programs.
 *
 * Each of them parses a text and formats the value as text again. The reason of a refusal never repeats the text.
 */
import { isAbsolute, normalize } from 'node:path';
import { parseDocument } from 'yaml';
import { parseLanguage } from '../../lib/languages.ts';
import { refuse, type ValueType } from '../setting.ts';

/**
 * Whether a text has a control character: a mistake in a shell script, or an attempt to forge a line of the log.
 * `except` lists those that may be there.
 */
export function hasControl(text: string, except = ''): boolean {
  for (const character of text) {
    if ((character < ' ' || character === '\u007f') && !except.includes(character)) return true;
  }
  return false;
}
/** Returns the number of code points, which is what a person counts, not that of UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

/** Text on one line. `min` and `max` count characters. */
export const text = ({ min = 1, max = 1024 }: { min?: number; max?: number } = {}): ValueType<string> => ({
  kind: 'text',
  says: `text of ${min} to ${max} characters`,
  parse(given) {
    if (hasControl(given)) refuse('must not contain control characters');
    if (lengthOf(given) < min || lengthOf(given) > max) refuse(`must have ${min} to ${max} characters`);
    return given;
  },
});

/** A document of several lines, such as XML. `max` counts characters. */
export const documentText = (max: number): ValueType<string> => ({
  kind: 'text',
  says: `text of at most ${max} characters, over several lines`,
  parse(given) {
    if (given.length > max) refuse(`must have at most ${max} characters`);
    if (hasControl(given, '\t\n\r')) refuse('must not contain control characters');
    return given;
  },
});

/** A secret. `visible` asks for printable ASCII without spaces, as a token in a header must be. */
export const secret = ({
  min = 1,
  max = 1024,
  visible = false,
}: { min?: number; max?: number; visible?: boolean } = {}): ValueType<string> => ({
  kind: 'secret',
  says: `secret text of ${min} to ${max} ${visible ? 'visible ASCII ' : ''}characters`,
  parse(given) {
    if (hasControl(given)) refuse('must not contain control characters');
    if (visible && !/^[\x21-\x7e]*$/.test(given)) refuse('must be visible ASCII characters without spaces');
    if (lengthOf(given) < min || lengthOf(given) > max) refuse(`must have ${min} to ${max} characters`);
    return given;
  },
});

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const boolean: ValueType<boolean> = {
  kind: 'boolean',
  says: 'true, false, 1 or 0',
  allowed: ['true', 'false'],
  parse: (given) => BOOLEANS.get(given) ?? refuse('must be true, false, 1 or 0'),
  format: String,
};

export function oneOf<const A extends readonly string[]>(allowed: A): ValueType<A[number]> {
  return {
    kind: 'enum',
    says: `one of ${allowed.join(', ')}`,
    allowed,
    parse: (given) => allowed.find((one) => one === given) ?? refuse(`must be one of ${allowed.join(', ')}`),
  };
}

/** A code from a list that is too long to be offered as a choice. `says` describes the list for people. */
export const countryCodeOf = (codes: readonly string[], says: string): ValueType<string> => ({
  kind: 'country',
  says,
  allowed: codes,
  parse: (given) => (codes.includes(given) ? given : refuse(`must be ${says}`)),
});

/** A JSON list of distinct choices. */
export function listOf<const A extends readonly string[]>(allowed: A): ValueType<readonly A[number][]> {
  const one = oneOf(allowed);
  return {
    kind: 'list',
    says: `JSON list of ${allowed.join(', ')}`,
    allowed,
    parse(given) {
      const found = parseList(given, allowed.length).map((entry) => one.parse(typeof entry === 'string' ? entry : ''));
      if (new Set(found).size !== found.length) refuse('must not name the same entry twice');
      return found;
    },
    format: (value) => JSON.stringify(value),
  };
}

/** Reads a JSON list of at most `most` entries, or refuses. */
export function parseList(given: string, most: number): unknown[] {
  const found = parseJson(given, 'a JSON list');
  if (!Array.isArray(found)) refuse('must be a JSON list');
  if (found.length > most) refuse(`must have at most ${most} entries`);
  return found;
}

/** Reads JSON in which no object has a key twice, or refuses as not being `what`. */
export function parseJson(given: string, what: string): unknown {
  let found: unknown;
  let isStrict = false;
  try {
    found = JSON.parse(given);
    // JSON.parse silently keeps the last of two equal keys. JSON is YAML, and the YAML parser reports them.
    isStrict =
      parseDocument(given, { version: '1.2', uniqueKeys: true, prettyErrors: false, logLevel: 'silent' }).errors
        .length === 0;
  } catch {
    return refuse(`must be ${what}`);
  }
  return isStrict ? found : refuse(`must be ${what} without a key given twice`);
}

/** A whole number from `min` to `max`. */
export const positiveInteger = (max: number, min = 1): ValueType<number> => ({
  kind: 'integer',
  says: `whole number from ${min} to ${max}`,
  parse(given) {
    if (!/^[1-9][0-9]{0,9}$/.test(given) || Number(given) > max || Number(given) < min)
      refuse(`must be a whole number from ${min} to ${max}`);
    return Number(given);
  },
});

/** A file-system path from the root, normalised and without a slash at its end. */
export const path: ValueType<string> = {
  kind: 'path',
  says: 'absolute path',
  parse(given) {
    if (hasControl(given)) refuse('must not contain control characters');
    if (!isAbsolute(given)) refuse('must be an absolute path');
    if (Buffer.byteLength(given) > 4095) refuse('must be a path of at most 4095 bytes');
    const tidy = normalize(given);
    return tidy.length > 1 && tidy.endsWith('/') ? tidy.slice(0, -1) : tidy;
  },
  format: (value) => value,
};

/** A program: a bare name that is looked up in PATH, or an absolute path. Never an option. */
export const program: ValueType<string> = {
  kind: 'text',
  says: 'bare program name or absolute path',
  parse(given) {
    if (isAbsolute(given)) return path.parse(given);
    if (!/^[A-Za-z0-9_][A-Za-z0-9._+-]{0,254}$/.test(given)) refuse('must be a bare program name or an absolute path');
    return given;
  },
  format: (value) => value,
};

/** Text that is handed to a program as an argument, so it must not look like an option. */
export const argument: ValueType<string> = {
  ...text(),
  parse(given) {
    if (given.startsWith('-')) refuse('must not start with a hyphen');
    return text().parse(given);
  },
};

/** A language, kept in its normal form: `EN` and `eng` are `en`. */
export const language: ValueType<string> = {
  kind: 'language',
  says: 'language tag such as en or pt-br; ISO 639 codes of two or three letters, in any case',
  parse: (given) => parseLanguage(given) ?? refuse('must be a language tag such as en or pt-br'),
  format: (value) => value,
};
