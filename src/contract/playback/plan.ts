/** The playback plan: how a client can play an item, why something is converted, and the links for it. */
import { z } from 'zod';
import { Chapter, SubtitleTrack } from '../catalog/items.ts';
import { byId, Id, integer, LanguageCode, Seconds } from '../kernel/common.ts';
import { endpoint, PlayReason } from '../kernel/endpoint.ts';
import { version } from './media.ts';
import { MARKER_KINDS } from './markers.ts';

const names = (of: string) =>
  z
    .string()
    .max(512)
    .regex(/^[A-Za-z0-9_.+-]*(,[A-Za-z0-9_.+-]+)*$/, 'expected names with commas between them')
    .optional()
    .meta({ description: `${of}, with commas between the names; empty: none; left out: all.` });

const Reasons = z.array(PlayReason);
/** How a stream is delivered. `copy`: without converting it. */
const Action = z.enum(['copy', 'convert']);

const PlannedVideo = z
  .strictObject({
    action: Action,
    codec: z.string().meta({ description: 'Of what the client gets.' }),
    width: z.int().optional(),
    height: z.int().optional(),
    bitrate: z.int().optional().meta({ description: 'Bits per second; of a converted video the most.' }),
    hdr: z
      .string()
      .optional()
      .meta({ description: 'The dynamic range that the client gets: hdr10, hlg or dolby-vision; absent: standard.' }),
    toneMap: z.boolean().meta({ description: 'Whether a high dynamic range is mapped to standard range.' }),
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
    action: Action.meta({ description: 'What happens to this track when it is played by this client.' }),
  })
  .meta({ id: 'PlannedAudio' });

const PlannedSubtitle = SubtitleTrack.extend({
  delivery: z.enum(['text', 'picture', 'burn']).meta({
    description:
      'How this client gets it when it is chosen: text and pictures come from url; burn means that it is drawn into the video.',
  }),
}).meta({ id: 'PlannedSubtitle' });

const Quality = z
  .strictObject({
    id: z.string().meta({ description: 'Give it as quality.', examples: ['original', '1080p-8'] }),
    label: z.string(),
    height: z.int().min(0),
    bitrate: z.int().min(0).meta({ description: 'Bits per second, with the audio; 0 when that is not known.' }),
  })
  .meta({ id: 'Quality' });

const Part = z.strictObject({ part: z.int().min(0), start: Seconds, duration: Seconds }).meta({ id: 'PlannedPart' });

const PlayableVersion = z
  .strictObject({
    id: Id,
    why: z.enum(['asked', 'only', 'best']),
    detail: z.string().meta({ description: 'Why this version is played, as a sentence.' }),
  })
  .meta({ id: 'PlayableVersion' });

const PlannedMarker = z
  .strictObject({ kind: z.enum(MARKER_KINDS), start: Seconds, end: Seconds, label: z.string().optional() })
  .meta({ id: 'PlannedMarker' });

export const playback = {
  plan: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/playback',
    summary: 'How this client can play an item, and the links for it',
    access: { role: 'viewer', via: 'stream' },
    params: byId,
    query: z.strictObject({
      videoCodecs: names(
        'Video codecs that this client plays. `h264-high10` names a profile beyond the usual ones; `h264-opengop`, `h264-interlaced` and `h264-rotated` say that it starts at keyframes that are no IDR frames, shows interlaced video well, and turns pictures as the file says',
      ),
      audioCodecs: names('Audio codecs that this client plays'),
      containers: names('Containers that this client opens'),
      hdrFormats: names(
        'Dynamic ranges that this client shows: hdr10, hlg, dolby-vision, or one profile of it, such as dolby-vision-5',
      ),
      subtitleFormats: z
        .string()
        .max(64)
        .regex(
          /^((vtt|ass|pgs|vobsub)(,(vtt|ass|pgs|vobsub))*)?$/,
          'expected vtt, ass, pgs and vobsub with commas between them',
        )
        .optional()
        .meta({ description: 'Subtitle formats that this client draws: vtt, ass, pgs, vobsub; left out: vtt.' }),
      maxAudioChannels: integer(1, 64).optional().meta({ description: 'Maximum number of audio channels.' }),
      maxBitrate: integer(1, 1_000_000_000).optional().meta({ description: 'Maximum bits a second.' }),
      maxHeight: integer(1, 16_384).optional().meta({ description: 'Maximum height of the picture in pixels.' }),
      quality: z
        .string()
        .regex(/^[a-z0-9.-]{1,32}$/, 'expected the id of a quality')
        .optional()
        .meta({ description: 'A quality of the plan; left out: what fits best.' }),
      audio: integer(0, 999).optional().meta({ description: 'Index of the audio stream to play.' }),
      subtitle: z
        .string()
        .regex(/^[sf]\d{1,4}$/)
        .optional()
        .meta({ description: 'Key of the subtitle track to show.' }),
      start: integer(0, 1_000_000).optional().meta({ description: 'Where to start, in seconds.' }),
      session: z
        .string()
        .regex(/^[A-Za-z0-9_-]{8,64}$/)
        .optional()
        .meta({ description: 'The session of an earlier plan that this one changes.' }),
      ...version,
    }),
    result: z
      .strictObject({
        mode: z.enum(['direct', 'remux', 'transcode']).meta({
          description:
            'How it is played: the file as it is; the same video in other packets, with copied or converted audio; or converted video. urls has only what the server can give.',
        }),
        reasons: Reasons.meta({ description: 'Why it is not direct play, and what is done instead.' }),
        rejected: z
          .array(z.strictObject({ way: z.enum(['direct', 'remux', 'remux-audio', 'transcode']), reasons: Reasons }))
          .meta({
            description:
              'Each way that touches less than the one taken, and why it was not. remux-audio is remux with converted audio.',
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
          .meta({ description: 'The content type with codecs of the file as it is, for a media element.' }),
        version: PlayableVersion.optional(),
        parts: z.array(Part).meta({ description: 'The files of the version on one timeline; one for most items.' }),
        duration: Seconds.optional().meta({ description: 'Of all parts.' }),
        video: PlannedVideo.optional(),
        audio: z
          .array(PlannedAudio)
          .meta({ description: 'The tracks that this client can have, in the order of the file.' }),
        subtitles: z.array(PlannedSubtitle),
        fonts: z
          .array(z.string())
          .optional()
          .meta({ description: 'Addresses of fonts that are in the file, for clients that draw ASS.' }),
        qualities: z.array(Quality).meta({ description: 'Qualities that can be asked for, the best first.' }),
        chapters: z.array(Chapter.extend({ image: z.string().optional() }).meta({ id: 'PlannedChapter' })),
        markers: z.array(PlannedMarker),
        autoSkip: z
          .array(PlannedMarker.shape.kind)
          .meta({ description: 'Kinds of markers that are skipped without asking.' }),
        autoplay: z.boolean().meta({ description: 'Whether the next episode starts by itself.' }),
        showSubtitles: z.boolean().optional().meta({
          description:
            'Whether subtitles are shown when playing starts; absent where the server leaves that to the player.',
        }),
        trickplay: z.string().optional().meta({ description: 'WebVTT that says which picture belongs to which time.' }),
        position: Seconds,
        next: Id.optional(),
        session: z.string().meta({ description: 'Give it back with progress.' }),
      })
      .meta({ id: 'PlaybackPlan' }),
    fails: ['forbidden', 'missing', 'conflict', 'unavailable'],
  }),
};
