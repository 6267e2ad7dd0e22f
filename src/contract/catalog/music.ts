/** Albums, artists, lyrics and the queue of a track. */
import { LIBRARY_READERS } from '../kernel/access.ts';
import { integer, LanguageCode, paging, Seconds } from '../kernel/common.ts';
import { about, byItem, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { endpoint } from '../kernel/endpoint.ts';
import { showAudiobookSeries } from './audiobooks.ts';
import { Card, certification, Images } from './cards.ts';
import { EXAMPLE_ALBUM, EXAMPLE_ALBUM_PAGE, EXAMPLE_ARTIST, EXAMPLE_TRACK } from './music-examples.ts';

const byAlbum = z.strictObject({ id: idOf('album', 'Id of the album.') });
const byArtist = z.strictObject({ id: idOf('artist', 'Id of the artist.') });
const byTrack = z.strictObject({ id: idOf('track', 'Id of the track.') });
const offset = integer(0, 100_000_000)
  .optional()
  .meta({ description: 'Number of entries to skip; not together with a cursor.' });
const nextCursor = z.string().optional().meta(rarely('Cursor of the next page. Left out on the last one.'));

export const Gain = z
  .strictObject({
    track: z.number().optional().meta(about('Decibels to add so that tracks are equally loud.', -6.5)),
    trackPeak: z.number().optional().meta(about('Highest sample of the track; 1 is full scale.', 0.98)),
    album: z.number().optional().meta(about('Decibels to add so that albums are equally loud.', -7.1)),
    albumPeak: z.number().optional().meta(about('Highest sample of the album.', 0.99)),
  })
  .meta({ id: 'Gain', description: 'Loudness for a target of −18 LUFS, as the tags state it or as it was measured.' });

export const SoundTrim = z
  .strictObject({
    start: z.int().min(0).meta(about('Samples to skip at the start.', 576)),
    end: z.int().min(0).meta(about('Samples to leave out at the end.', 1080)),
  })
  .meta({ id: 'SoundTrim', description: 'Samples that the encoder added. At 48 kHz for Opus.' });

/** Facts that a player of sound needs in addition to the card of a track. */
export const SoundFacts = z
  .strictObject({
    codec: z.string().optional().meta(about('Name of the codec, as ffmpeg has it.', 'flac')),
    container: z.string().optional().meta(about('Container of the file.', 'flac')),
    sampleRate: z.int().optional().meta(about('Samples per second.', 44_100)),
    channels: z.int().optional().meta(about('Number of channels.', 2)),
    bitDepth: z.int().optional().meta(about('Bits of a sample, of lossless sound.', 16)),
    bitrate: z.int().optional().meta(about('Bits per second.', 861_000)),
    gain: Gain.optional(),
    trim: SoundTrim.optional().meta(
      rarely('Samples that the encoder added, which gapless playing leaves out. At 48 kHz for Opus.'),
    ),
    work: z.string().optional().meta(rarely('Work of music that the track is a part of.')),
    movement: z
      .strictObject({
        name: z.string().optional().meta(rarely('Name of the movement.')),
        number: z.int().optional().meta(rarely('Its number within the work.')),
        total: z.int().optional().meta(rarely('Number of movements of the work.')),
      })
      .optional()
      .meta(rarely('The part of the work that it is.')),
    lyrics: z.boolean().optional().meta(rarely('Whether the file itself has lyrics.')),
  })
  .meta({ id: 'SoundFacts', description: 'Facts about the sound of a file.' });
export type SoundFacts = z.output<typeof SoundFacts>;

export const Track = Card.extend({ sound: SoundFacts }).meta({
  id: 'Track',
  description: 'Track as its album and a queue show it.',
  examples: [EXAMPLE_TRACK],
});
export type Track = z.output<typeof Track>;

export const Album = Card.extend({
  genres: z.array(z.string()).meta(about('Genres.', ['Jazz'])),
  certification,
  ids: z.record(z.string(), z.string()).meta(about('MusicBrainz ids: release and releaseGroup.', {})),
  gain: z
    .strictObject({
      gain: z.number().meta(about('Decibels to add so that albums are equally loud.', -7.1)),
      peak: z.number().optional().meta(about('Highest sample of the album; 1 is full scale.', 0.99)),
    })
    .optional()
    .meta(rarely('Loudness of the album, if its tracks state it.')),
  credits: z
    .array(
      z.strictObject({
        id: idOf('artist', 'Id of the artist.'),
        name: z.string().meta(about('Name of the artist.', 'Miles Davis')),
      }),
    )
    .meta(about('Artists of the album, each with a page; none if they are various.')),
  discs: z
    .array(
      z.strictObject({
        number: z.int().min(0).meta(about('Number of the disc.', 1)),
        title: z.string().optional().meta(rarely('Title of the disc.')),
        tracks: z.array(Track).meta(about('Tracks in order.')),
      }),
    )
    .meta(about('Discs in order.')),
}).meta({ id: 'Album', description: 'Album with its discs and tracks.', examples: [EXAMPLE_ALBUM_PAGE] });
export type Album = z.output<typeof Album>;

export const Artist = z
  .strictObject({
    id: idOf('artist', 'Id of the artist.'),
    name: z.string().meta(about('Name.', 'Miles Davis')),
    sortName: z.string().meta(about('Name as lists are sorted by it.', 'miles davis')),
    albums: z.int().min(0).meta(about('Number of own albums that this Profile may see.', 1)),
    appearsOn: z.int().min(0).meta(about('Number of other albums with a track of this artist.', 0)),
    cover: z
      .strictObject({
        id: idOf('album', 'Id of the album.'),
        version: z.string().meta(about('Version of its poster.', '3f9a1c')),
      })
      .optional()
      .meta(rarely('Album whose poster stands for the artist.')),
    images: Images.meta({ description: 'Versions of the pictures in the folder of the artist.', examples: [{}] }),
  })
  .meta({ id: 'Artist', description: 'Artist of albums or tracks.', examples: [EXAMPLE_ARTIST] });
export type Artist = z.output<typeof Artist>;

export const music = {
  albums: endpoint({
    method: 'GET',
    path: '/api/v1/albums',
    summary: 'List the albums',
    description: 'Returns the albums by title, a page at a time.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      library: idOf('library', 'Only albums of this library.').optional(),
      artist: z.string().min(1).max(256).optional().meta({ description: 'Only albums of this artist.', examples: [] }),
      offset,
      ...paging,
    }),
    result: z
      .strictObject({
        items: z.array(Card).meta(about('Albums of this page.', [EXAMPLE_ALBUM])),
        total: z.int().min(0).meta(about('Number of albums on all pages.', 1)),
        nextCursor,
      })
      .meta({ id: 'AlbumPage', description: 'Page of a list of albums.' }),
  }),
  album: endpoint({
    method: 'GET',
    path: '/api/v1/albums/{id}',
    summary: 'An album with its discs and tracks',
    description: 'Returns everything that the page of an album needs, with the sound of each track.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byAlbum,
    result: Album,
    fails: ['no-such-album'],
  }),
  artists: endpoint({
    method: 'GET',
    path: '/api/v1/artists',
    summary: 'List the artists',
    description: 'Returns the artists of all albums and tracks that this Profile may see, by name, a page at a time.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      q: z.string().min(1).max(128).optional().meta({ description: 'Words in the name.', examples: [] }),
      role: z
        .enum(['all', 'album'])
        .default('album')
        .meta({ description: 'With album, only artists to whom a whole album belongs.' }),
      offset: integer(0, 100_000_000).default(0).meta({ description: 'Number of entries to skip.' }),
      limit: paging.limit,
    }),
    result: z
      .strictObject({
        items: z.array(Artist).meta(about('Artists of this page.')),
        total: z.int().min(0).meta(about('Number of artists on all pages.', 1)),
      })
      .meta({ id: 'ArtistPage', description: 'Page of a list of artists.' }),
  }),
  artist: endpoint({
    method: 'GET',
    path: '/api/v1/artists/{id}',
    summary: 'An artist with own albums, and albums on which the artist appears',
    description: 'Returns the newest albums first.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byArtist,
    result: z
      .strictObject({
        id: idOf('artist', 'Id of the artist.'),
        name: z.string().meta(about('Name.', 'Miles Davis')),
        images: Images.meta({ description: 'Versions of the pictures in the folder of the artist.', examples: [{}] }),
        biography: z.string().optional().meta(rarely('Biography, from `artist.nfo` in the folder of the artist.')),
        person: z
          .strictObject({
            id: idOf('person', 'Id of the person.'),
            image: z.string().optional().meta(rarely('Version of the picture of the person. Left out: there is none.')),
            works: z.int().min(1).meta(about('Number of works on the page of the person.', 1)),
          })
          .optional()
          .meta(rarely('The person of this name, who did something else in works that this Profile may see.')),
        albums: z.array(Card).meta(about('Albums of the artist.', [EXAMPLE_ALBUM])),
        appearsOn: z.array(Card).meta(about('Other albums with a track of the artist.', [])),
      })
      .meta({ id: 'ArtistAlbums', description: 'Artist with albums.' }),
    fails: ['no-such-artist'],
  }),
  artistPicture: endpoint({
    method: 'GET',
    path: '/api/v1/artists/{id}/picture',
    summary: 'Picture of an artist in one of several fixed widths',
    description: 'Returns a picture in the folder around the albums of the artist.',
    access: LIBRARY_READERS,
    params: byArtist,
    query: z.strictObject({
      kind: z
        .enum(['poster', 'backdrop'])
        .default('poster')
        .meta({ description: 'The picture of the artist, or the one behind their page.' }),
      width: integer(1, 4000)
        .default(320)
        .meta({ description: 'Width in pixels; the reply has the next larger fixed width.' }),
      v: z
        .string()
        .max(32)
        .optional()
        .meta({
          description: 'The version from images; with it the picture may be cached for a year.',
          examples: ['3f9a1c'],
        }),
    }),
    result: { bytes: ['image/webp', 'image/jpeg', 'image/png'] },
    fails: ['no-such-artist', 'no-such-picture', 'picture-unreadable', 'file-unavailable', 'too-busy'],
  }),
  audiobookSeries: showAudiobookSeries,
  artistTracks: endpoint({
    method: 'GET',
    path: '/api/v1/artists/{id}/tracks',
    summary: 'The tracks of an artist',
    description:
      'Returns a page of tracks with the sound of each: all of the albums of the artist, newest album first, then ' +
      'those of the artist on other albums.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byArtist,
    query: z.strictObject({
      offset: integer(0, 100_000_000).default(0).meta({ description: 'Number of entries to skip.' }),
      limit: paging.limit,
    }),
    result: z
      .strictObject({
        items: z.array(Track).meta(about('Tracks of this page, in order.')),
        total: z.int().min(0).meta(about('Number of tracks on all pages.', 1)),
      })
      .meta({ id: 'ArtistTracks', description: 'Page of the tracks of an artist.' }),
    fails: ['no-such-artist'],
  }),
  lyrics: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/lyrics',
    summary: 'The lyrics of a track',
    description: 'Returns the lyrics of a file next to the track (`.lrc` or `.txt`), or those inside the track.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    result: z
      .strictObject({
        source: z.enum(['file', 'embedded']).meta(about('A file next to the track, or the track itself.', 'file')),
        synced: z.boolean().meta(about('Whether the lines have times.', true)),
        language: LanguageCode.optional().meta(rarely('Language, if it is stated.')),
        lines: z
          .array(
            z.strictObject({
              start: Seconds.optional().meta(about('Start in seconds; only of synced lyrics.', 12.5)),
              text: z.string().meta(about('Words of the line.', 'La la la')),
            }),
          )
          .meta(about('Lines in order.')),
      })
      .meta({ id: 'Lyrics', description: 'Lyrics of a track.' }),
    fails: ['no-such-item', 'no-lyrics'],
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/v1/audio/{id}/queue',
    summary: 'A track and the rest of its album',
    description: 'Returns the track and what follows it on its album, with the sound of each.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byTrack,
    result: z
      .strictObject({
        items: z.array(Track).meta(about('The track, and those after it.')),
        total: z.int().min(0).meta(about('Number of entries in the reply.', 1)),
      })
      .meta({
        id: 'AudioQueue',
        description: 'Tracks to play one after the other.',
        examples: [{ items: [EXAMPLE_TRACK], total: 1 }],
      }),
    fails: ['no-such-item'],
  }),
};
