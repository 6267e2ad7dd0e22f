/** The wanted subtitles: languages and kinds, in general and of single libraries. Owners only. */
import { z } from 'zod';
import { LIBRARY_OWNERS, OWNERS } from '../kernel/access.ts';
import { SUBTITLE_ROLES } from '../catalog/items.ts';
import { Id, Language, LanguageCode } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { WantedSubtitle } from './library.ts';

const MAX_PER_LIST = 40;

const WantedSubtitles = z
  .strictObject({
    language: LanguageCode.optional().meta({
      description: 'The default language, subtitles.language, which is always wanted first in the general list.',
    }),
    managed: z.boolean().meta({ description: 'True if the list is set in the configuration file or environment.' }),
    wants: z.array(WantedSubtitle).meta({ description: 'The general list, the default language first.' }),
    libraries: z.array(
      z.strictObject({
        library: Id,
        name: z.string(),
        own: z.boolean().meta({ description: 'Whether the library has a separate list.' }),
        wants: z.array(WantedSubtitle),
      }),
    ),
  })
  .meta({ id: 'WantedSubtitles' });
export type WantedSubtitles = z.output<typeof WantedSubtitles>;

export const wantedSubtitles = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/wanted-subtitles',
    summary: 'Return the wanted subtitles, in general and of each library with films or shows',
    access: LIBRARY_OWNERS,
    result: WantedSubtitles,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/v1/wanted-subtitles',
    summary: 'Change the general list of wanted subtitles, or that of one library',
    access: OWNERS,
    body: z
      .strictObject({
        library: Id.optional().meta({ description: 'Changes the list of this library. Default: the general list.' }),
        wants: z
          .array(z.strictObject({ language: Language, role: z.enum(SUBTITLE_ROLES) }))
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
