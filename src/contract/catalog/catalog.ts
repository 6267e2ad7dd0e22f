/** What is in the libraries: listings, items, shows, artwork, and what a Profile has watched. */
import { z } from 'zod';
import { byId, Id, integer, Language, LanguageCode, LIMIT, paging, Seconds, text, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';

export const LIBRARY_KINDS = ['movies', 'shows', 'music', 'audiobooks', 'books', 'photos', 'mixed'] as const;
export const ITEM_KINDS = [
  'movie',
  'episode',
  'show',
  'season',
  'track',
  'album',
  'artist',
  'audiobook',
  'book',
  'photo',
  'video',
] as const;
export const VIEWS = [
  'all',
  'list',
  'unwatched',
  'continue',
  'history',
  'movies',
  'shows',
  'music',
  'audiobooks',
  'books',
  'photos',
] as const;
export const SORTS = ['title', 'added', 'year', 'released', 'rating', 'duration', 'random'] as const;
export const RESOLUTIONS = ['sd', '720p', '1080p', '4k', '8k'] as const;
export const ART_KINDS = ['poster', 'backdrop', 'thumb', 'logo'] as const;
/** The widths artwork comes in; any other width is answered with the next larger one. */
export const ART_WIDTHS = [160, 320, 480, 720, 1280, 1920] as const;

export const UserData = z
  .strictObject({
    position: Seconds,
    watched: z.boolean(),
    playCount: z.int().min(0),
    listed: z.boolean(),
    rating: z.number().min(0).max(10).optional(),
    lastPlayedAt: Time.optional(),
  })
  .meta({ id: 'UserData' });
export type UserData = z.output<typeof UserData>;

/** Which pictures there are: the value is a version that changes with the picture, to be put into its address. */
export const Images = z.partialRecord(z.enum(ART_KINDS), z.string()).meta({ id: 'Images' });

export const Card = z
  .strictObject({
    id: Id,
    kind: z.enum(ITEM_KINDS),
    title: z.string(),
    sortTitle: z.string(),
    year: z.int().optional(),
    rating: z.string().optional().meta({ description: 'The content rating as the file or its metadata gives it.' }),
    communityRating: z.number().optional(),
    library: Id,
    added: Time,
    released: z.iso.date().optional(),
    duration: Seconds.optional(),
    resolution: z.enum(RESOLUTIONS).optional(),
    show: z.strictObject({ id: Id, title: z.string() }).optional(),
    season: z.int().optional(),
    episode: z.int().optional(),
    episodeEnd: z.int().optional(),
    episodes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Of a show or season: how many episodes this Profile may see.' }),
    unwatched: z.int().min(0).optional().meta({ description: 'Of a show or season: how many of them are unwatched.' }),
    available: z.boolean().meta({ description: 'False while the file or its library cannot be reached.' }),
    images: Images,
    userData: UserData,
  })
  .meta({ id: 'Card' });
export type Card = z.output<typeof Card>;

const Count = z.strictObject({ value: z.string(), count: z.int().min(1) });
export const Facets = z
  .strictObject({
    genres: z.array(Count),
    years: z.array(Count),
    ratings: z.array(Count),
    resolutions: z.array(Count),
    languages: z.array(Count),
    libraries: z.array(Count),
  })
  .meta({ id: 'Facets' });

export const STREAM_TYPES = ['video', 'audio', 'subtitle', 'attachment', 'data'] as const;
export const Stream = z
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
/** A subtitle that can be shown: an embedded track or a sidecar. */
export const SubtitleTrack = z
  .strictObject({
    key: z.string().meta({ description: 'What to give /subtitle as track.', examples: ['s2', 'f0'] }),
    language: LanguageCode.optional(),
    title: z.string(),
    role: z.enum(SUBTITLE_ROLES),
    format: z.string(),
    source: z.enum(['embedded', 'sidecar']),
    default: z.boolean(),
    picture: z.boolean().meta({ description: 'A picture subtitle cannot be turned into text here.' }),
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

/** One file that plays the item: an edition, a resolution, or the first part of several. */
export const Version = z
  .strictObject({
    id: Id,
    label: z.string(),
    file: z.string().meta({ description: 'Relative to its library; shown to Owners only.' }).optional(),
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

export const Guess = z
  .strictObject({ confidence: z.number().min(0).max(1), evidence: z.array(z.string()) })
  .meta({ id: 'Guess', description: 'How the file was placed, and how sure that is.' });

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
    .meta({ description: 'Only for what the Profile may use.' }),
}).meta({ id: 'Item' });
export type Item = z.output<typeof Item>;

export const Season = z
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

const reads = { role: 'viewer', via: 'library' } as const;
const writes = { role: 'viewer', via: 'write' } as const;
const owner = { role: 'owner', via: 'admin', recent: true } as const;

export const catalog = {
  library: endpoint({
    method: 'GET',
    path: '/api/v1/library',
    summary: 'What this Profile may see: listed, searched, filtered and counted',
    access: reads,
    query: z.strictObject({
      q: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .meta({ description: 'Words to search for in titles, people and plots; titles come first.' }),
      view: z
        .enum(VIEWS)
        .default('all')
        .meta({ description: 'Which part of the library: a kind, or what this Profile has listed, begun or watched.' }),
      library: Id.optional(),
      genre: z.string().min(1).max(64).optional().meta({ description: 'Only items of this genre.' }),
      year: integer(1800, 2200).optional().meta({ description: 'Only items of this year.' }),
      rating: z.string().min(1).max(32).optional().meta({ description: 'Only items of this content rating.' }),
      resolution: z.enum(RESOLUTIONS).optional().meta({ description: 'Only items of this resolution.' }),
      language: Language.optional(),
      sort: z.enum(SORTS).optional().meta({
        description: 'Default: title; with q, how well it matches; for history and continue, the last time played.',
      }),
      order: z
        .enum(['ascending', 'descending'])
        .optional()
        .meta({ description: 'Default: what suits the sort; newest and highest first.' }),
      letter: z
        .string()
        .regex(/^([a-z]|#)$/, 'expected a to z or #')
        .optional()
        .meta({ description: 'Begins the page at that letter; sorted by title only.' }),
      seed: integer(0, 2 ** 31 - 1)
        .optional()
        .meta({ description: 'Keeps a random order the same over its pages.' }),
      offset: integer(0, 100_000_000)
        .optional()
        .meta({ description: 'Number of entries to skip; not together with a cursor.' }),
      ...paging,
    }),
    result: z
      .strictObject({
        items: z.array(Card),
        total: z.int().min(0),
        nextCursor: z.string().optional(),
        facets: Facets,
        letters: z.array(z.strictObject({ letter: z.string(), offset: z.int().min(0) })),
      })
      .meta({ id: 'LibraryPage' }),
  }),
  recent: endpoint({
    method: 'GET',
    path: '/api/v1/library/recent',
    summary: 'Recently added, an episode standing for its show',
    access: reads,
    query: z.strictObject({
      library: Id.optional(),
      limit: integer(LIMIT.least, LIMIT.most)
        .default(24)
        .meta({ description: 'Maximum number of entries in the reply.' }),
    }),
    result: z.strictObject({ items: z.array(Card), total: z.int().min(0) }).meta({ id: 'RecentItems' }),
  }),
  nextUp: endpoint({
    method: 'GET',
    path: '/api/v1/library/next-up',
    summary:
      'The next episode of each show that this Profile watched lately, without shows it is in the middle of an episode of',
    access: reads,
    query: z.strictObject({
      limit: integer(LIMIT.least, LIMIT.most).default(24).meta({ description: 'Maximum number of episodes.' }),
    }),
    result: z.strictObject({ items: z.array(Card), total: z.int().min(0) }).meta({ id: 'NextUp' }),
  }),
  shows: endpoint({
    method: 'GET',
    path: '/api/v1/shows',
    summary: 'The shows',
    access: reads,
    query: z.strictObject({
      library: Id.optional(),
      offset: integer(0, 100_000_000)
        .optional()
        .meta({ description: 'Number of entries to skip; not together with a cursor.' }),
      ...paging,
    }),
    result: z
      .strictObject({ items: z.array(Card), total: z.int().min(0), nextCursor: z.string().optional() })
      .meta({ id: 'ShowPage' }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/v1/shows/{id}',
    summary: 'A show with its seasons, episodes and what to watch next',
    access: reads,
    params: byId,
    result: Show,
    fails: ['missing'],
  }),
  item: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}',
    summary: 'One item with its streams, chapters and subtitles',
    access: reads,
    params: byId,
    result: Item,
    fails: ['missing'],
  }),
  art: endpoint({
    method: 'GET',
    path: '/api/v1/art/{id}',
    summary: 'Artwork of an item, resized to a fixed ladder of widths',
    access: { ...reads, link: 'art' },
    params: byId,
    query: z.strictObject({
      kind: z.enum(ART_KINDS).default('poster').meta({ description: 'Which picture.' }),
      width: integer(1, 4000)
        .default(320)
        .meta({ description: 'Width in pixels; the next larger one of the ladder is sent.' }),
      v: z
        .string()
        .max(32)
        .optional()
        .meta({ description: 'The version from images; with it the picture may be kept for a year.' }),
      ticket: z.string().max(512).optional().meta({ description: 'A signed short-lived link.' }),
    }),
    result: { bytes: ['image/webp', 'image/jpeg', 'image/png'] },
    fails: ['missing'],
  }),
  unplaced: endpoint({
    method: 'GET',
    path: '/api/v1/library/unplaced',
    summary: 'Files that a scan could not place or read, with the reason',
    access: { role: 'owner', via: 'library' },
    query: z.strictObject({
      library: Id.optional(),
      offset: integer(0, 100_000_000)
        .optional()
        .meta({ description: 'Number of entries to skip; not together with a cursor.' }),
      ...paging,
    }),
    result: z
      .strictObject({
        items: z.array(
          z.strictObject({
            id: Id,
            library: Id,
            file: z.string(),
            reason: z.string(),
            evidence: z.array(z.string()),
            seenAt: Time,
          }),
        ),
        total: z.int().min(0),
        nextCursor: z.string().optional(),
      })
      .meta({ id: 'UnplacedPage' }),
  }),
};

export const Library = z
  .strictObject({
    id: Id,
    name: z.string(),
    kind: z.enum(LIBRARY_KINDS),
    path: z.string().optional().meta({ description: 'Shown to Owners only.' }),
    items: z.int().min(0),
    online: z.boolean(),
    watching: z.boolean().meta({ description: 'Whether changes are seen as they happen, beside the scheduled scans.' }),
    lastScanAt: Time.optional(),
    managed: z.boolean(),
  })
  .meta({ id: 'Library' });
const LibraryBody = {
  name: text(64).meta({ examples: ['Films'] }),
  path: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^\//, 'expected an absolute path')
    .meta({
      description: 'Absolute path of its folder. No library may lie inside another.',
      examples: ['/srv/media/films'],
    }),
  kind: z.enum(LIBRARY_KINDS),
};

export const libraries = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/libraries',
    summary: 'The libraries this Profile may see',
    access: reads,
    result: z.strictObject({ items: z.array(Library), total: z.int() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/libraries',
    summary: 'Add a library and begin to scan it',
    access: owner,
    body: z.strictObject(LibraryBody),
    result: Library,
    status: 201,
    fails: ['conflict'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/libraries/{id}',
    summary: 'Change a library; its items keep their ids',
    access: owner,
    params: byId,
    body: z.strictObject(LibraryBody).partial(),
    result: Library,
    fails: ['missing', 'conflict'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/libraries/{id}',
    summary: 'Remove a library from the catalogue. No file is touched',
    access: owner,
    params: byId,
    result: NOTHING,
    fails: ['missing', 'conflict'],
  }),
  folders: endpoint({
    method: 'GET',
    path: '/api/v1/folders',
    summary: 'Folders of the server, to choose a library from',
    access: owner,
    query: z.strictObject({
      path: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .meta({
          description: 'Absolute path of the folder to list; left out: the media folder.',
          examples: ['/srv/media'],
        }),
    }),
    result: z
      .strictObject({
        path: z.string(),
        parent: z.string().optional(),
        folders: z.array(z.strictObject({ name: z.string(), path: z.string() })),
        videos: z.int().min(0),
      })
      .meta({ id: 'Folders' }),
    fails: ['missing'],
  }),
};

export const watching = {
  progress: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/progress',
    summary: 'Where this Profile is in an item. Within a session a lower or equal sequence is stale',
    access: writes,
    params: byId,
    body: z.strictObject({
      position: Seconds.max(1_000_000),
      watched: z.boolean().optional(),
      session: z
        .string()
        .regex(/^[A-Za-z0-9_-]{8,64}$/)
        .optional(),
      sequence: z.int().min(0).optional(),
    }),
    result: UserData,
    fails: ['missing', 'conflict'],
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/continue-watching',
    summary: 'Take an item off continue watching; its history stays',
    access: writes,
    params: byId,
    result: NOTHING,
    fails: ['missing'],
  }),
  list: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/list',
    summary: 'Put an item on My List, or take it off',
    access: writes,
    params: byId,
    body: z.strictObject({ listed: z.boolean() }),
    result: UserData,
    fails: ['missing'],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v1/history',
    summary: 'What this Profile has watched, the newest first',
    access: reads,
    query: z.strictObject({ ...paging }),
    result: z
      .strictObject({
        items: z.array(z.strictObject({ item: Card, at: Time, position: Seconds, watched: z.boolean() })),
        total: z.int().min(0),
        nextCursor: z.string().optional(),
      })
      .meta({ id: 'HistoryPage' }),
  }),
};
