/** The limits of a Profile in words that it may read itself. */
import type { CurrentUser } from '../../data/session.ts';
import { agesWords } from '../../messages/ages.ts';

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
