/** Works of a metadata provider that an item could be. */
import { z } from 'zod';
import { about, rarely } from '../kernel/describe.ts';

const SPEAKS_FOR = ['id', 'title', 'year', 'near-year', 'duration', 'counts', 'only-title'] as const;
const SPEAKS_AGAINST = ['far-duration', 'too-many-seasons', 'taken'] as const;
export const WorkId = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'expected a number')
  .meta(about('Id of the film or show at the provider.', '4808'));
export const MetadataProvider = z.literal('tmdb').meta(about('The metadata provider.', 'tmdb'));

export const MatchCandidate = z
  .strictObject({
    provider: MetadataProvider,
    id: WorkId,
    title: z.string().meta(about('Title in the language of descriptions.', 'Charade')),
    year: z.int().optional().meta(about('Year of the first release.', 1963)),
    poster: z
      .string()
      .optional()
      .meta(rarely('Id of its poster for `GET /items/{id}/images/poster/{candidate}`. Its picture never changes.')),
    plot: z.string().optional().meta(rarely('What it is about.')),
    confidence: z.int().min(0).max(100).meta(about('How well it fits the item.', 100)),
    evidence: z
      .array(z.enum([...SPEAKS_FOR, ...SPEAKS_AGAINST]))
      .meta(about('What speaks for it and against it.', ['title', 'year', 'duration', 'counts'])),
  })
  .meta({ id: 'MatchCandidate', description: 'Film or show that an item could be.' });
export type MatchCandidate = z.output<typeof MatchCandidate>;
