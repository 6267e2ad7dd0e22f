/** The pages of single items: streams, subtitles, versions, people, and a show with its seasons. */
import { z } from 'zod';
import { Id, LanguageCode, Seconds } from '../kernel/common.ts';
import { Card, Images, RESOLUTIONS } from './cards.ts';

const STREAM_TYPES = ['video', 'audio', 'subtitle', 'attachment', 'data'] as const;
const Stream = z
  .strictObject({
    index: z.int().min(0),
    type: z.enum(STREAM_TYPES),
    codec: z.string(),
    profile: z.string().optional(),
    level: z.int().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
    frameRate: z.number().optional(),
    bitDepth: z.int().optional(),
    hdr: z.string().optional(),
    channels: z.int().optional(),
    layout: z.string().optional(),
    sampleRate: z.int().optional(),
    bitrate: z.int().optional(),
    language: LanguageCode.optional(),
    title: z.string().optional(),
    default: z.boolean(),
    forced: z.boolean(),
    hearingImpaired: z.boolean(),
    commentary: z.boolean(),
  })
  .meta({ id: 'Stream' });

export const SUBTITLE_ROLES = ['normal', 'forced', 'sdh'] as const;
/** A subtitle that can be shown: an embedded track or a sidecar file. */
export const SubtitleTrack = z
  .strictObject({
    key: z.string().meta({ description: 'Value of the parameter track of /subtitle.', examples: ['s2', 'f0'] }),
    language: LanguageCode.optional(),
    title: z.string(),
    role: z.enum(SUBTITLE_ROLES),
    format: z.string(),
    source: z.enum(['embedded', 'sidecar']),
    default: z.boolean(),
    picture: z.boolean().meta({ description: 'True for a picture subtitle, which is not converted to text.' }),
    url: z.string().optional(),
  })
  .meta({ id: 'SubtitleTrack' });
export type SubtitleTrack = z.output<typeof SubtitleTrack>;

export const Chapter = z
  .strictObject({ start: Seconds, end: Seconds.optional(), title: z.string() })
  .meta({ id: 'Chapter' });
const Person = z.strictObject({
  name: z.string(),
  role: z.string().optional(),
  job: z.enum(['actor', 'director', 'writer', 'creator', 'producer', 'composer']),
});

/** A version of an item: an edition or a resolution, in one file or in several parts. */
const Version = z
  .strictObject({
    id: Id,
    label: z.string(),
    file: z.string().meta({ description: 'Path relative to the library; for Owners only.' }).optional(),
    container: z.string().optional(),
    size: z.int().min(0),
    duration: Seconds.optional(),
    parts: z.int().min(1),
    resolution: z.enum(RESOLUTIONS).optional(),
    streams: z.array(Stream),
    available: z.boolean(),
    problem: z.string().optional(),
  })
  .meta({ id: 'Version' });

const Guess = z
  .strictObject({ confidence: z.number().min(0).max(1), evidence: z.array(z.string()) })
  .meta({ id: 'Guess', description: 'How the file was identified, and how certain that is.' });

export const Item = Card.extend({
  originalTitle: z.string().optional(),
  plot: z.string().optional(),
  tagline: z.string().optional(),
  genres: z.array(z.string()),
  studios: z.array(z.string()),
  people: z.array(Person),
  ids: z.record(z.string(), z.string()),
  edition: z.string().optional(),
  container: z.string().optional(),
  size: z.int().min(0).optional(),
  streams: z.array(Stream),
  chapters: z.array(Chapter),
  markers: z.array(z.strictObject({ kind: z.string(), start: Seconds, end: Seconds })),
  subtitles: z.array(SubtitleTrack),
  versions: z.array(Version),
  guess: Guess.optional(),
  next: Id.optional().meta({ description: 'The next episode of the show.' }),
  previous: Id.optional(),
  links: z
    .strictObject({ media: z.string().optional(), download: z.string().optional() })
    .meta({ description: 'Only addresses that the Profile may use.' }),
}).meta({ id: 'Item' });
export type Item = z.output<typeof Item>;

const Season = z
  .strictObject({
    id: Id,
    number: z.int().min(0),
    title: z.string(),
    images: Images,
    episodes: z.array(Card.extend({ plot: z.string().optional() }).meta({ id: 'EpisodeCard' })),
  })
  .meta({ id: 'Season' });
export const Show = Card.extend({
  originalTitle: z.string().optional(),
  plot: z.string().optional(),
  genres: z.array(z.string()),
  studios: z.array(z.string()),
  people: z.array(Person),
  ids: z.record(z.string(), z.string()),
  seasons: z.array(Season),
  nextUp: Card.optional(),
}).meta({ id: 'Show' });
export type Show = z.output<typeof Show>;

/** The reply of the page of an item or group, by the collection of the API that the page is in. */
export interface Pages {
  items: Item;
  shows: Show;
}
