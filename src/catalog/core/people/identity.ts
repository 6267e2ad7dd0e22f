/**
 * The identity of people, and the people of an item. Pure functions.
 *
 * The id of a person is derived from one entry of one item: from the TMDB id, else the IMDb id, else the folded name.
 * It therefore never depends on another item, which a Profile may not see.
 */
import { createHash } from 'node:crypto';
import type { Credit } from '../../../contract/catalog/people.ts';
import type { PersonJob } from '../../../contract/catalog/person-jobs.ts';
import { fold } from '../../naming/text.ts';
import type { Details, Person, PortraitPlace } from '../../store/records.ts';

const DIGEST_LENGTH = 16;
const VERSION_LENGTH = 10;
const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Returns the name as it is compared: without case and accents. Names of other signs than letters stay as they are. */
export const foldPersonName = (name: string): string => fold(name) || name.trim();

/** Returns the id in another database, `tmdb:1932` or `imdb:nm0000030`; an empty text without one. */
export const sourceOfPerson = ({ ids }: Pick<Person, 'ids'>): string =>
  ids?.tmdb !== undefined ? `tmdb:${ids.tmdb}` : ids?.imdb !== undefined ? `imdb:${ids.imdb}` : '';

export const personId = (person: Pick<Person, 'name' | 'ids'>): string =>
  digest(`person ${sourceOfPerson(person) || foldPersonName(person.name)}`, DIGEST_LENGTH);

/** Returns the version of a picture, by its path at the metadata service. */
export const personImageVersion = (path: string): string => digest(path, VERSION_LENGTH);
/** Returns the version of a picture in a library. */
export const portraitVersion = ({ at, s, m }: Omit<PortraitPlace, 'name'>): string =>
  personImageVersion(JSON.stringify([at, s, m]));
/** Returns a function that returns the picture of a person next to the media of an item. */
export function portraitFinder({ portraits = [] }: Details): (name: string) => PortraitPlace | undefined {
  const byName = new Map(portraits.map((portrait) => [portrait.name, portrait]));
  return (name) => (byName.size === 0 ? undefined : byName.get(foldPersonName(name)));
}

/** Returns everyone who is named in the details of an item. */
export function creditedPeople({ people, audiobook, music }: Details): Person[] {
  if (audiobook === undefined || people.length > 0) return people;
  // A row of a version before people were among its facts.
  const { narrators } = audiobook;
  const authors = (music?.artists ?? []).filter((name) => !narrators.includes(name));
  return [...named(authors, 'author'), ...named(narrators, 'narrator')];
}

/** Returns people with these names. */
export const named = (names: readonly string[], job: PersonJob): Person[] => names.map((name) => ({ name, job }));

/** Returns people as the page of an item shows them, with the ids of their own pages. */
export const shownPeople = (
  people: readonly Person[],
  portraitOf: (name: string) => PortraitPlace | undefined = () => undefined,
): Credit[] =>
  people.map(({ picture, ids, ...person }) => {
    const portrait = picture === undefined ? portraitOf(person.name) : undefined;
    return {
      ...person,
      id: personId({ name: person.name, ...(ids && { ids }) }),
      ...(picture !== undefined && { image: personImageVersion(picture) }),
      ...(portrait && { image: portraitVersion(portrait) }),
    };
  });
