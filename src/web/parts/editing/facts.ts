/** The facts of the metadata editor as text in fields, and back. Pure. */
import type { EditableFact, EditedFacts, Metadata } from '../../../contract/catalog/metadata.ts';
import { PERSON_JOBS } from '../../../contract/catalog/person-jobs.ts';

export const FACTS = [
  'title',
  'sortTitle',
  'originalTitle',
  'year',
  'released',
  'tagline',
  'plot',
  'genres',
  'studios',
  'people',
  'communityRating',
] as const satisfies readonly EditableFact[];

export type FactTexts = Record<EditableFact, string>;
type Person = Metadata['values']['people'][number];

export const splitNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const personLine = ({ name, role, job }: Person): string =>
  [name, ...(role === undefined ? [] : [role]), job].join(', ');

/** Returns the person of a line, undefined if it has no name or no known job. Commas within a role stay. */
export function readPerson(line: string): Person | undefined {
  const [name = '', ...rest] = line.split(',').map((part) => part.trim());
  const job = PERSON_JOBS.find((one) => one === rest.at(-1)?.toLowerCase());
  const role = rest.slice(0, -1).join(', ');
  return name === '' || job === undefined ? undefined : { name, ...(role !== '' && { role }), job };
}

const peopleLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the first line that is no person. */
export const wrongPersonLine = (text: string): string | undefined =>
  peopleLines(text).find((line) => readPerson(line) === undefined);

/** Returns the text of a fact in its field. */
export function factText(fact: EditableFact, values: Partial<EditedFacts>): string {
  if (fact === 'people') return (values.people ?? []).map((person) => personLine(person as Person)).join('\n');
  const value = values[fact];
  return Array.isArray(value) ? value.join(', ') : value === null || value === undefined ? '' : String(value);
}

/** Returns the value of a fact from the text of its field. A title that is left empty stays as it was. */
export function factOf(fact: EditableFact, text: string): Partial<EditedFacts> {
  const trimmed = text.trim();
  if (fact === 'people') return { people: peopleLines(text).flatMap((line) => readPerson(line) ?? []) };
  if (fact === 'genres' || fact === 'studios') return { [fact]: splitNames(text) };
  if (fact === 'title' || fact === 'sortTitle') return trimmed === '' ? {} : { [fact]: trimmed };
  if (trimmed === '') return { [fact]: null };
  if (fact === 'year' || fact === 'communityRating') return { [fact]: Number(trimmed.replace(',', '.')) };
  return { [fact]: trimmed };
}

/** Returns the request that makes the fields and locks what they are now; undefined if nothing changed. */
export function editOf(
  { values, locked: before }: Pick<Metadata, 'values' | 'locked'>,
  texts: FactTexts,
  locked: ReadonlySet<EditableFact>,
): (Partial<EditedFacts> & { unlock: EditableFact[] }) | undefined {
  const set: Partial<EditedFacts> = {};
  for (const fact of FACTS) {
    const isChanged = texts[fact] !== factText(fact, values);
    if (locked.has(fact) && (isChanged || !before.includes(fact))) Object.assign(set, factOf(fact, texts[fact]));
  }
  const unlock = before.filter((fact) => !locked.has(fact));
  return Object.keys(set).length + unlock.length === 0 ? undefined : { ...set, unlock };
}
