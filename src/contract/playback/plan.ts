/** The playback plan: how a client can play an item, why streams are converted, and the links to play it. */
import { z } from 'zod';
import { PLAYERS } from '../kernel/access.ts';
import { Chapter, SubtitleTrack } from '../catalog/items.ts';
import { byId, Id, integer, LanguageCode, Seconds } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { version } from './media.ts';
import { MARKER_KINDS } from './markers.ts';
import { PlayReason, READING_ITEM } from './reasons.ts';

const names = (of: string) =>
  z
    .string()
    .max(512)
    .regex(/^[A-Za-z0-9_.+-]*(,[A-Za-z0-9_.+-]+)*$/, 'expected names with commas between them')
    .optional()
    .meta({ description: `${of}, separated by commas. Empty: none. Default: all.` });

const Reasons = z.array(PlayReason);
/** How a stream is delivered. `copy` leaves it unchanged. */
const Action = z.enum(['copy', 'convert']);

const PlannedVideo = z
  .strictObject({
    action: Action,
    codec: z.string().meta({ description: 'Codec of the stream that the client receives.' }),
    width: z.int().optional(),
    height: z.int().optional(),
    bitrate: z.int().optional().meta({ description: 'Bits per second. For converted video, the maximum.' }),
    hdr: z.string().optional().meta({
      description: 'Dynamic range of the stream that the client receives: hdr10, hlg or dolby-vision. Absent for SDR.',
    }),
    toneMap: z.boolean().meta({ description: 'Whether HDR is tone-mapped to SDR.' }),
  })
  .meta({ id: 'PlannedVideo' });

const PlannedAudio = z
  .strictObject({
    index: z.int(),
    codec: z.string(),
    language: LanguageCode.optional(),
    title: z.string(),
    channels: z.int().optional(),
    default: z.boolean(),
    selected: z.boolean(),
    action: Action.meta({ description: 'How this track is delivered to this client.' }),
  })
  .meta({ id: 'PlannedAudio' });

const PlannedSubtitle = SubtitleTrack.extend({
  delivery: z.enum(['text', 'picture', 'burn']).meta({
    description: 'How this client receives the subtitle: text and pictures from url; burn draws it into the video.',
  }),
}).meta({ id: 'PlannedSubtitle' });

const Quality = z
  .strictObject({
    id: z.string().meta({ description: 'Value for the quality parameter.', examples: ['original', '1080p-8'] }),
    label: z.string(),
    height: z.int().min(0),
    bitrate: z.int().min(0).meta({ description: 'Bits per second, including audio. 0 if unknown.' }),
  })
  .meta({ id: 'Quality' });

const Part = z.strictObject({ part: z.int().min(0), start: Seconds, duration: Seconds }).meta({ id: 'PlannedPart' });

const PlayableVersion = z
  .strictObject({
    id: Id,
    why: z.enum(['asked', 'only', 'best']),
    detail: z.string().meta({ description: 'Readable reason for choosing this version.' }),
  })
  .meta({ id: 'PlayableVersion' });

const PlannedMarker = z
  .strictObject({ kind: z.enum(MARKER_KINDS), start: Seconds, end: Seconds, label: z.string().optional() })
  .meta({ id: 'PlannedMarker' });

export const playback = {
  plan: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/playback',
    summary: 'Get how this client can play an item, with links',
    access: PLAYERS,
    params: byId,
    query: z.strictObject({
      videoCodecs: names(
        'Video codecs that this client plays. `h264-high10` adds a profile; `h264-opengop` (starts at keyframes ' +
          'that are not IDR frames), `h264-interlaced` (deinterlaces) and `h264-rotated` (applies rotation) add ' +
          'abilities',
      ),
      audioCodecs: names('Audio codecs that this client plays'),
      containers: names('Containers that this client plays'),
      hdrFormats: names(
        'Dynamic ranges that this client displays: hdr10, hlg, dolby-vision or one of its profiles, such as ' +
          'dolby-vision-5',
      ),
      subtitleFormats: z
        .string()
        .max(64)
        .regex(
          /^((vtt|ass|pgs|vobsub)(,(vtt|ass|pgs|vobsub))*)?$/,
          'expected vtt, ass, pgs and vobsub with commas between them',
        )
        .optional()
        .meta({ description: 'Subtitle formats that this client displays: vtt, ass, pgs, vobsub. Default: vtt.' }),
      maxAudioChannels: integer(1, 64).optional().meta({ description: 'Maximum number of audio channels.' }),
      maxBitrate: integer(1, 1_000_000_000).optional().meta({ description: 'Maximum bits per second.' }),
      maxHeight: integer(1, 16_384).optional().meta({ description: 'Maximum height of the video in pixels.' }),
      quality: z
        .string()
        .regex(/^[a-z0-9.-]{1,32}$/, 'expected the id of a quality')
        .optional()
        .meta({ description: 'Id of a quality from the plan. Default: the best one that fits.' }),
      audio: integer(0, 999).optional().meta({ description: 'Index of the audio stream to play.' }),
      subtitle: z
        .string()
        .regex(/^[sf]\d{1,4}$/)
        .optional()
        .meta({ description: 'Key of the subtitle track to show.' }),
      start: integer(0, 1_000_000).optional().meta({ description: 'Start position in seconds.' }),
      session: z
        .string()
        .regex(/^[A-Za-z0-9_-]{8,64}$/)
        .optional()
        .meta({ description: 'Session id of an earlier plan that this one replaces.' }),
      ...version,
    }),
    result: z
      .strictObject({
        mode: z.enum(['direct', 'remux', 'transcode']).meta({
          description:
            'direct: the original file; remux: the original video in another container, with copied or converted ' +
            'audio; transcode: converted video. urls contains only the links that work.',
        }),
        reasons: Reasons.meta({ description: 'Reasons against direct play, with the conversion chosen.' }),
        rejected: z
          .array(z.strictObject({ way: z.enum(['direct', 'remux', 'remux-audio', 'transcode']), reasons: Reasons }))
          .meta({
            description:
              'Modes with less conversion than the chosen one, and the reasons against each. remux-audio is ' +
              'remux with converted audio.',
          }),
        urls: z.strictObject({
          media: z.string().optional(),
          hls: z.string().optional(),
          download: z.string().optional(),
        }),
        linksExpireAt: z.iso.datetime().optional(),
        container: z.string().optional(),
        type: z
          .string()
          .optional()
          .meta({ description: 'Content type of the original file, with codecs, for a media element.' }),
        version: PlayableVersion.optional(),
        parts: z.array(Part).meta({ description: 'Files of the version on one timeline. Most items have one.' }),
        duration: Seconds.optional().meta({ description: 'Duration of all parts.' }),
        video: PlannedVideo.optional(),
        audio: z.array(PlannedAudio).meta({ description: 'Audio tracks available to this client, in file order.' }),
        subtitles: z.array(PlannedSubtitle),
        fonts: z
          .array(z.string())
          .optional()
          .meta({ description: 'Addresses of embedded fonts, for clients that render ASS.' }),
        qualities: z.array(Quality).meta({ description: 'Available qualities, best first.' }),
        chapters: z.array(Chapter.extend({ image: z.string().optional() }).meta({ id: 'PlannedChapter' })),
        markers: z.array(PlannedMarker),
        autoSkip: z
          .array(PlannedMarker.shape.kind)
          .meta({ description: 'Kinds of markers that are skipped without asking.' }),
        autoplay: z.boolean().meta({ description: 'Whether the next episode starts automatically.' }),
        showSubtitles: z.boolean().optional().meta({
          description: 'Whether to show subtitles at the start. Absent if the player decides.',
        }),
        subtitleLanguage: LanguageCode.optional().meta({
          description: 'Language of subtitles for viewers who have chosen none. Absent if none is configured.',
        }),
        trickplay: z
          .string()
          .optional()
          .meta({ description: 'Address of a WebVTT file that maps times to preview pictures.' }),
        position: Seconds,
        next: Id.optional(),
        session: z.string().meta({ description: 'Session id. Send it with progress reports.' }),
      })
      .meta({ id: 'PlaybackPlan' }),
    fails: [...READING_ITEM, 'no-way', 'no-such-quality', 'no-such-audio-track', 'no-such-subtitle', 'busy', 'limit'],
  }),
};
