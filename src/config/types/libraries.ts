/** The libraries that the household declares: `[{"name":"Films","path":"/media/films","kind":"movies"}]`. */
import { z } from 'zod';
import { isNamePattern } from '../../lib/name-patterns.ts';
import { parseLanguage } from '../../lib/languages.ts';
import { LIBRARY_KINDS, type LibraryKind, kindNames } from '../../contract/catalog/kinds.ts';
import { hasControl, parseList, path } from './basic.ts';
import { refuse, refuseClash, type ValueType } from '../setting.ts';

/** How one library is read and described. A member that is left out has the setting of the whole server. */
export interface LibraryOptions {
  /** Language of titles and descriptions from the internet. */
  readonly language?: string | undefined;
  /** Country whose certifications are asked for, as two lower-case letters. */
  readonly country?: string | undefined;
  /** False if NFO files are not read. */
  readonly nfo?: boolean | undefined;
  /** False if its items are not looked up on the internet. */
  readonly internet?: boolean | undefined;
  /** Names of folders and files that are not scanned, with `*` for any characters. */
  readonly ignored?: readonly string[] | undefined;
}

export interface LibrarySetting extends LibraryOptions {
  readonly name: string;
  /** Absolute and normalised; never inside another library's path. */
  readonly path: string;
  readonly kind: LibraryKind;
}

/** Folders without ordinary files: reading there can hang, or reveal secrets of processes. */
const NOT_MEDIA = ['/proc', '/sys', '/dev'];
const MAX_LIBRARIES = 100;
const KINDS = kindNames(LIBRARY_KINDS);
const OPTIONS = 'language, country, nfo, internet, ignored';
const MAX_IGNORED = 50;
const Entry = z.strictObject({
  name: z.string(),
  path: z.string(),
  kind: z.enum(KINDS),
  language: z.string().optional(),
  country: z.string().optional(),
  nfo: z.boolean().optional(),
  internet: z.boolean().optional(),
  ignored: z.array(z.string()).max(MAX_IGNORED).optional(),
});

export const libraryEntries: ValueType<readonly LibrarySetting[]> = {
  kind: 'list',
  says:
    `JSON list of at most ${MAX_LIBRARIES} objects with name, path and kind (${KINDS.join(', ')}); ` +
    `optional: ${OPTIONS}`,
  parse(given) {
    const found = parseList(given, MAX_LIBRARIES).map((entry, at) => readEntry(entry, at + 1));
    if (found.length === 0) refuse('must list at least one library, or be left blank');
    const names = found.map((library) => library.name.normalize('NFC').toLowerCase());
    if (new Set(names).size !== names.length) refuseClash('must not use a library name twice');
    for (const one of found) {
      if (found.some((other) => other !== one && isInside(one.path, other.path)))
        refuseClash('must not have a library inside another, or a path twice');
    }
    return found;
  },
  format: (value) => JSON.stringify(value),
};

function readEntry(entry: unknown, at: number): LibrarySetting {
  const read = Entry.safeParse(entry);
  if (!read.success)
    refuse(`entry ${at} must have name, path and kind (${KINDS.join(', ')}), may have ${OPTIONS}, and no other member`);
  const name = read.data.name.trim();
  if (name === '' || [...name].length > 64 || hasControl(name))
    refuse(`entry ${at} must have a name of 1 to 64 characters`);
  const where = readPath(read.data.path, at);
  if (NOT_MEDIA.some((system) => isInside(where, system)))
    refuse(`entry ${at} must not be a folder of the system's own devices and processes`);
  return { name, path: where, kind: read.data.kind, ...readOptions(read.data, at) };
}

/** Leaves out what has the value that it has when it is left out, so that equal lists are equal texts. */
function readOptions({ language, country, nfo, internet, ignored }: z.infer<typeof Entry>, at: number): LibraryOptions {
  const tag = language ? parseLanguage(language) : undefined;
  if (language && tag === undefined) refuse(`entry ${at} must have a language such as en or pt-br`);
  if (country && !/^[a-z]{2}$/.test(country)) refuse(`entry ${at} must have a country of two lower-case letters`);
  if (ignored?.some((name) => !isNamePattern(name)))
    refuse(`entry ${at} must ignore names of 1 to 128 characters without a slash, and not all names`);
  return {
    ...(tag !== undefined && { language: tag }),
    ...(country && { country }),
    ...(nfo === false && { nfo }),
    ...(internet === false && { internet }),
    ...(ignored && ignored.length > 0 && { ignored: [...new Set(ignored)] }),
  };
}

function readPath(given: string, at: number): string {
  try {
    return path.parse(given);
  } catch {
    return refuse(`entry ${at} must have an absolute path`);
  }
}

/** Whether a path is another one or lies below it. Both are absolute and normalised. */
export const isInside = (one: string, other: string): boolean =>
  one === other || one.startsWith(other === '/' ? '/' : `${other}/`);
