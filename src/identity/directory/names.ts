/**
 * Names of Profiles that the directory made: the first of several that no other Profile has and that does not look like
 * the name of an Owner.
 */
import { nameLookOf } from '../../lib/language/look-alike.ts';
import { keptName, nameKeyOf } from '../core.ts';
import type { IdentityCache } from '../identity-cache.ts';

/** Longest name of a Profile, in UTF-16 units. */
const MAX_NAME = 64;

/** Returns a text as one line of at most `most` units, without half a character at its end. */
function fitted(text: string, most: number): string {
  const line = keptName(text.replaceAll(/\p{Cc}+/gu, ' '));
  let name = '';
  for (const character of line) {
    if (name.length + character.length > most) break;
    name += character;
  }
  return name.trim();
}

/** Whether a name looks like that of an Owner, other than the Profile `own`. */
export function isLikeOwner({ profiles }: Pick<IdentityCache, 'profiles'>, name: string, own?: string): boolean {
  const look = nameLookOf(name);
  return (
    look !== '' &&
    [...profiles.values()].some((one) => one.role === 'owner' && one.id !== own && nameLookOf(one.name) === look)
  );
}

/**
 * Returns the first of some names that is free. If none is, the last one gets a number. `own` is the Profile that keeps
 * its name.
 */
export function profileNameFor(
  identities: Pick<IdentityCache, 'profileNamed' | 'profiles'>,
  names: readonly string[],
  own?: string,
): string {
  const isFree = (name: string): boolean => {
    const holder = identities.profileNamed(nameKeyOf(name));
    return name !== '' && (holder === undefined || holder.id === own) && !isLikeOwner(identities, name, own);
  };
  const free = names.map((name) => fitted(name, MAX_NAME)).find(isFree);
  if (free !== undefined) return free;
  const last = names.at(-1) ?? '';
  for (let count = 2; ; count++) {
    const suffix = ` ${count}`;
    const name = `${fitted(last, MAX_NAME - suffix.length)}${suffix}`;
    if (isFree(name)) return name;
  }
}
