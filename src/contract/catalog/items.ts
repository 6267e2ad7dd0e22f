/** The pages of single items: streams, subtitles, versions, people, and a show with its seasons. */
import { EXAMPLE_CREDIT, EXAMPLE_EPISODE, EXAMPLE_SHOW_PAGE } from './examples.ts';
import { about, rarely, EXAMPLE_IDS, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { SUBTITLE_ROLES } from './subtitle-roles.ts';
import { Id, LanguageCode, Seconds } from '../kernel/common.ts';
import { BookFacts, EXAMPLE_BOOK, EXAMPLE_SERIES } from './books.ts';
import { Card, certification, Images, RESOLUTIONS } from './cards.ts';
import { AudiobookFacts } from './audiobooks.ts';
import { EXTRA_TYPES } from './extras.ts';
import { ITEM_KINDS, kindNames } from './kinds.ts';
import { type Album, SoundFacts } from './music.ts';
import { Credit } from './people.ts';

const EXAMPLE_AUTHOR = { id: EXAMPLE_IDS.person, name: 'Winsor McCay', job: 'author' };

const STREAM_TYPES = ['video', 'audio', 'subtitle', 'attachment', 'data'] as const;
const Stream = z
  .strictObject({
    index: z.int().min(0).meta(about('Number of the stream in the file, from 0.', 0)),
    type: z.enum(STREAM_TYPES).meta(about('Kind of stream.', 'video')),
    codec: z.string().meta(about('Name of the codec, as ffmpeg has it.', 'h264')),
    profile: z.string().optional().meta(about('Profile of the codec.', 'High')),
    level: z.int().optional().meta(about('Level of the codec, times ten.', 40)),
    width: z.int().optional().meta(about('Width in pixels. Of video.', 1920)),
    height: z.int().optional().meta(about('Height in pixels. Of video.', 1036)),
    frameRate: z.number().optional().meta(about('Frames per second. Of video.', 23.976)),
    bitDepth: z.int().optional().meta(about('Bits of a sample.', 8)),
    hdr: z.string().optional().meta(rarely('Dynamic range: hdr10, hlg or dolby-vision. Left out: SDR.')),
    channels: z.int().optional().meta(rarely('Number of channels. Of sound.')),
    layout: z.string().optional().meta(rarely('Layout of the channels, such as 5.1. Of sound.')),
    sampleRate: z.int().optional().meta(rarely('Samples per second. Of sound.')),
    bitrate: z.int().optional().meta(about('Bits per second.', 7800000)),
    language: LanguageCode.optional().meta(rarely('Language, if the file names it.')),
    title: z.string().optional().meta(rarely('Title, if the file has one.')),
    default: z.boolean().meta(about('Whether the file marks it as the default.', true)),
    forced: z.boolean().meta(about('Whether it is a subtitle for foreign dialogue only.', false)),
    hearingImpaired: z.boolean().meta(about('Whether it is for the hard of hearing.', false)),
    commentary: z.boolean().meta(about('Whether it is a commentary.', false)),
  })
  .meta({ id: 'Stream', description: 'Stream of a media file.' });

/** A subtitle that can be shown: an embedded track or a sidecar file. */
export const SubtitleTrack = z
  .strictObject({
    key: z.string().meta({ description: 'Value of the parameter track of /subtitle.', examples: ['s2', 'f0'] }),
    language: LanguageCode.optional().meta(about('Language. Left out: not known.', 'en')),
    title: z.string().meta(about('Name of the track for people.', 'English')),
    role: z
      .enum(SUBTITLE_ROLES)
      .meta(about('normal, forced (foreign dialogue only) or sdh (for the hard of hearing).', 'normal')),
    format: z.string().meta(about('Format as it is stored.', 'subrip')),
    source: z.enum(['embedded', 'sidecar']).meta(about('Inside the video, or a file next to it.', 'embedded')),
    default: z.boolean().meta(about('Whether the file marks it as the default.', false)),
    picture: z
      .boolean()
      .meta({ description: 'True for a picture subtitle, which is not converted to text.', examples: [false] }),
    url: z.string().optional().meta(rarely('Signed address of the track for this client. In a playback plan only.')),
  })
  .meta({
    id: 'SubtitleTrack',
    description: 'Subtitle that can be shown: an embedded track or a file next to the video.',
  });
export type SubtitleTrack = z.output<typeof SubtitleTrack>;

export const Chapter = z
  .strictObject({
    start: Seconds.meta(about('Start in seconds.', 0)),
    end: Seconds.optional().meta(about('End in seconds.', 412.5)),
    title: z.string().meta(about('Title.', 'The train')),
  })
  .meta({ id: 'Chapter', description: 'Chapter of a film or episode.' });

/** A version of an item: an edition or a resolution, in one file or in several parts. */
const Version = z
  .strictObject({
    id: idOf('version', 'Id of the version.'),
    label: z.string().meta(about('Name of the version for people.', '1080p')),
    file: z
      .string()
      .meta({ description: 'Path relative to the library; for Owners only.' })
      .optional()
      .meta({ examples: ['Charade (1963)/Charade (1963) - 1080p.mkv'] }),
    container: z.string().optional().meta(about('Container of its files.', 'matroska')),
    size: z.int().min(0).meta(about('Size of its files in bytes.', 6800000000)),
    duration: Seconds.optional().meta(about('Length in seconds.', 6805.3)),
    parts: z.int().min(1).meta(about('Number of files that it consists of.', 1)),
    resolution: z.enum(RESOLUTIONS).optional().meta(about('Resolution.', '1080p')),
    streams: z.array(Stream).meta(about('Streams of its first file.')),
    available: z.boolean().meta(about('Whether its files can be reached.', true)),
    problem: z.string().optional().meta(rarely('Why it cannot be played, as a sentence fragment for people.')),
  })
  .meta({
    id: 'Version',
    description: 'Version of an item: an edition or a resolution, in one file or several parts.',
  });

const Guess = z
  .strictObject({
    confidence: z.number().min(0).max(1).meta(about('Certainty from 0 to 1.', 0.95)),
    evidence: z
      .array(z.string())
      .meta(
        about('What it is based on, as sentence fragments for people.', [
          'the folder and the file have the same title',
        ]),
      ),
  })
  .meta({ id: 'Guess', description: 'How the file was identified, and how certain that is.' });

/** Facts that photos and clips have in addition. */
const photoFacts = {
  taken: z
    .strictObject({
      at: z.string().meta(about('Local time at the place, without an offset.', '2024-07-01T12:30:45')),
      offset: z.string().optional().meta(rarely('Offset of that time from UTC, if it is known.')),
      by: z
        .enum(['camera', 'sidecar', 'name', 'file'])
        .meta(about('What says so: the camera, an XMP sidecar, the name, or only the time of the file.', 'camera')),
    })
    .optional()
    .meta(rarely('When a photo or clip was taken.')),
  camera: z.string().optional().meta(rarely('Camera of a photo or clip.')),
  lens: z.string().optional().meta(rarely('Lens of a photo.')),
  exposure: z
    .strictObject({
      seconds: z.number().optional().meta(about('Exposure time in seconds.', 0.004)),
      aperture: z.number().optional().meta(about('The f-number.', 2.8)),
      iso: z.number().optional().meta(about('Sensitivity.', 200)),
      focalLength: z.number().optional().meta(about('Focal length in millimetres.', 35)),
    })
    .optional()
    .meta(rarely('How a photo was exposed.')),
  dimensions: z
    .strictObject({
      width: z.int().min(1).meta(about('Width in pixels.', 4032)),
      height: z.int().min(1).meta(about('Height in pixels.', 3024)),
    })
    .optional()
    .meta(rarely('Size of a photo as it is shown.')),
  folder: z
    .strictObject({
      id: idOf('folder', 'Id of the folder.'),
      title: z.string().meta(about('Name of the folder.', 'Lisbon')),
    })
    .optional()
    .meta(rarely('Folder of a photo or clip.')),
  motion: z
    .strictObject({
      version: idOf('version', 'Version of the item that has the video.'),
      start: z.int().min(0).meta(about('Offset of the video in the file of that version, in bytes.', 2412033)),
      size: z.int().min(1).meta(about('Size of the video in bytes.', 1804211)),
    })
    .optional()
    .meta(rarely('The video of a motion photo.')),
  place: z
    .strictObject({
      latitude: z.number().min(-90).max(90).meta(about('Degrees north.', 38.711)),
      longitude: z.number().min(-180).max(180).meta(about('Degrees east.', -9.139)),
    })
    .optional()
    .meta(
      rarely('Where a photo or clip was taken. Only in the session of a Profile, never with an API key or a link.'),
    ),
};

export const Item = Card.extend({
  originalTitle: z.string().optional().meta(rarely('Title in the original language.')),
  plot: z
    .string()
    .optional()
    .meta(about('Summary.', 'A widow in Paris is pursued by men who want the fortune that her husband stole.')),
  tagline: z.string().optional().meta(rarely('Advertising line.')),
  genres: z.array(z.string()).meta(about('Genres.', ['Comedy', 'Mystery'])),
  studios: z.array(z.string()).meta(about('Studios.', ['Universal Pictures'])),
  people: z.array(Credit).meta(about('People in front of and behind the camera.')),
  ids: z
    .record(z.string(), z.string())
    .meta(about('Ids in other databases, by the name of the database.', { imdb: 'tt0056923', tmdb: '4808' })),
  edition: z.string().optional().meta(rarely(`Edition, such as a director's cut.`)),
  container: z.string().optional().meta(about('Container of the version that plays first.', 'matroska')),
  size: z
    .int()
    .min(0)
    .optional()
    .meta(about('Size of the version that plays first, in bytes: of all its parts.', 6800000000)),
  streams: z.array(Stream).meta(about('Streams of the version that plays first.')),
  chapters: z.array(Chapter).meta(about('Chapters.')),
  markers: z
    .array(
      z.strictObject({
        kind: z.string().meta(about('Kind of marker.', 'credits')),
        start: Seconds.meta(about('Start in seconds.', 6640)),
        end: Seconds.meta(about('End in seconds.', 6805.3)),
      }),
    )
    .meta(about('Intros, recaps, credits and the like that were published.')),
  subtitles: z.array(SubtitleTrack).meta(about('Subtitles that can be shown.')),
  versions: z.array(Version).meta(about('Versions, best first.')),
  guess: Guess.optional(),
  book: BookFacts.optional().meta(rarely('Facts of a book or comic.')),
  extra: z
    .strictObject({
      type: z.enum(EXTRA_TYPES).meta(about('What it is.', 'trailer')),
      of: z
        .strictObject({
          id: idOf('item', 'Id of the item or show.'),
          kind: z.enum(kindNames(ITEM_KINDS)).meta(about('Kind of the item, or show.', 'movie')),
          title: z.string().meta(about('Its title.', 'Charade')),
        })
        .meta(about('What it belongs to.')),
    })
    .optional()
    .meta(rarely('Of a trailer or another extra: what it belongs to.')),
  certification,
  ...photoFacts,
  audiobook: AudiobookFacts.optional().meta(rarely('Of an audiobook: its people, series and files.')),
  sound: SoundFacts.optional().meta(rarely('Of a track or audiobook: its sound.')),
  next: Id.optional().meta({
    description: 'The next episode of the show, or the next book or audiobook of the series.',
    examples: [],
  }),
  previous: Id.optional().meta(
    rarely('The previous episode of the show, or the previous book or audiobook of the series.'),
  ),
  links: z
    .strictObject({
      read: z.string().optional().meta(rarely('Address of the file of a book, to read.')),
      media: z
        .string()
        .optional()
        .meta(about('Address of the original file, to play.', `/media/${EXAMPLE_IDS.item}`)),
      download: z
        .string()
        .optional()
        .meta(about('Address of the original file, to keep.', `/download/${EXAMPLE_IDS.item}`)),
    })
    .meta({ description: 'Only addresses that the Profile may use.' }),
}).meta({ id: 'Item', description: 'Film or episode with everything that its page shows.' });
export type Item = z.output<typeof Item>;

const Season = z
  .strictObject({
    id: idOf('season', 'Id of the season.'),
    number: z.int().min(0).meta(about('Number of the season; 0 has the specials.', 1)),
    title: z.string().meta(about('Title of the season.', 'Season 1')),
    images: Images,
    episodes: z
      .array(
        Card.extend({
          plot: z
            .string()
            .optional()
            .meta(about('Summary.', 'Holmes and Watson meet, and are at once needed by Scotland Yard.')),
        }).meta({
          id: 'EpisodeCard',
          description: 'Episode as the list of its season shows it.',
          examples: [EXAMPLE_EPISODE],
        }),
      )
      .meta(about('Episodes in order.')),
  })
  .meta({ id: 'Season', description: 'Season of a show with its episodes.' });
export const Show = Card.extend({
  originalTitle: z.string().optional().meta(rarely('Title in the original language.')),
  plot: z.string().optional().meta(about('Summary.', 'Holmes and Watson solve cases in a London of fog and gaslight.')),
  genres: z.array(z.string()).meta(about('Genres.', ['Crime', 'Mystery'])),
  studios: z.array(z.string()).meta(about('Studios.', ['Guild Films'])),
  people: z.array(Credit).meta(about('People in front of and behind the camera.', [EXAMPLE_CREDIT])),
  ids: z
    .record(z.string(), z.string())
    .meta(about('Ids in other databases, by the name of the database.', { imdb: 'tt0046642' })),
  certification,
  seasons: z.array(Season).meta(about('Seasons in order.')),
  nextUp: Card.optional().meta(about('Episode to watch next.', EXAMPLE_EPISODE)),
}).meta({ id: 'Show', description: 'Show with its seasons and episodes.', examples: [EXAMPLE_SHOW_PAGE] });
export type Show = z.output<typeof Show>;

export const Series = Card.extend({
  plot: z.string().optional().meta(rarely('Summary.')),
  people: z.array(Credit).meta(about('Authors of its books.', [EXAMPLE_AUTHOR])),
  items: z.array(Card).meta(about('Books in order.', [EXAMPLE_BOOK])),
  next: Card.optional().meta(about('Book to continue with. Left out: all are read.', EXAMPLE_BOOK)),
  certification,
}).meta({
  id: 'Series',
  description: 'Series with its books.',
  examples: [{ ...EXAMPLE_SERIES, people: [EXAMPLE_AUTHOR], items: [EXAMPLE_BOOK], next: EXAMPLE_BOOK }],
});
export type Series = z.output<typeof Series>;

/** The reply of the page of an item or group, by the collection of the API that the page is in. */
export interface Pages {
  items: Item;
  shows: Show;
  albums: Album;
  series: Series;
}
