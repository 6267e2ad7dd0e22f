/** The names of extras, and which of them are shown. Pure. */
import type { Extra } from '../../../contract/catalog/extras.ts';

/** Returns the extras of a season and those of the whole show; all of them if no season is given. */
export const extrasOfSeason = (extras: readonly Extra[], season: number | undefined): readonly Extra[] =>
  season === undefined ? extras : extras.filter((extra) => extra.season === undefined || extra.season === season);

/** Returns the title of an extra. One without a title is called by its type, which the server says in English. */
export const extraName = ({ title, type }: Pick<Extra, 'title' | 'type'>, typeName: string): string => {
  const plain = title.toLowerCase().replaceAll(' ', '-');
  return plain === type || (type === 'other' && plain === 'extra') ? typeName : title;
};
