/** The libraries that the household declares: `[{"name":"Films","path":"/media/films","kind":"movies"}]`. */
import { z } from 'zod';
import { LIBRARY_KINDS, type LibraryKind, kindNames } from '../../contract/catalog/kinds.ts';
import { hasControl, parseList, path } from './basic.ts';
import { refuse, refuseClash, type ValueType } from '../setting.ts';

export interface LibrarySetting {
  readonly name: string;
  /** Absolute and normalised; never inside another library's path. */
  readonly path: string;
  readonly kind: LibraryKind;
}

/** Folders without ordinary files: reading there can hang, or reveal secrets of processes. */
const NOT_MEDIA = ['/proc', '/sys', '/dev'];
const MOST = 100;
const KINDS = kindNames(LIBRARY_KINDS);
const Entry = z.strictObject({ name: z.string(), path: z.string(), kind: z.enum(KINDS) });

export const libraryEntries: ValueType<readonly LibrarySetting[]> = {
  kind: 'list',
  says: `JSON list of at most ${MOST} objects with name, path and kind (${KINDS.join(', ')})`,
  parse(given) {
    const found = parseList(given, MOST).map((entry, at) => readEntry(entry, at + 1));
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
  if (!read.success) refuse(`entry ${at} must have name, path and kind (${KINDS.join(', ')}) and no other member`);
  const name = read.data.name.trim();
  if (name === '' || [...name].length > 64 || hasControl(name))
    refuse(`entry ${at} must have a name of 1 to 64 characters`);
  const where = readPath(read.data.path, at);
  if (NOT_MEDIA.some((system) => isInside(where, system)))
    refuse(`entry ${at} must not be a folder of the system's own devices and processes`);
  return { name, path: where, kind: read.data.kind };
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
