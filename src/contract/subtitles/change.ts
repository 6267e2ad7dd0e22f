/**
 * The body of a change to a subtitle: what it starts from, the clean-up rules, the timing and the role. Preview and
 * apply take the same body.
 */
import { EXAMPLE_CHANGE, EXAMPLE_FINGERPRINT } from './examples.ts';
import { about, idOf } from '../kernel/describe.ts';
import { SUBTITLE_ENCODINGS } from './encodings.ts';
import { z } from 'zod';
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { Language } from '../kernel/common.ts';
import { AskedPartInBody } from './parts.ts';

type SubtitleEncoding = (typeof SUBTITLE_ENCODINGS)[number];

/** Returns the encoding of a label (WHATWG Encoding, section 4.2), in any case and by any of its names. */
function encodingOf(label: string): SubtitleEncoding | undefined {
  try {
    const name = /^auto$/i.test(label) ? 'auto' : new TextDecoder(label).encoding;
    return SUBTITLE_ENCODINGS.find((one) => one === name);
  } catch {
    return undefined;
  }
}
const EncodingLabel = z
  .string()
  .regex(/^[A-Za-z0-9_:.-]{2,40}$/, 'expected the label of an encoding')
  .refine((label) => encodingOf(label) !== undefined, 'expected the label of an encoding that subtitles come in')
  .transform((label): SubtitleEncoding => encodingOf(label) ?? 'auto')
  .meta({
    description: `auto, or a WHATWG label of one of: ${SUBTITLE_ENCODINGS.slice(1).join(', ')}.`,
    examples: ['auto'],
  });

/** Fingerprint of the subtitle that a change was made from. */
export const SubtitleFingerprint = z
  .string()
  .regex(/^(?:[0-9a-f]{64}|missing)$/, 'expected a fingerprint')
  .meta({ description: 'SHA-256 of the installed bytes in hex, or missing.', examples: [EXAMPLE_FINGERPRINT] });

const MAX_SHIFT_MS = 120_000;
const shift = z.int().min(-MAX_SHIFT_MS).max(MAX_SHIFT_MS);
const Anchor = z.strictObject({
  atMilliseconds: z
    .int()
    .min(0)
    .max(36 * 3_600_000)
    .meta(about('Time in the subtitle, in milliseconds.', 60000)),
  offsetMilliseconds: shift.meta(about('Shift at that time, in milliseconds; above 0 is later.', 500)),
});
const rate = z.number().min(10).max(120);

/** Sources of a change. A request names at most one; without a source, the installed subtitle is edited. */
const SOURCES = ['data', 'draftId', 'text'] as const;
/** Changes of timing. A request names at most one. */
const TIMINGS = ['offsetMilliseconds', 'anchors', 'framerate', 'automaticSync'] as const;

/** Selects one of several files of a language. */
export const CurrentRole = z
  .enum(SUBTITLE_ROLES)
  .optional()
  .meta({
    description:
      'Selects one of several files of the language. Default: the regular one, else the one for the hard of ' +
      'hearing, else the forced one.',
  });

const EXAMPLE_TEXT = '1\n00:00:01,000 --> 00:00:02,500\nGood evening.\n';
const change = {
  part: AskedPartInBody,
  language: Language.meta(about('Language of the subtitle that is changed.', 'en')),
  currentRole: CurrentRole,
  data: z
    .base64()
    .max(1_000_000)
    .optional()
    .meta(
      about(
        'A subtitle file in any supported format, in base64.',
        'MQowMDowMDowMSwwMDAgLS0+IDAwOjAwOjAyLDUwMApHb29kIGV2ZW5pbmcuCg==',
      ),
    ),
  draftId: idOf('draft', 'Id of a draft to start from.').optional(),
  text: z.string().max(1_000_000).optional().meta(about('The whole subtitle as SRT.', EXAMPLE_TEXT)),
  encoding: EncodingLabel.optional(),
  offsetMilliseconds: shift.optional().meta(about('Shift of all cues, in milliseconds; above 0 is later.', 500)),
  anchors: z
    .array(Anchor)
    .min(1)
    .max(8)
    .refine(
      (anchors) => anchors.every((one, n) => n === 0 || one.atMilliseconds > (anchors[n - 1]?.atMilliseconds ?? -1)),
      'expected anchors in order of time',
    )
    .optional()
    .meta(about('Shifts at several times. Between two of them the shift changes evenly.')),
  framerate: z
    .strictObject({
      from: rate.meta(about('Frames per second that the subtitle was made for.', 25)),
      to: rate.meta(about('Frames per second of the video.', 23.976)),
    })
    .optional()
    .meta(about('Frame rates to convert from and to, in frames per second.')),
  automaticSync: z
    .boolean()
    .optional()
    .meta(about('Moves the cues to where the sound of the video has speech.', false)),
  removeCredits: z.boolean().optional().meta(about('Removes lines that credit or advertise.', true)),
  mergeRepeated: z.boolean().optional().meta(about('Merges cues that repeat the text of the cue before.', false)),
  removeHearingImpaired: z
    .boolean()
    .optional()
    .meta(about('Removes descriptions of sounds and names of speakers.', false)),
  fixCommonErrors: z
    .boolean()
    .optional()
    .meta(about('Corrects usual mistakes of recognition, spacing and punctuation.', false)),
  fixOverlaps: z.boolean().optional().meta(about('Ends a cue where the next one begins.', false)),
  role: z.enum(SUBTITLE_ROLES).optional().meta({ description: 'New role of the subtitle. Default: its current role.' }),
};
type Changing = { [K in (typeof SOURCES)[number] | (typeof TIMINGS)[number]]?: unknown };
const isSet = (value: unknown): boolean => value !== undefined && value !== false;
const hasOneSource = (body: Changing): boolean => SOURCES.filter((name) => isSet(body[name])).length <= 1;
const hasOneTiming = (body: Changing): boolean => TIMINGS.filter((name) => isSet(body[name])).length <= 1;
const ONE_SOURCE = 'expected at most one of data, draftId and text';
const ONE_TIMING = 'expected at most one of offsetMilliseconds, anchors, framerate and automaticSync';
export const Preview = z
  .strictObject({ ...change, fingerprint: SubtitleFingerprint.optional() })
  .refine(hasOneSource, ONE_SOURCE)
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ examples: [EXAMPLE_CHANGE] });
export const Apply = z
  .strictObject({ ...change, fingerprint: SubtitleFingerprint })
  .refine(hasOneSource, ONE_SOURCE)
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ examples: [EXAMPLE_CHANGE] });
export type SubtitleChange = Omit<z.output<typeof Preview>, 'fingerprint'>;
