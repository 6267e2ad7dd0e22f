/** Texts and posters of sets of films at TMDB. */
import { z } from 'zod';
import type { SetFacts } from '../catalog/index.ts';
import { createKeptPages, type KeptPagesNeeds, type OpenPageSource, readTranslated } from './kept-pages.ts';

const MAX_OVERVIEW_LENGTH = 20_000;
/** A poster of 500 by 750 pixels. */
const PICTURE_SIZE = 'w500';

const SetReply = z.object({
  overview: z.string().max(MAX_OVERVIEW_LENGTH).nullish(),
  poster_path: z.string().max(200).nullish(),
});
const StoredFacts = z.strictObject({ overview: z.string().optional(), poster: z.string().optional() });

export const createSetSource = (needs: KeptPagesNeeds): OpenPageSource<SetFacts> =>
  createKeptPages<SetFacts>(
    {
      name: 'set',
      stored: StoredFacts as z.ZodType<SetFacts>,
      pictureSize: PICTURE_SIZE,
      read: async (client, { id, language }, signal) => {
        const read = (spoken: string) =>
          client.read({ path: `/collection/${id}`, query: { language: spoken }, shape: SetReply }, signal);
        const { page, text } = (await readTranslated(read, language, ({ overview }) => overview)) ?? {};
        return {
          ...(text !== undefined && { overview: text }),
          ...(page?.poster_path != null && { poster: page.poster_path }),
        };
      },
    },
    needs,
  );
