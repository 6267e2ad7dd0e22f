/** Turns the credits of TMDB's pages into people of an item. Pure functions. */
import type { Person } from '../catalog/index.ts';
import type { EpisodePage, FilmPage, ShowPage } from './replies.ts';

const MAX_CAST = 50;
const JOBS: Readonly<Record<string, Person['job']>> = {
  Director: 'director',
  Screenplay: 'writer',
  Writer: 'writer',
  Producer: 'producer',
  'Executive Producer': 'producer',
  'Original Music Composer': 'composer',
};

/** A person of a credit, as TMDB names them. */
export interface NamedCredit {
  id?: number | undefined;
  name: string;
  profile_path?: string | null | undefined;
}

const byOrder = (one: { order?: number | undefined }, two: { order?: number | undefined }): number =>
  (one.order ?? Infinity) - (two.order ?? Infinity) || 0;

/** Returns a person with the id and picture by which other pages name the same one. */
export const personOfCredit = ({ id, name, profile_path: picture }: NamedCredit, job: Person['job']): Person => ({
  name,
  job,
  ...(id !== undefined && { ids: { tmdb: String(id) } }),
  ...(picture && { picture }),
});

/** Returns the job of a member of the crew; undefined for one that is not listed. */
export const jobOfCrew = (job: string | null | undefined): Person['job'] | undefined => JOBS[job ?? ''];

/** Returns the people of a film or show, those behind the camera first. */
export function peopleOf(work: FilmPage | ShowPage): Person[] {
  const people: Person[] = [];
  const isKnown = ({ name, job, ids }: Person): boolean =>
    people.some((one) => one.name === name && one.job === job && one.ids?.tmdb === ids?.tmdb);
  const add = (person: Person): void => {
    if (!isKnown(person)) people.push(person);
  };
  const actor = (credit: NamedCredit, role: string | null | undefined) => {
    const { name, ...person } = personOfCredit(credit, 'actor');
    add({ name, ...(role ? { role } : {}), ...person });
  };
  const crew = (credit: NamedCredit, job: string | null | undefined): void => {
    const known = jobOfCrew(job);
    if (known) add(personOfCredit(credit, known));
  };
  if ('title' in work) {
    for (const credit of work.credits?.crew ?? []) crew(credit, credit.job);
    for (const credit of (work.credits?.cast ?? []).toSorted(byOrder).slice(0, MAX_CAST))
      actor(credit, credit.character);
  } else {
    for (const creator of work.created_by ?? []) add(personOfCredit(creator, 'creator'));
    for (const credit of work.aggregate_credits?.crew ?? []) for (const { job } of credit.jobs ?? []) crew(credit, job);
    for (const credit of (work.aggregate_credits?.cast ?? []).toSorted(byOrder).slice(0, MAX_CAST))
      actor(credit, credit.roles?.[0]?.character);
  }
  return people;
}

/** Returns the people of an episode: its director and writers, and its guests. */
export function guestsOf({ crew = [], guest_stars: guests = [] }: EpisodePage): Person[] {
  const people: Person[] = crew.flatMap((credit) => {
    const known = jobOfCrew(credit.job);
    return known ? [personOfCredit(credit, known)] : [];
  });
  for (const credit of guests.toSorted(byOrder).slice(0, MAX_CAST)) {
    const { name, ...person } = personOfCredit(credit, 'actor');
    people.push({ name, ...(credit.character ? { role: credit.character } : {}), ...person });
  }
  return people.filter(({ name, job }, at) => people.findIndex((one) => one.name === name && one.job === job) === at);
}
