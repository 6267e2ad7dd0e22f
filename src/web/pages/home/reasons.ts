/** Reasons for an empty home page, in words for the Profile that reads it. */
import type { Reply } from '../../data/query.ts';
import type { CurrentUser } from '../../data/session.ts';
import { listed } from '../../lib/format.ts';
import { agesWords } from '../../messages/ages.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

type Limits = Pick<CurrentUser['profile']['policy'], 'libraries' | 'rating' | 'unrated'>;

/** Says what limits a Profile, without a word about what exists. Undefined without limits. */
export function limitWords({ libraries, rating, unrated }: Limits): string[] | undefined {
  if (libraries.length === 0) return [agesWords.noLibraryForYou];
  if (rating === 'all') return unrated ? undefined : [agesWords.nothingIsRatedHere];
  return [
    rating === 0 ? agesWords.nothingForAllAges : agesWords.nothingUpToAge({ age: rating }),
    ...(unrated ? [] : [agesWords.unratedAreNotShown]),
  ];
}

type Library = Pick<Reply<'libraries', 'list'>['items'][number], 'name' | 'online' | 'lastScanAt'>;

/** Returns why nothing is shown to an Owner without limits, and the label of the way to the folders. */
export function ownersReason(libraries: readonly Library[]): { says: string; remedy: string } {
  const away = libraries.filter(({ online }) => !online).map(({ name }) => name);
  if (away.length > 0)
    return { says: m.foldersAreAway({ count: away.length, names: listed(away) }), remedy: m.checkFolders };
  return libraries.some(({ lastScanAt }) => lastScanAt !== undefined)
    ? { says: m.nothingFoundInFolders, remedy: m.checkFolders }
    : { says: m.chooseYourMediaFolders, remedy: m.addFolders };
}
