/** The wanted subtitles: languages and kinds, in general and of single libraries. Owners only. */
import { about, EXAMPLE_IDS, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { LIBRARY_OWNERS, OWNERS } from '../kernel/access.ts';
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { Id, Language, LanguageCode } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { WantedSubtitle } from './states.ts';

const MAX_PER_LIST = 40;

const WantedSubtitles = z
  .strictObject({
    language: LanguageCode.optional().meta({
      description: 'The default language, subtitles.language, which is always wanted first in the general list.',
      examples: ['en'],
    }),
    managed: z.boolean().meta({ description: 'True if the list is set in the configuration file or environment.' }),
    wants: z.array(WantedSubtitle).meta({ description: 'The general list, the default language first.' }),
    libraries: z
      .array(
        z.strictObject({
          library: idOf('library', 'Id of the library.'),
          name: z.string().meta(about('Name of the library.', 'Films')),
          own: z.boolean().meta({ description: 'Whether the library has a separate list.' }),
          wants: z.array(WantedSubtitle).meta(about('What the library wants.')),
        }),
      )
      .meta(about('Libraries with films or shows, each with what it wants.')),
  })
  .meta({ id: 'WantedSubtitles', description: 'Wanted subtitles, in general and of single libraries.' });
export type WantedSubtitles = z.output<typeof WantedSubtitles>;

export const wantedSubtitles = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/wanted-subtitles',
    summary: 'Return the wanted subtitles, in general and of each library with films or shows',
    description: 'The lists decide which subtitles count as missing, and what batches fetch.',
    access: LIBRARY_OWNERS,
    result: WantedSubtitles,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/v1/wanted-subtitles',
    summary: 'Change the general list of wanted subtitles, or that of one library',
    description: 'Replaces a whole list. Nothing is fetched by it; the next batch follows the new list.',
    access: OWNERS,
    body: z
      .strictObject({
        library: Id.optional().meta({
          description: 'Changes the list of this library. Default: the general list.',
          examples: [EXAMPLE_IDS.library],
        }),
        wants: z
          .array(
            z.strictObject({
              language: Language.meta(about('Language that is wanted.', 'en')),
              role: z.enum(SUBTITLE_ROLES).meta(about('Kind that is wanted: normal, forced or sdh.', 'normal')),
            }),
          )
          .max(MAX_PER_LIST)
          .optional()
          .meta({
            description:
              'The new list. An empty list of a library means that it wants none; a library without it follows the ' +
              'general list.',
          }),
      })
      .refine(({ library, wants }) => library !== undefined || wants !== undefined, 'wants: expected a list'),
    result: WantedSubtitles,
    fails: ['no-such-subtitle-library', 'setting-managed', 'setting-invalid', 'setting-clash'],
  }),
};
