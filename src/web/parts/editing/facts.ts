/** The facts of the metadata editor as text in fields, and back. Pure. */
import { EDITABLE_FACTS, type EditableFact, factsOfEditor } from '../../../contract/catalog/editable-facts.ts';
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import type { EditedFacts, Metadata } from '../../../contract/catalog/metadata.ts';
import { PERSON_JOBS, type PersonJob } from '../../../contract/catalog/person-jobs.ts';

export type FactTexts = Record<EditableFact, string>;
/** Names of jobs in the language of the dashboard. */
export type JobNames = Readonly<Record<PersonJob, string>>;
type Person = Metadata['values']['people'][number];

const LISTS: readonly EditableFact[] = ['genres', 'studios'];
/** Facts that are numbers, and the limits of their fields. */
export const NUMBER_LIMITS: Partial<Record<EditableFact, { min: number; max: number; step: number }>> = {
  year: { min: 1800, max: 2200, step: 1 },
  disc: { min: 0, max: 9999, step: 1 },
  track: { min: 0, max: 9999, step: 1 },
  communityRating: { min: 0, max: 10, step: 0.1 },
};
/** Facts that the dialog for many items sets, in its order. Each is offered if all the items can have it. */
const SET_FOR_MANY = ['artists', 'series', 'disc', 'year'] as const satisfies readonly EditableFact[];
/** Lists of names that the dialog for many items adds to and removes from. */
const NAMES_OF_MANY = ['artists', 'genres', 'studios'] as const satisfies readonly EditableFact[];
export type SetFact = (typeof SET_FOR_MANY)[number];
export type NamesFact = (typeof NAMES_OF_MANY)[number];

/** Returns the facts that the editor of an item shows: those of its kind, and others that were set before. */
export const shownFacts = ({ kind, locked }: Pick<Metadata, 'kind' | 'locked'>): EditableFact[] => {
  const own = factsOfEditor(kind);
  return EDITABLE_FACTS.filter((fact) => own.includes(fact) || locked.includes(fact));
};

/** Returns the facts that the dialog for many items shows: those that items of each of the kinds have. */
export function factsOfMany(kinds: readonly ItemKind[]): { set: SetFact[]; names: NamesFact[] } {
  const isOfAll = (fact: EditableFact) => kinds.every((kind) => factsOfEditor(kind).includes(fact));
  return { set: SET_FOR_MANY.filter(isOfAll), names: NAMES_OF_MANY.filter(isOfAll) };
}

/** Returns the names in a field that adds or removes some. Artists have a line each: a name may hold a comma. */
export const namesToChange = (fact: NamesFact, text: string): string[] =>
  fact === 'artists' ? linesOf(text) : splitNames(text);
const splitNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const personLine = ({ name, role, job }: Person, jobs: JobNames): string =>
  [name, ...(role === undefined ? [] : [role]), jobs[job]].join(', ');

/** Returns the person of a line, undefined if it has no name or no known job. Commas within a role stay. */
export function readPerson(line: string, jobs: JobNames): Person | undefined {
  const [name = '', ...rest] = line.split(',').map((part) => part.trim());
  const last = rest.at(-1)?.toLowerCase();
  const job = PERSON_JOBS.find((one) => one === last || jobs[one].toLowerCase() === last);
  const role = rest.slice(0, -1).join(', ');
  return name === '' || job === undefined ? undefined : { name, ...(role !== '' && { role }), job };
}

/** Returns the first line that is no person. */
export const wrongPersonLine = (text: string, jobs: JobNames): string | undefined =>
  linesOf(text).find((line) => readPerson(line, jobs) === undefined);

/** Returns the text of a fact in its field. */
export function factText(fact: EditableFact, values: Partial<EditedFacts>, jobs: JobNames): string {
  if (fact === 'people') return (values.people ?? []).map((person) => personLine(person as Person, jobs)).join('\n');
  if (fact === 'artists') return (values.artists ?? []).join('\n');
  const value = values[fact];
  return Array.isArray(value) ? value.join(', ') : value === null || value === undefined ? '' : String(value);
}

/** Returns the value of a fact from the text of its field. A title that is left empty stays as it was. */
export function factOf(fact: EditableFact, text: string, jobs: JobNames): Partial<EditedFacts> {
  const trimmed = text.trim();
  if (fact === 'people') return { people: linesOf(text).flatMap((line) => readPerson(line, jobs) ?? []) };
  if (fact === 'artists') return { artists: linesOf(text) };
  if (LISTS.includes(fact)) return { [fact]: splitNames(text) };
  if (fact === 'title' || fact === 'sortTitle') return trimmed === '' ? {} : { [fact]: trimmed };
  if (trimmed === '') return { [fact]: null };
  if (fact in NUMBER_LIMITS) return { [fact]: Number(trimmed.replace(',', '.')) };
  return { [fact]: trimmed };
}

export interface EditorState {
  texts: FactTexts;
  locked: ReadonlySet<EditableFact>;
}
/** Returns the request that makes the fields and locks what they are now; undefined if nothing changed. */
export function editOf(
  metadata: Pick<Metadata, 'kind' | 'values' | 'locked'>,
  { texts, locked }: EditorState,
  jobs: JobNames,
): (Partial<EditedFacts> & { unlock: EditableFact[] }) | undefined {
  const { values, locked: before } = metadata;
  const set: Partial<EditedFacts> = {};
  for (const fact of shownFacts(metadata)) {
    const isChanged = texts[fact] !== factText(fact, values, jobs);
    if (locked.has(fact) && (isChanged || !before.includes(fact))) Object.assign(set, factOf(fact, texts[fact], jobs));
  }
  const unlock = before.filter((fact) => !locked.has(fact));
  return Object.keys(set).length + unlock.length === 0 ? undefined : { ...set, unlock };
}
