/** Search in what is said in films and sung in songs. */
import { z } from 'zod';
import { Card } from '../catalog/cards.ts';
import { LIBRARY_READERS } from '../kernel/access.ts';
import { integer, Language, LanguageCode, paging, Seconds } from '../kernel/common.ts';
import { about, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';

const MAX_ITEMS = 50;
const MAX_LINES = 5;
const MAX_RANGES = 32;

const SpokenLine = z
  .strictObject({
    text: z.string().meta(about('The line, and the next ones if the words go on there.', 'Regrets, Mr. Lampert?')),
    ranges: z
      .array(
        z.strictObject({
          start: z.int().min(0).meta(about('Position of the first character, in UTF-16 code units.', 0)),
          length: z.int().min(1).meta(about('Number of UTF-16 code units.', 7)),
        }),
      )
      .max(MAX_RANGES)
      .meta(about('The words of the search in the text.', [{ start: 0, length: 7 }])),
    start: Seconds.optional().meta(
      about('When the line begins, in seconds. Left out for lyrics without times.', 1843.2),
    ),
    end: Seconds.optional().meta(rarely('When the line ends, in seconds. Left out for lyrics.')),
    language: LanguageCode.optional().meta(about('Language of the line, if it is known.', 'en')),
  })
  .meta({ id: 'SpokenLine', description: 'Line of a subtitle or of lyrics with the words of a search.' });
export type SpokenLine = z.output<typeof SpokenLine>;

const DialogueHit = z
  .strictObject({
    item: Card,
    lines: z.array(SpokenLine).min(1).max(MAX_LINES).meta(about('The first lines with these words, by time.')),
    more: z.boolean().meta(about('Whether the item has more lines with these words.', false)),
  })
  .meta({ id: 'DialogueHit', description: 'Item in which the words are said or sung.' });

export const dialogue = {
  search: endpoint({
    method: 'GET',
    path: '/api/v1/search/dialogue',
    summary: 'Find the films, episodes and songs in which words are said or sung, and when',
    description:
      'Searches the text subtitles and lyrics of the items that this Profile may see. Items with the words as a ' +
      'phrase come first, then those with all words close together; in quotation marks only the phrase counts. The ' +
      'last word may be incomplete. A page may have fewer items than asked for: nextCursor says whether there are ' +
      'more.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      q: z
        .string()
        .min(1)
        .max(128)
        .meta({ description: 'The words as remembered.', examples: ['any regrets'] }),
      source: z
        .enum(['subtitles', 'lyrics'])
        .default('subtitles')
        .meta({ description: 'Whether films and episodes are searched, or songs.' }),
      language: Language.optional().meta(about('Only lines in this language.', 'en')),
      limit: integer(1, MAX_ITEMS).default(20).meta({ description: 'Maximum number of items in the reply.' }),
      cursor: paging.cursor,
    }),
    result: z
      .strictObject({
        items: z.array(DialogueHit).meta(about('Items of this page.')),
        nextCursor: z.string().optional().meta(rarely('Cursor of the next page. Left out on the last one.')),
        index: z
          .strictObject({
            state: z
              .enum(['ready', 'building', 'off'])
              .meta(about('Whether everything was indexed, some is missing, or an Owner has turned it off.', 'ready')),
            progress: z
              .number()
              .min(0)
              .max(1)
              .meta(about('Part of the items that this Profile may see that was indexed.', 1)),
            itemsLeft: z.int().min(0).meta(about('Number of these items that wait to be indexed.', 0)),
          })
          .meta({ description: 'How much of the dialogue can be found.' }),
      })
      .meta({ id: 'DialoguePage', description: 'Page of items in which words are said or sung.' }),
  }),
};
