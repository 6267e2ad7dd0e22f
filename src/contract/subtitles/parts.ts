/** Parts of films in several files, as requests and replies name them. Playback plans use the same numbers. */
import { z } from 'zod';
import { integer } from '../kernel/common.ts';
import { rarely } from '../kernel/describe.ts';

/** Number of a part in replies. Items with one file have none. */
export const RepliedPart = z.int().min(0).optional().meta(rarely('Number of the part, of a film in several files.'));
/** Number of a part in requests. */
export const AskedPart = integer(0, 99)
  .optional()
  .meta({ description: 'Part of a film in several files, from 1. Default: the first part.' });
/** The same in the body of a request. */
export const AskedPartInBody = z
  .int()
  .min(0)
  .max(99)
  .optional()
  .meta(rarely('Part of a film in several files, from 1. Default: the first part.'));
