/** Endpoints of metadata by hand: edits of one item and of many, and pictures that an Owner chose. */
import { z } from 'zod';
import { OWNER_READERS, OWNERS } from '../kernel/access.ts';
import { Id, lineOfText } from '../kernel/common.ts';
import { about, byItem, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from '../kernel/pictures.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { integer } from '../kernel/common.ts';
import { ART_KINDS } from './cards.ts';
import { EDITABLE_FACTS } from './editable-facts.ts';
import { ITEM_KINDS, kindNames } from './kinds.ts';
import { NamedPerson } from './people.ts';

/** The sources of facts, the highest first. */
export const FACT_SOURCES = ['edit', 'match', 'nfo', 'tags', 'tmdb', 'name'] as const;

const MAX_TITLE_LENGTH = 300;
const MAX_PLOT_LENGTH = 20_000;
const MAX_NAMES = 100;
const MAX_PEOPLE = 500;
const MAX_NUMBER = 9_999;
const MAX_NUMBER_LENGTH = 40;
const MAX_EDITED_ITEMS = 100;

const names = (example: string) =>
  z
    .array(lineOfText(MAX_TITLE_LENGTH))
    .max(MAX_NAMES)
    .meta(about('Names, each once whatever its case.', [example]));
const line = (description: string, example: string) => lineOfText(MAX_TITLE_LENGTH).meta(about(description, example));
const lineOrNone = (description: string, example: string) =>
  lineOfText(MAX_TITLE_LENGTH).nullable().meta(about(description, example));
const numberOrNone = (description: string, example: number) =>
  z.int().min(0).max(MAX_NUMBER).nullable().meta(about(description, example));
const numberingOrNone = (description: string, example: string) =>
  lineOfText(MAX_NUMBER_LENGTH).nullable().meta(about(description, example));
const EditedPerson = NamedPerson.extend({
  name: line('Name.', 'Audrey Hepburn'),
  role: line('Name of the part that an actor plays.', 'Regina Lampert').optional(),
});
/** Facts that suit many items at once. */
const common = {
  originalTitle: lineOrNone('Title in the original language.', 'Charade'),
  year: z.int().min(1800).max(2200).nullable().meta(about('Year of release.', 1963)),
  released: z.iso.date().nullable().meta(about('Day of release.', '1963-12-05')),
  tagline: lineOrNone('Advertising line.', 'You can expect the unexpected.'),
  plot: z
    .string()
    .min(1)
    .max(MAX_PLOT_LENGTH)
    // eslint-disable-next-line no-control-regex -- refuses control characters other than new lines
    .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f]*$/, 'control characters are not allowed')
    .nullable()
    .meta(about('Summary.', 'A widow in Paris is pursued by three men.')),
  genres: names('Comedy'),
  studios: names('Universal Pictures'),
  people: z.array(EditedPerson).max(MAX_PEOPLE).meta(about('People in front of and behind the camera.')),
  communityRating: z.number().min(0).max(10).nullable().meta(about('Mean rating by the public, from 0 to 10.', 7.8)),
};
/** Facts that only some kinds have, and that suit many of their items at once. */
const sharedByKind = {
  artists: names('Duke Ellington').describe(
    'Artists of a track, or those of an album. An album without any has those of its tracks.',
  ),
  disc: numberOrNone('Number of the disc that a track is on.', 1),
  series: lineOrNone('Series of a book or audiobook.', 'Discworld'),
};
/** Facts that only some kinds have. */
const ofKinds = {
  ...sharedByKind,
  track: numberOrNone('Number of a track on its disc.', 3),
  seriesNumber: numberingOrNone('Place of an audiobook in its series.', '2.5'),
  volume: numberingOrNone('Volume of a book in its series.', '2'),
  chapter: numberingOrNone('Chapter or issue of a book in its series.', '10'),
};
const facts = {
  title: line('Title.', 'Charade'),
  sortTitle: line('Title as lists are sorted by it.', 'charade'),
  ...ofKinds,
  ...common,
};
const EditedFacts = z.strictObject(facts).partial();
export type EditedFacts = z.output<typeof EditedFacts>;

const ShownFacts = z
  .strictObject({ ...facts, people: z.array(NamedPerson).meta(about('People in front of and behind the camera.')) })
  .extend({
    title: z.string().meta(about('Title.', 'Charade')),
    sortTitle: z.string().meta(about('Title as lists are sorted by it.', 'charade')),
    originalTitle: z.string().nullable().meta(about('Title in the original language; null without one.', 'Charade')),
    year: z.int().nullable().meta(about('Year of release; null without one.', 1963)),
    tagline: z.string().nullable().meta(about('Advertising line; null without one.', 'You can expect the unexpected.')),
    plot: z.string().nullable().meta(about('Summary; null without one.', 'A widow in Paris is pursued by three men.')),
    genres: z.array(z.string()).meta(about('Genres.', ['Comedy'])),
    studios: z.array(z.string()).meta(about('Studios.', ['Universal Pictures'])),
    artists: z
      .array(z.string())
      .optional()
      .meta(about('Artists of a track or album. Left out for other kinds.', ['Duke Ellington'])),
    disc: z.int().nullable().optional().meta(about('Number of the disc. Tracks only; null without one.', 1)),
    track: z.int().nullable().optional().meta(about('Number of the track. Tracks only; null without one.', 3)),
    series: z
      .string()
      .nullable()
      .optional()
      .meta(about('Series. Books and audiobooks only; null without one.', 'Discworld')),
    seriesNumber: z
      .string()
      .nullable()
      .optional()
      .meta(about('Place in the series. Audiobooks only; null without one.', '2.5')),
    volume: z.string().nullable().optional().meta(about('Volume. Books only; null without one.', '2')),
    chapter: z.string().nullable().optional().meta(about('Chapter or issue. Books only; null without one.', '10')),
  });

const Source = z.enum(FACT_SOURCES);
const factName = z.enum(EDITABLE_FACTS);
const change = idOf('watchChange', 'Id of the change, to undo it. Left out if nothing changed.').optional();

const Metadata = z
  .strictObject({
    id: idOf('item', 'Id of the item or show.'),
    kind: z.enum(kindNames(ITEM_KINDS)).meta(about('Kind of item.', 'movie')),
    values: ShownFacts.meta(about('The facts as they are shown.')),
    sources: z.partialRecord(factName, Source).meta(
      about('Where each fact is from: an edit, a manual match, an NFO, tags, TMDB, or the name of the file.', {
        title: 'edit',
        plot: 'tmdb',
      }),
    ),
    locked: z
      .array(factName)
      .meta(about('Facts that an Owner set. No scan, match or refresh changes them.', ['title'])),
    without: EditedFacts.meta(about('The values that locked facts would have without the edit.', { title: 'Charad' })),
    lockedByFile: z
      .boolean()
      .meta(about('Whether an NFO with `lockdata` keeps everything from the internet away.', false)),
    change,
  })
  .meta({ id: 'Metadata', description: 'Facts of an item with their sources and locks.' });
export type Metadata = z.output<typeof Metadata>;

const FactChange = z.strictObject({
  fact: factName.meta(about('Name of the fact.', 'genres')),
  before: z.unknown().meta(about('Its value before; null without one.', ['Comedy'])),
  after: z.unknown().meta(about('Its value after; null without one.', ['Comedy', 'Mystery'])),
  locked: z.boolean().meta(about('Whether it is locked afterwards.', true)),
});
const BulkResult = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          id: idOf('item', 'Id of the item or show.'),
          title: z.string().meta(about('Its title.', 'Charade')),
          changes: z.array(FactChange).meta(about('Facts that change, or that become locked or unlocked.')),
        }),
      )
      .meta(about('Items that change.')),
    kinds: z
      .array(z.enum(kindNames(ITEM_KINDS)))
      .meta(about('Kinds of all items of the request, each once.', ['movie'])),
    digest: z
      .string()
      .meta(
        about('Stands for exactly these changes. Send it to make them, or none if something changed.', '9b1c77d0a2'),
      ),
    change,
  })
  .meta({ id: 'BulkEdit', description: 'Changes of many items.' });
export type BulkResult = z.output<typeof BulkResult>;

const ItemImages = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          kind: z.enum(ART_KINDS).meta(about('Kind of picture.', 'poster')),
          version: z.string().optional().meta(about('Version of the picture that is shown. Left out: none.', '3f9a1c')),
          chosen: z.boolean().meta(about('Whether an Owner chose it.', false)),
          candidates: z
            .array(
              z.strictObject({
                id: z.string().meta(about('Id of the candidate, to choose it.', 'folder')),
                source: z
                  .enum(['upload', 'folder', 'tags', 'match', 'tmdb'])
                  .meta(about('Where it is from.', 'folder')),
                shown: z.boolean().meta(about('Whether this is the picture that is shown.', true)),
                language: z.string().optional().meta(rarely('Language of the words in it.')),
                width: z.int().optional().meta(rarely('Width in pixels.')),
                height: z.int().optional().meta(rarely('Height in pixels.')),
                url: z
                  .string()
                  .meta(
                    about('Address of a preview.', `/api/v1/items/${EXAMPLE_IDS.item}/images/poster/folder?v=3f9a1c`),
                  ),
              }),
            )
            .meta(about('Pictures to choose from.')),
        }),
      )
      .meta(about('The kinds of pictures that the item can have.')),
    change,
  })
  .meta({ id: 'ItemImages', description: 'Pictures of an item, and what can be chosen.' });
export type ItemImages = z.output<typeof ItemImages>;

const byImage = z.strictObject({
  ...byItem.shape,
  kind: z.enum(ART_KINDS).meta(about('Kind of picture.', 'poster')),
});
const candidate = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected the id of a candidate')
  .meta(about('Id of a candidate.', 'folder'));
/** Body of `setImage` if it is JSON. */
export const ChosenImage = z.strictObject({ candidate });

const LOCKS = 'What is set is locked: no scan, match or refresh changes it until it is unlocked.';

export const metadata = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/metadata',
    summary: 'The facts of an item, with the source and the lock of each',
    description: 'Returns what the metadata editor shows. Ratings by age have separate operations.',
    access: OWNER_READERS,
    params: byItem,
    result: Metadata,
    fails: ['no-such-item'],
  }),
  edit: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/metadata',
    summary: 'Set facts of an item and lock them, or unlock them again',
    description:
      `${LOCKS} Null and an empty list say that the item has none. Unlocked facts are those of the other ` +
      'sources again.',
    access: OWNERS,
    params: byItem,
    body: EditedFacts.extend({
      unlock: z
        .array(factName)
        .max(EDITABLE_FACTS.length)
        .optional()
        .meta(rarely('Facts that are no longer those of an edit.')),
    }),
    result: Metadata,
    fails: ['no-such-item', 'fact-set-and-unlocked', 'fact-not-of-kind', 'number-without-series'],
  }),
  bulk: endpoint({
    method: 'POST',
    path: '/api/v1/metadata/bulk',
    summary: 'Edit many items at once, or show what that would do',
    description:
      `All items change or none. ${LOCKS} With \`dryRun\` nothing changes, and the reply is what the same ` +
      'request without it does.',
    access: OWNERS,
    body: z.strictObject({
      ids: z
        .array(Id)
        .min(1)
        .max(MAX_EDITED_ITEMS)
        .meta(
          about('Ids of items and shows. One that is given twice counts once.', [EXAMPLE_IDS.item, EXAMPLE_IDS.show]),
        ),
      set: z
        .strictObject({ ...sharedByKind, ...common })
        .partial()
        .optional()
        .meta(about('Facts that all items get. All of them must be of a kind that has the fact.', { year: 1963 })),
      add: z
        .strictObject({
          genres: names('Mystery'),
          studios: names('Stanley Donen Films'),
          artists: names('Ella Fitzgerald'),
        })
        .partial()
        .optional()
        .meta(
          about('Names that are added to lists. For artists, all items must be tracks or albums.', {
            genres: ['Mystery'],
          }),
        ),
      remove: z
        .strictObject({ genres: names('Drama'), studios: names('Unknown'), artists: names('Unknown') })
        .partial()
        .optional()
        .meta(
          about('Names that are removed from lists. For artists, all items must be tracks or albums.', {
            genres: ['Drama'],
          }),
        ),
      unlock: z
        .array(factName)
        .max(EDITABLE_FACTS.length)
        .optional()
        .meta(about('Facts that are no longer those of an edit.', ['plot'])),
      dryRun: z.boolean().default(false).meta(about('Whether to show the changes without making them.', true)),
      digest: z
        .string()
        .max(64)
        .optional()
        .meta(about('The digest of a dry run: without exactly its changes nothing is changed.', '9b1c77d0a2')),
    }),
    result: BulkResult,
    fails: ['no-such-item', 'fact-set-and-unlocked', 'fact-not-of-kind', 'items-changed'],
  }),
  undo: endpoint({
    method: 'DELETE',
    path: '/api/v1/metadata/changes/{id}',
    summary: 'Undo an edit, a bulk edit or the choice of a picture',
    description:
      'Every item has the facts and locks of before. If one of these facts was edited again, nothing is undone. The ' +
      'last two hundred changes can be undone.',
    access: OWNERS,
    params: z.strictObject({ id: idOf('watchChange', 'Id of the change.') }),
    result: NOTHING,
    fails: ['no-such-edit', 'edited-again'],
  }),
  images: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/images',
    summary: 'The pictures of an item, and the pictures to choose from',
    description:
      'A picture that an Owner chose counts before one in the folder, and that before one from the internet.',
    access: OWNER_READERS,
    params: byItem,
    result: ItemImages,
    fails: ['no-such-item'],
  }),
  candidate: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/images/{kind}/{candidate}',
    summary: 'Preview of a picture to choose from',
    description: 'Returns the picture in one of the fixed widths of artwork.',
    access: OWNER_READERS,
    params: byImage.extend({ candidate }),
    query: z.strictObject({
      width: integer(1, 4000).default(320).meta({ description: 'Width in pixels.' }),
      v: z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'Changes with the picture.', examples: ['3f9a1c'] }),
    }),
    result: { bytes: ['image/webp'] },
    fails: ['no-such-item', 'no-such-picture', 'picture-unreadable', 'library-offline', 'file-unavailable', 'too-busy'],
  }),
  setImage: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/images/{kind}',
    summary: 'Choose a picture, or upload one',
    description:
      'The body is `{candidate}` as JSON, or a picture of at most 16 MiB and 50 megapixels, which is encoded again. ' +
      'No scan or refresh replaces it.',
    access: OWNERS,
    params: byImage,
    takes: { form: 'bytes', maxBytes: MAX_UPLOAD_BYTES, types: ['application/json', ...UPLOAD_TYPES] },
    result: ItemImages,
    fails: ['no-such-item', 'no-such-picture', 'picture-not-readable', 'picture-too-large', 'field-invalid'],
  }),
  restoreImage: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/images/{kind}',
    summary: 'Go back to the picture that is not chosen by hand',
    description: 'The picture in the folder is shown again, or else the one from the internet.',
    access: OWNERS,
    params: byImage,
    result: ItemImages,
    fails: ['no-such-item'],
  }),
};
