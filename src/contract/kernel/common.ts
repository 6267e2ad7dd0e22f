/** Shapes that many resource groups share: ids, times, languages, lists, and the values of a query. */
import { z } from 'zod';
import { parseLanguage } from './language-tags.ts';

export const Id = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'expected 16 lowercase hex characters')
  .meta({ description: '16 lowercase hex characters; never a path.', examples: ['4f1c0a9be27d6358'] });
export const Time = z.iso.datetime().meta({ description: 'RFC 3339, UTC.', examples: ['2026-11-21T08:00:00.000Z'] });
export const Seconds = z
  .number()
  .min(0)
  .meta({ description: 'Seconds.', examples: [5025.5] });

const LANGUAGE_MESSAGE = 'expected a language code';
/**
 * A BCP 47 tag whose primary subtag is an ISO 639 code, given in any case and folded to its normal form: `EN` and `eng`
 * are `en`.
 */
export const Language = z
  .string()
  .min(2)
  .max(64)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,8}$/, { error: LANGUAGE_MESSAGE, abort: true })
  .refine((tag) => parseLanguage(tag) !== undefined, LANGUAGE_MESSAGE)
  .overwrite((tag) => parseLanguage(tag) ?? tag)
  .meta({
    description:
      'A BCP 47 language tag whose primary subtag is an ISO 639-1 or ISO 639-2 code, in any case: en, eng and EN ' +
      'are the same, pt-br is a variant of pt.',
    examples: ['en'],
  });
/** A language as replies carry it. */
export const LanguageCode = z.string().meta({ description: 'A BCP 47 language tag in lowercase.', examples: ['en'] });

/** A whole number of a query, where everything is text. */
export const integer = (min: number, max: number) =>
  z.codec(z.string().regex(/^-?\d{1,16}$/, 'expected a whole number'), z.int().min(min).max(max), {
    decode: Number,
    encode: String,
  });
export const PAGE_LIMIT = { least: 1, most: 200, usual: 100 } as const;
/** The cursor and limit of every list. */
export const paging = {
  limit: integer(PAGE_LIMIT.least, PAGE_LIMIT.most)
    .default(PAGE_LIMIT.usual)
    .meta({ description: 'Maximum number of entries in the reply.', examples: [100] }),
  cursor: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({
      description:
        'nextCursor of the previous page, with the same query. Rows that come or go in between neither repeat nor ' +
        'hide others. Any other value is refused: 400 with the reason cursor.',
    }),
};

/** The reply of a list. */
export const list = <T extends z.ZodType>(of: T) =>
  z.strictObject({
    items: z.array(of).meta({ description: 'Entries of this page.' }),
    total: z
      .int()
      .min(0)
      .meta({ description: 'Number of entries on all pages.', examples: [1] }),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: 'Cursor of the next page. Left out on the last one.', examples: [] }),
  });

export const byId = z.strictObject({ id: Id });
/** One line of text that a person wrote: no control characters, not only spaces. */
export const lineOfText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    // eslint-disable-next-line no-control-regex -- control characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'control characters are not allowed')
    .refine((value) => value.trim() !== '', 'expected more than spaces');
