/** Endpoints of ratings by age: their meaning, a rating by hand, and items that are allowed or hidden for a Profile. */
import { z } from 'zod';
import { OWNER_READERS, OWNERS } from '../kernel/access.ts';
import { Id, lineOfText, list, paging } from '../kernel/common.ts';
import { about, byItem, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { Profile } from '../identity/profiles.ts';
import { Card, Certification } from './cards.ts';

const CountryCode = z
  .string()
  .regex(/^[a-z]{2}$/, 'expected a country of two lower-case letters')
  .meta(about('ISO 3166-1 code of a country in lower case.', 'de'));

const byProfile = z.strictObject({ id: idOf('profile', 'Id of the Profile.') });

export const ITEM_ACCESS = ['allowed', 'hidden', 'default'] as const;

const RuledItem = z
  .strictObject({
    id: Id.meta(about('Id of the item.', EXAMPLE_IDS.item)),
    access: z.enum(['allowed', 'hidden']).meta(about('What was decided.', 'allowed')),
    card: Card.optional().meta(rarely('Card of the item. Left out: it is not in the library at present.')),
  })
  .meta({ id: 'RuledItem', description: 'Item that is allowed or hidden for a Profile by hand.' });

export const ratings = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/ratings',
    summary: 'The certifications of a country, with the ages that they stand for',
    description:
      'Explains an age: which certifications it includes. Without a country that of the household is used, which is ' +
      'the setting metadata.country. A country without certifications has no ages.',
    access: OWNER_READERS,
    query: z.strictObject({ country: CountryCode.optional() }),
    result: z
      .strictObject({
        country: CountryCode.optional().meta(about('The country. Left out: none is set or asked for.', 'de')),
        ages: z
          .array(
            z.strictObject({
              age: z.int().min(0).meta(about('Age in years.', 12)),
              ratings: z.array(z.string()).meta(about('Certifications of this age.', ['FSK 12'])),
            }),
          )
          .meta(about('Ages of the country, the lowest first.', [{ age: 12, ratings: ['FSK 12'] }])),
        countries: z.array(CountryCode).meta(about('Countries whose certifications are known.', ['at', 'de'])),
      })
      .meta({ id: 'RatingAges', description: 'Certifications of a country by age.' }),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/certification',
    summary: 'Set the certification of an item by hand, or go back to that of its tags',
    description:
      'It has precedence over tags and stays when the item is scanned again. That of a show also counts for its ' +
      'episodes, except those with a different one. Limits of Profiles follow at once; streams that they forbid end.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      rating: lineOfText(40)
        .nullable()
        .meta({ description: 'A certification or an age; null goes back to the tags.', examples: ['FSK 12', '12'] }),
    }),
    result: Certification,
    fails: ['no-such-item', 'rating-unknown'],
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/v1/ratings/preview',
    summary: 'How many films and shows a Profile with these limits would see',
    description:
      'Counts without changing anything, and says what hides the rest. Members that are left out are those of the ' +
      'Profile, or of a new Viewer without one.',
    access: OWNER_READERS,
    query: z.strictObject({
      profile: idOf('profile', 'The Profile whose limits and items by hand are used.').optional(),
      libraries: z
        .string()
        .regex(/^(all|none|[0-9a-f]{16}(,[0-9a-f]{16}){0,99})$/, 'expected all, none, or ids with commas')
        .optional()
        .meta({ description: 'all, none, or ids of libraries with commas between them.', examples: ['all'] }),
      rating: z
        .string()
        .regex(/^(all|\d|1\d|2[01])$/, 'expected all or an age from 0 to 21')
        .optional()
        .meta({ description: 'all, or the highest age.', examples: ['12'] }),
      unrated: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'Whether items without a rating are shown.', examples: ['false'] }),
    }),
    result: z
      .strictObject({
        shown: z.int().min(0).meta(about('Films and shows that are shown.', 812)),
        total: z.int().min(0).meta(about('Films and shows on this server.', 1204)),
        hidden: z
          .strictObject({
            libraries: z.int().min(0).meta(about('Hidden because their library is not allowed.', 0)),
            rating: z.int().min(0).meta(about('Hidden because they are rated above the age.', 350)),
            unrated: z.int().min(0).meta(about('Hidden because they have no rating.', 40)),
            items: z.int().min(0).meta(about('Hidden by hand.', 2)),
          })
          .meta(about('Films and shows that are not shown, by the first reason.')),
      })
      .meta({ id: 'RatingPreview', description: 'Number of films and shows that a Profile would see.' }),
    fails: ['no-such-profile'],
  }),
  items: endpoint({
    method: 'GET',
    path: '/api/v1/profiles/{id}/items',
    summary: 'Items that are allowed or hidden for a Profile by hand',
    description: 'Lists them with their cards. An item that is not in the library at present has no card.',
    access: OWNER_READERS,
    params: byProfile,
    query: z.strictObject({ ...paging }),
    result: list(RuledItem),
    fails: ['no-such-profile'],
  }),
  access: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}/items/{item}',
    summary: 'Allow or hide an item for a Profile whatever its rating, or undo that',
    description:
      'It has precedence over the age and the switch for unrated items, but not over the libraries. A show covers ' +
      'its episodes, except those that are allowed or hidden themselves.',
    access: OWNERS,
    params: z.strictObject({ ...byProfile.shape, item: idOf('item', 'Id of the film, show or episode.') }),
    body: z.strictObject({
      access: z
        .enum(ITEM_ACCESS)
        .meta(about('allowed: always shown. hidden: never shown. default: as its rating says.', 'allowed')),
    }),
    result: Profile,
    fails: ['no-such-profile', 'no-such-item', 'too-many-items', 'key-revoked', 'key-viewer-policy-only'],
  }),
};
