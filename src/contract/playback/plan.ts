/** The playback plan: how a client can play an item, why streams are converted, and the links to play it. */
import { about, byItem, EXAMPLE_IDS, EXAMPLE_LINKS, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { PLAYERS } from '../kernel/access.ts';
import { Chapter, SubtitleTrack } from '../catalog/items.ts';
import { Gain, SoundTrim } from '../catalog/music.ts';
import { Id, integer, LanguageCode, Seconds } from '../kernel/common.ts';
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
    action: Action.meta(about('copy: unchanged. convert: decoded and encoded again.', 'copy')),
    codec: z.string().meta({ description: 'Codec of the stream that the client receives.', examples: ['h264'] }),
    width: z.int().optional().meta(about('Width in pixels.', 1920)),
    height: z.int().optional().meta(about('Height in pixels.', 1036)),
    bitrate: z
      .int()
      .optional()
      .meta({ description: 'Bits per second. For converted video, the maximum.', examples: [7800000] }),
    hdr: z.string().optional().meta({
      description: 'Dynamic range of the stream that the client receives: hdr10, hlg or dolby-vision. Absent for SDR.',
      examples: [],
    }),
    toneMap: z.boolean().meta({ description: 'Whether HDR is tone-mapped to SDR.', examples: [false] }),
  })
  .meta({ id: 'PlannedVideo', description: 'Video stream as this client receives it.' });

const PlannedAudio = z
  .strictObject({
    index: z.int().meta(about('Number of the stream in the file.', 1)),
    codec: z.string().meta(about('Codec of the stream in the file.', 'aac')),
    language: LanguageCode.optional().meta(about('Language. Left out: not known.', 'en')),
    title: z.string().meta(about('Name of the track for people.', 'English (stereo)')),
    channels: z.int().optional().meta(about('Number of channels.', 2)),
    default: z.boolean().meta(about('Whether the file marks it as the default.', true)),
    selected: z.boolean().meta(about('Whether it plays first.', true)),
    action: Action.meta({ description: 'How this track is delivered to this client.' }),
  })
  .meta({ id: 'PlannedAudio', description: 'Audio track as this client receives it.' });

const PlannedSubtitle = SubtitleTrack.extend({
  delivery: z.enum(['text', 'picture', 'burn']).meta({
    description: 'How this client receives the subtitle: text and pictures from url; burn draws it into the video.',
  }),
}).meta({ id: 'PlannedSubtitle', description: 'Subtitle as this client receives it.' });

const Quality = z
  .strictObject({
    id: z.string().meta({ description: 'Value for the quality parameter.', examples: ['original', '1080p-8'] }),
    label: z.string().meta(about('Name for people.', 'Original (1080p, 7.8 Mbit/s)')),
    height: z.int().min(0).meta(about('Height in pixels. 0 if unknown.', 1036)),
    bitrate: z
      .int()
      .min(0)
      .meta({ description: 'Bits per second, including audio. 0 if unknown.', examples: [7930000] }),
  })
  .meta({ id: 'Quality', description: 'Quality that a player can choose.' });

const Part = z
  .strictObject({
    part: z.int().min(0).meta(about('Number of the part, from 1.', 1)),
    start: Seconds.meta(about('Start on the timeline of the whole version, in seconds.', 0)),
    duration: Seconds.meta(about('Length in seconds.', 6805.3)),
  })
  .meta({ id: 'PlannedPart', description: 'File of a version, on the timeline of all its files.' });

const PlayableVersion = z
  .strictObject({
    id: idOf('version', 'Id of the version.'),
    why: z
      .enum(['asked', 'only', 'best'])
      .meta(about('asked: the request named it. only: there is no other. best: it suits this client best.', 'only')),
    detail: z
      .string()
      .meta({ description: 'Readable reason for choosing this version.', examples: ['the only version'] }),
  })
  .meta({ id: 'PlayableVersion', description: 'Version that the plan plays.' });

const PlannedMarker = z
  .strictObject({
    kind: z.enum(MARKER_KINDS).meta(about('Kind of marker.', 'credits')),
    start: Seconds.meta(about('Start in seconds.', 6640)),
    end: Seconds.meta(about('End in seconds.', 6805.3)),
    label: z.string().optional().meta(rarely('Name for people, for a marker that an Owner named.')),
  })
  .meta({ id: 'PlannedMarker', description: 'Passage that a player can skip.' });

export const playback = {
  plan: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/playback',
    summary: 'Get how this client can play an item, with links',
    description:
      'A client says what it can play and receives the way with the least conversion, its reasons, and ' +
      'signed addresses that work for some hours without a header. It also opens the playback session ' +
      'that progress reports name.',
    access: PLAYERS,
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject({
      videoCodecs: names(
        'Video codecs that this client plays. `h264-high10` adds a profile; `h264-opengop` (starts at keyframes ' +
          'that are not IDR frames), `h264-interlaced` (deinterlaces) and `h264-rotated` (applies rotation) add ' +
          'abilities. `h264-converted` without `h264` accepts H.264 only from the conversion of the server',
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
      maxAudioChannels: integer(1, 64)
        .optional()
        .meta({ description: 'Maximum number of audio channels.', examples: [6] }),
      maxBitrate: integer(1, 1_000_000_000)
        .optional()
        .meta({ description: 'Maximum bits per second.', examples: [20000000] }),
      maxHeight: integer(1, 16_384)
        .optional()
        .meta({ description: 'Maximum height of the video in pixels.', examples: [1080] }),
      quality: z
        .string()
        .regex(/^[a-z0-9.-]{1,32}$/, 'expected the id of a quality')
        .optional()
        .meta({
          description: 'Id of a quality from the plan. Default: the best one that fits.',
          examples: ['1080p-8'],
        }),
      audio: integer(0, 999).optional().meta({ description: 'Index of the audio stream to play.' }),
      subtitle: z
        .string()
        .regex(/^[sf]\d{1,4}$/)
        .optional()
        .meta({ description: 'Key of the subtitle track to show.', examples: ['s2'] }),
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
          examples: ['direct'],
        }),
        reasons: Reasons.meta({
          description: 'Reasons against direct play, with the conversion chosen.',
          examples: [[]],
        }),
        rejected: z
          .array(
            z.strictObject({
              way: z
                .enum(['direct', 'remux', 'remux-audio', 'transcode'])
                .meta(about('Way that was not taken.', 'direct')),
              reasons: Reasons.meta(about('Why it was not taken.')),
            }),
          )
          .meta({
            description:
              'Modes with less conversion than the chosen one, and the reasons against each. remux-audio is ' +
              'remux with converted audio.',
            examples: [[]],
          }),
        urls: z
          .strictObject({
            media: z.string().optional().meta(about('The original file, for direct play.', EXAMPLE_LINKS.media)),
            hls: z.string().optional().meta(rarely('The first playlist, for remux and transcode.')),
            download: z.string().optional().meta(about('The original file, to keep.', EXAMPLE_LINKS.download)),
          })
          .meta(about('Signed addresses.')),
        linksExpireAt: z.iso
          .datetime()
          .optional()
          .meta(about('When the signed addresses stop working. A new plan has new ones.', '2026-11-22T00:30:00.000Z')),
        container: z.string().optional().meta(about('Container that the client receives.', 'matroska')),
        type: z
          .string()
          .optional()
          .meta({
            description: 'Content type of the original file, with codecs, for a media element.',
            examples: ['video/x-matroska; codecs="avc1.640028, mp4a.40.2"'],
          }),
        version: PlayableVersion.optional(),
        parts: z.array(Part).meta({ description: 'Files of the version on one timeline. Most items have one.' }),
        duration: Seconds.optional().meta({ description: 'Duration of all parts.', examples: [6805.3] }),
        video: PlannedVideo.optional(),
        audio: z.array(PlannedAudio).meta({ description: 'Audio tracks available to this client, in file order.' }),
        gain: Gain.optional().meta(
          rarely('Of music and audiobooks: loudness, to level tracks. It is not applied to any stream.'),
        ),
        trim: SoundTrim.optional().meta(
          rarely(
            'Samples that the encoder of the original file added. Gapless playing leaves them out; direct play only.',
          ),
        ),
        subtitles: z.array(PlannedSubtitle).meta(about('Subtitles that this client can show.')),
        fonts: z
          .array(z.string())
          .optional()
          .meta({ description: 'Addresses of embedded fonts, for clients that render ASS.', examples: [] }),
        qualities: z.array(Quality).meta({ description: 'Available qualities, best first.' }),
        chapters: z
          .array(
            Chapter.extend({
              image: z.string().optional().meta(rarely('Signed address of a picture of the chapter.')),
            }).meta({ id: 'PlannedChapter', description: 'Chapter with its picture.' }),
          )
          .meta(about('Chapters, with a picture where there is one.')),
        markers: z.array(PlannedMarker).meta(about('Passages that can be skipped.')),
        autoSkip: z
          .array(PlannedMarker.shape.kind)
          .meta({ description: 'Kinds of markers that are skipped without asking.', examples: [[]] }),
        autoplay: z.boolean().meta({ description: 'Whether the next episode starts automatically.', examples: [true] }),
        showSubtitles: z.boolean().optional().meta({
          description: 'Whether to show subtitles at the start. Absent if the player decides.',
        }),
        subtitleLanguage: LanguageCode.optional().meta({
          description: 'Language of subtitles for viewers who have chosen none. Absent if none is configured.',
        }),
        trickplay: z
          .string()
          .optional()
          .meta({
            description: 'Address of a WebVTT file that maps times to preview pictures.',
            examples: [EXAMPLE_LINKS.trickplay],
          }),
        position: Seconds.meta(about('Where the Profile stopped, in seconds.', 1810.5)),
        next: Id.optional().meta(rarely('Id of the next episode.')),
        session: z
          .string()
          .meta({ description: 'Session id. Send it with progress reports.', examples: [EXAMPLE_IDS.playback] }),
      })
      .meta({ id: 'PlaybackPlan', description: 'Way in which a client can play an item, with signed addresses.' }),
    fails: [
      ...READING_ITEM,
      'watch-time-over',
      'no-way',
      'no-such-quality',
      'no-such-audio-track',
      'no-such-subtitle',
      'busy',
      'limit',
    ],
  }),
};
