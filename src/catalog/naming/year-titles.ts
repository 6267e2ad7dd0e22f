/** Titles that begin with a number which looks like the year of a work in front of its title. */
import { fold } from './text.ts';

/** Each as the number and the beginning of the rest. */
const TITLES: readonly string[] = [
  '1900 novecento',
  '1917 the',
  '1920 london',
  '1920 evil returns',
  '1941 die',
  '1971 beyond borders',
  '1984 nineteen',
  '1987 when the day comes',
  '1991 the year punk broke',
  '2001 a space',
  '2001 odyss',
  '2001 odiss',
  '2002 the rape of eden',
  '2009 lost memories',
  '2010 the year we make contact',
  '2010 odyssey two',
  '2010 odyssee',
  '2010 moby dick',
  '2012 doomsday',
  '2012 supernova',
  '2012 ice age',
  '2012 time for change',
  '2019 after the fall',
  '2020 texas gladiators',
  '2022 die',
  '2036 origin unknown',
  '2036 nexus dawn',
];

/** Whether a name is one of these titles: `2001 - A Space Odyssey`. */
export function beginsWithYear(name: string): boolean {
  const folded = fold(name.slice(0, 255));
  return TITLES.some((title) => folded.startsWith(title));
}
