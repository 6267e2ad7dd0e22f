/** Facts that the page of an audiobook has in addition. */
import { z } from 'zod';
import { Seconds } from '../kernel/common.ts';
import { about, rarely } from '../kernel/describe.ts';

export const AudiobookFacts = z
  .strictObject({
    authors: z.array(z.string()).meta(about('Authors.', ['Arthur Conan Doyle'])),
    narrators: z.array(z.string()).meta(about('Narrators.', ['Ruth Golding'])),
    series: z
      .strictObject({
        name: z.string().meta(about('Name of the series.', 'Sherlock Holmes')),
        position: z.string().optional().meta(about('Number in the series, which may have decimals.', '1.5')),
      })
      .optional()
      .meta(rarely('Series that it belongs to.')),
    files: z
      .array(
        z.strictObject({
          index: z.int().min(0).meta(about('Number of the file, from 0.', 0)),
          start: Seconds.meta(about('Seconds of the book at which the file starts.', 0)),
          duration: Seconds.optional().meta(about('Length of the file in seconds.', 1803.4)),
        }),
      )
      .meta(about('Files in order. Positions are seconds of the whole book.')),
  })
  .meta({ id: 'AudiobookFacts', description: 'Authors, narrators, series and files of an audiobook.' });
export type AudiobookFacts = z.output<typeof AudiobookFacts>;
