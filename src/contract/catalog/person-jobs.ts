/** The jobs of people. This file imports nothing, so that the dashboard can load it without a schema library. */

/** Jobs of people, in the order in which their works are listed. */
export const PERSON_JOBS = [
  'actor',
  'director',
  'writer',
  'creator',
  'producer',
  'composer',
  'conductor',
  'author',
  'narrator',
  'contributor',
] as const;
export type PersonJob = (typeof PERSON_JOBS)[number];
