/**
 * The body of a change to a subtitle: what it starts from, the clean-up rules, the timing and the role. Preview and
 * apply take the same body.
 */
import { SUBTITLE_ENCODINGS } from './encodings.ts';
import { z } from 'zod';
import { SUBTITLE_ROLES } from '../catalog/items.ts';
import { Id, Language } from '../kernel/common.ts';

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
  .meta({ description: 'SHA-256 of the installed bytes in hex, or missing.', examples: ['missing'] });

const MAX_SHIFT_MS = 120_000;
const shift = z.int().min(-MAX_SHIFT_MS).max(MAX_SHIFT_MS);
const Anchor = z.strictObject({
  atMilliseconds: z
    .int()
    .min(0)
    .max(36 * 3_600_000),
  offsetMilliseconds: shift,
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

const change = {
  language: Language,
  currentRole: CurrentRole,
  data: z
    .base64()
    .max(1_000_000)
    .optional()
    .meta({ description: 'A subtitle file in any supported format, in base64.' }),
  draftId: Id.optional(),
  text: z.string().max(1_000_000).optional().meta({ description: 'The whole subtitle as SRT.' }),
  encoding: EncodingLabel.optional(),
  offsetMilliseconds: shift.optional(),
  anchors: z
    .array(Anchor)
    .min(1)
    .max(8)
    .refine(
      (anchors) => anchors.every((one, n) => n === 0 || one.atMilliseconds > (anchors[n - 1]?.atMilliseconds ?? -1)),
      'expected anchors in order of time',
    )
    .optional(),
  framerate: z.strictObject({ from: rate, to: rate }).optional(),
  automaticSync: z.boolean().optional(),
  removeCredits: z.boolean().optional(),
  mergeRepeated: z.boolean().optional(),
  removeHearingImpaired: z.boolean().optional(),
  fixCommonErrors: z.boolean().optional(),
  fixOverlaps: z.boolean().optional(),
  role: z.enum(SUBTITLE_ROLES).optional().meta({ description: 'New role of the subtitle. Default: its current role.' }),
};
type Changing = { [K in (typeof SOURCES)[number] | (typeof TIMINGS)[number]]?: unknown };
const isSet = (value: unknown): boolean => value !== undefined && value !== false;
const hasOneSource = (body: Changing): boolean => SOURCES.filter((name) => isSet(body[name])).length <= 1;
const hasOneTiming = (body: Changing): boolean => TIMINGS.filter((name) => isSet(body[name])).length <= 1;
const ONE_SOURCE = 'expected at most one of data, draftId and text';
const ONE_TIMING = 'expected at most one of offsetMilliseconds, anchors, framerate and automaticSync';
/** An example with one source and one change of timing, since a request may have only one of each. */
const EXAMPLE = {
  language: 'en',
  fingerprint: 'missing',
  text: '1\n00:00:01,000 --> 00:00:02,500\nGood evening.\n',
  offsetMilliseconds: 500,
  removeCredits: true,
};
export const Preview = z
  .strictObject({ ...change, fingerprint: SubtitleFingerprint.optional() })
  .refine(hasOneSource, ONE_SOURCE)
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ examples: [EXAMPLE] });
export const Apply = z
  .strictObject({ ...change, fingerprint: SubtitleFingerprint })
  .refine(hasOneSource, ONE_SOURCE)
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ examples: [EXAMPLE] });
export type SubtitleChange = Omit<z.output<typeof Preview>, 'fingerprint'>;
