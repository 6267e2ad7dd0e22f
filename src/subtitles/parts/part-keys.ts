/**
 * Keys of the parts of a film. A film in several files has a subtitle next to each of them, so all work on subtitles
 * (rows, searches, locks, history, drafts) is about one file. The first file, and the only one of most items, has the
 * id of the item as its key; the others have the id and the number of their part. Pure.
 */
import type { PlayableFile, Subject } from '../../catalog/index.ts';
import type { PartOfQuery } from '../providers/provider.ts';

/** No id contains it. */
const SEPARATOR = '~';

/** Returns the id of the item that a key belongs to. */
export const itemOfKey = (key: string): string => key.split(SEPARATOR, 1)[0] ?? key;

/** Returns the files of the version that plays first: the parts of a film, or the only file. */
export const partsIn = ({ files }: Pick<Subject, 'files'>): PlayableFile[] =>
  files.filter(({ id }) => id === files[0]?.id);

/** Returns the key of a file of an item. */
export const keyOfPart = (
  { id, files }: Pick<Subject, 'id' | 'files'>,
  file: Pick<PlayableFile, 'id' | 'part'>,
): string => (file.id === files[0]?.id && file.part !== files[0].part ? `${id}${SEPARATOR}${file.part}` : id);

/** An item as the work on one of its parts sees it, with the place of that part in the film. */
export type PartOfFilm = Subject & { place?: PartOfQuery };

/**
 * Returns an item as the work on one of its parts sees it: with that file and the sidecars next to it. An item with
 * one file is returned as it is. Returns undefined if there is no such part.
 */
export function partOfSubject(subject: Subject, key: string): PartOfFilm | undefined {
  const parts = partsIn(subject);
  if (parts.length <= 1) return key === subject.id ? subject : undefined;
  const file = parts.find((one) => keyOfPart(subject, one) === key);
  return (
    file && {
      ...subject,
      id: key,
      files: [{ ...file, item: key }],
      place: placeOf(file, parts),
      sidecars: subject.sidecars.filter(({ version, part }) => version === file.id && part === file.part),
    }
  );
}

function placeOf(file: PlayableFile, parts: readonly PlayableFile[]): PartOfQuery {
  const before = parts.slice(0, parts.indexOf(file)).map(({ info }) => info?.duration);
  const start = before.includes(undefined)
    ? undefined
    : before.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
  return { number: file.part, of: parts.length, ...(start !== undefined && { start }) };
}
