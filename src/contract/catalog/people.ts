/** People: who made or acted in the items that a Profile may see. */
import { z } from 'zod';
import { LIBRARY_READERS } from '../kernel/access.ts';
import { integer, list, lineOfText, paging } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { Card } from './cards.ts';
import { PERSON_JOBS } from './person-jobs.ts';

const Job = z.enum(PERSON_JOBS).meta(about('What the person did.', 'actor'));
const role = z.string().optional().meta(about('Name of the part that an actor plays.', 'Regina Lampert'));
const image = z.string().optional().meta(rarely('Version of the picture of the person. Left out: there is none.'));

/** A person among the people of an item, as an edit names them. */
export const NamedPerson = z.strictObject({ name: z.string().meta(about('Name.', 'Audrey Hepburn')), role, job: Job });

/** A person among the people of an item. */
export const Credit = NamedPerson.extend({ id: idOf('person', 'Id of the person.'), image });
export type Credit = z.output<typeof Credit>;

const byPerson = z.strictObject({ id: idOf('person', 'Id of the person.') });
const MAX_QUERY_LENGTH = 128;

const PersonCard = z
  .strictObject({
    id: idOf('person', 'Id of the person.'),
    name: z.string().meta(about('Name.', 'Audrey Hepburn')),
    image,
    jobs: z.array(Job).meta(about('What the person did in items that this Profile may see.', ['actor'])),
    items: z.int().min(1).meta(about('Number of films, shows and other works on the page of the person.', 1)),
  })
  .meta({ id: 'PersonCard', description: 'Person as a search shows them.' });
export type PersonCard = z.output<typeof PersonCard>;

const PersonWork = z
  .strictObject({
    item: Card.meta(about('The film, show, book or album. Episodes and tracks are listed as their show or album.')),
    credits: z
      .array(z.strictObject({ job: Job, role }))
      .meta(about('What the person did there.', [{ job: 'actor', role: 'Regina Lampert' }])),
    parts: z
      .int()
      .min(1)
      .optional()
      .meta(rarely('Number of its episodes or tracks that name the person. Left out: the work itself does.')),
  })
  .meta({ id: 'PersonWork', description: 'Work of a person.' });
export type PersonWork = z.output<typeof PersonWork>;

const Person = z
  .strictObject({
    id: idOf('person', 'Id of the person. It may differ from the requested one, which stays valid.'),
    name: z.string().meta(about('Name.', 'Audrey Hepburn')),
    image,
    ids: z
      .record(z.string(), z.string())
      .meta(about('Ids in other databases, by the name of the database.', { tmdb: '1932' })),
    biography: z.string().optional().meta(rarely('Biography, from the metadata provider.')),
    born: z.string().optional().meta(rarely('Day of birth: 1929-05-04.')),
    died: z.string().optional().meta(rarely('Day of death.')),
    birthplace: z.string().optional().meta(rarely('Place of birth.')),
    pending: z
      .boolean()
      .meta(about('Whether the biography is being fetched, so that a later request may have it.', false)),
    ...list(PersonWork).shape,
  })
  .meta({ id: 'Person', description: 'Person with the works that this Profile may see.' });
export type PersonPage = z.output<typeof Person>;

export const people = {
  search: endpoint({
    method: 'GET',
    path: '/api/v1/people',
    summary: 'Search for people by name',
    description:
      'Returns people whose name has all these words and of whom this Profile may see at least one work. The last ' +
      'word may be the beginning of a longer one. A person with exactly this name comes first, then those with the ' +
      'most works.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      q: lineOfText(MAX_QUERY_LENGTH).meta({ description: 'Words of the name.', examples: ['hepburn'] }),
      limit: integer(1, 50).default(20).meta({ description: 'Maximum number of people in the reply.' }),
    }),
    result: z
      .strictObject({
        items: z.array(PersonCard).meta(about('People, the best match first.')),
        total: z.int().min(0).meta(about('Number of people in the reply.', 1)),
      })
      .meta({ id: 'PeopleFound', description: 'People found by their name.' }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/people/{id}',
    summary: 'A person with the works that this Profile may see',
    description:
      'Works are sorted by kind, and within a kind by year, the newest first. A person of whom this Profile may see ' +
      'nothing does not exist. The first look at a person fetches the biography in the background.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPerson,
    query: z.strictObject(paging),
    result: Person,
    fails: ['no-such-person'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/v1/people/{id}/picture',
    summary: 'Picture of a person in one of several fixed widths',
    description:
      'Returns the picture, which is fetched from the metadata provider when it is requested first. Without one it ' +
      'is that in the folder `.actors` next to an item that this Profile may see.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPerson,
    query: z.strictObject({
      width: integer(1, 4000)
        .default(160)
        .meta({ description: 'Width in pixels; the reply has the next larger fixed width.' }),
      v: z
        .string()
        .max(32)
        .optional()
        .meta({
          description: 'The version from image; with it the picture may be cached for a year.',
          examples: ['3f9a1c'],
        }),
    }),
    result: { bytes: ['image/webp', 'image/jpeg', 'image/png'] },
    fails: ['no-such-person', 'no-such-picture', 'picture-unreadable', 'file-unavailable', 'too-busy'],
  }),
};
