/**
 * Cards: items as lists show them, with their pictures and what the Profile has watched. Also the counts of a listing.
 */
import { about, rarely, EXAMPLE_IDS, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { Seconds, Time } from '../kernel/common.ts';
import { bookOnCard } from './books.ts';
import { ITEM_KINDS, kindNames } from './kinds.ts';

export const RESOLUTIONS = ['sd', '720p', '1080p', '4k', '8k'] as const;
export const ART_KINDS = ['poster', 'backdrop', 'thumb', 'logo'] as const;
/** Widths of artwork in pixels. A request for another width gets the next larger one. */
export const ART_WIDTHS = [160, 320, 480, 720, 1280, 1920] as const;

export const UserData = z
  .strictObject({
    position: Seconds.meta(about('Where the Profile stopped, in seconds; 0 at the start or the end.', 1810.5)),
    watched: z.boolean().meta(about('Whether the Profile has watched it.', false)),
    playCount: z.int().min(0).meta(about('How many times the Profile has watched it to the end.', 0)),
    listed: z.boolean().meta(about('Whether it is on the list of the Profile.', true)),
    rating: z.number().min(0).max(10).optional().meta(rarely('Rating by the Profile, from 0 to 10.')),
    percent: z.number().min(0).max(100).optional().meta(rarely('How much of a book is read, in percent.')),
    lastPlayedAt: Time.optional().meta(
      about('When the Profile played it last. Left out: never.', '2026-11-20T21:14:05.000Z'),
    ),
  })
  .meta({ id: 'UserData', description: 'State of an item for this Profile.' });
export type UserData = z.output<typeof UserData>;

/** The pictures of an item. Each value is a version that changes with the picture and becomes part of its address. */
export const Images = z.partialRecord(z.enum(ART_KINDS), z.string()).meta({
  id: 'Images',
  description: 'Versions of the pictures of an item, by kind. A version is the parameter `v` of the picture.',
});

export const Card = z
  .strictObject({
    id: idOf('item', 'Id of the item.'),
    kind: z.enum(kindNames(ITEM_KINDS)).meta(about('Kind of item.', 'movie')),
    title: z.string().meta(about('Title.', 'Charade')),
    sortTitle: z.string().meta(about('Title as lists are sorted by it, without a leading article.', 'charade')),
    year: z.int().optional().meta(about('Year of release.', 1963)),
    rating: z
      .string()
      .optional()
      .meta({ description: 'Content rating, as the file or its metadata states it.', examples: ['PG'] }),
    communityRating: z.number().optional().meta(about('Mean rating by the public, from 0 to 10.', 7.8)),
    library: idOf('library', 'Id of its library.'),
    added: Time.meta(about('When a scan found it first.', '2026-11-02T10:15:00.000Z')),
    released: z.iso.date().optional().meta(about('Day of release.', '1963-12-05')),
    duration: Seconds.optional().meta(about('Length in seconds.', 6805.3)),
    resolution: z.enum(RESOLUTIONS).optional().meta(about('Resolution of the best version.', '1080p')),
    ...bookOnCard,
    show: z
      .strictObject({
        id: idOf('show', 'Id of the show.'),
        title: z.string().meta(about('Title of the show.', 'Sherlock Holmes')),
      })
      .optional()
      .meta(rarely('Show of an episode or season.')),
    season: z.int().optional().meta(rarely('Number of the season, of an episode; 0 has the specials.')),
    episode: z.int().optional().meta(rarely('Number of the episode in its season.')),
    episodeEnd: z.int().optional().meta(rarely('Number of the last episode, if the file has several.')),
    episodes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'For a show or season: the number of episodes that this Profile may see.', examples: [] }),
    unwatched: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'For a show or season: the number of those episodes that are not watched.', examples: [] }),
    playNext: z
      .strictObject({
        id: idOf('episode', 'Id of the episode.'),
        season: z.int().optional().meta(about('Number of its season; 0 has the specials.', 1)),
        episode: z.int().optional().meta(about('Its number in the season.', 1)),
        position: Seconds.meta(
          about('Where the Profile stopped in it, in seconds; 0 if it starts at the beginning.', 0),
        ),
      })
      .optional()
      .meta({
        description:
          'For a show: the episode that it continues with; the first one if all are watched. Left out if it has no ' +
          'episode.',
        examples: [],
      }),
    artists: z
      .array(z.string())
      .optional()
      .meta(rarely('Artists of an album or track, in the order of its tags; authors of an audiobook.')),
    album: z
      .strictObject({
        id: idOf('album', 'Id of the album.'),
        title: z.string().meta(about('Title of the album.', 'Kind of Blue')),
      })
      .optional()
      .meta(rarely('Album of a track.')),
    disc: z.int().optional().meta(rarely('Number of the disc, of a track.')),
    track: z.int().optional().meta(rarely('Number of the track on its disc.')),
    tracks: z.int().min(0).optional().meta(rarely('For an album: the number of tracks that this Profile may see.')),
    available: z
      .boolean()
      .meta({ description: 'False while the file or its library cannot be reached.', examples: [true] }),
    images: Images,
    userData: UserData,
  })
  .meta({ id: 'Card', description: 'Item as lists show it.' });
export type Card = z.output<typeof Card>;

const Count = z.strictObject({
  value: z.string().meta(about('Value to filter by.', 'Comedy')),
  count: z.int().min(1).meta(about('Number of items that have it.', 1)),
});
const SeriesCount = Count.extend({
  value: idOf('series', 'Id of the series, to filter by.'),
  name: z.string().meta(about('Name of the series.', 'Sherlock Holmes')),
  author: z.string().optional().meta(about('First author. Left out: not known.', 'Arthur Conan Doyle')),
});
export type SeriesCount = z.output<typeof SeriesCount>;
/** Number of items for each value that the result of a listing can be filtered by. */
export const Facets = z
  .strictObject({
    genres: z.array(Count).meta(about('Genres.')),
    years: z.array(Count).meta(about('Years of release.', [{ value: '1963', count: 1 }])),
    ratings: z.array(Count).meta(about('Content ratings.', [{ value: 'PG', count: 1 }])),
    resolutions: z.array(Count).meta(about('Resolutions.', [{ value: '1080p', count: 1 }])),
    languages: z.array(Count).meta(about('Languages of sound.', [{ value: 'en', count: 1 }])),
    cameras: z.array(Count).meta(about('Cameras of photos and clips.', [{ value: 'Canon EOS R5', count: 1 }])),
    artists: z.array(Count).meta(about('Artists.', [{ value: 'Miles Davis', count: 1 }])),
    series: z
      .array(SeriesCount)
      .meta(
        about('Series of books and audiobooks, each with the number of its volumes.', [
          { value: EXAMPLE_IDS.series, name: 'Sherlock Holmes', author: 'Arthur Conan Doyle', count: 1 },
        ]),
      ),
    libraries: z.array(Count).meta(about('Ids of libraries.', [{ value: EXAMPLE_IDS.library, count: 1 }])),
  })
  .meta({ id: 'Facets', description: 'Number of items for each value that a list can be filtered by.' });
export type Facets = z.output<typeof Facets>;

/** The rating of an item as an Owner sees it. */
export const Certification = z
  .strictObject({
    rating: z.string().optional().meta(about('The certification that counts. Left out: none.', 'FSK 12')),
    age: z.int().min(0).optional().meta(about('Its age in years. Left out: unrated.', 12)),
    set: z.string().optional().meta(rarely('Certification that an Owner set for this item. Left out: none.')),
    stated: z.string().optional().meta(about('Certification that the tags state. Left out: none.', 'FSK 12')),
  })
  .meta({ id: 'Certification', description: 'Certification of an item, with its age.' });
export type Certification = z.output<typeof Certification>;
/** Field of the pages of items that can have one. */
export const certification = Certification.optional().meta({ description: 'The rating and its age; for Owners only.' });
