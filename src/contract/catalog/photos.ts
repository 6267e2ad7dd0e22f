/** Endpoints of photos: their days and folders. The photos themselves are pages of the library. */
import { z } from 'zod';
import { LIBRARY_READERS } from '../kernel/access.ts';
import { integer, list, paging } from '../kernel/common.ts';
import { about, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';

/** Filters that photos have in addition to those of all items. */
export const photoFilters = {
  camera: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'Only photos and clips of this camera.', examples: ['Canon EOS R5'] }),
  folder: idOf('folder', 'Only photos and clips of this folder.').optional(),
};

const among = z.strictObject({
  library: idOf('library', 'Only photos of this library.').optional(),
  year: integer(1800, 2200).optional().meta({ description: 'Only photos of this year.' }),
  ...photoFilters,
});

const PhotoFolder = z
  .strictObject({
    id: idOf('folder', 'Id of the folder. It stays the same while the folder is not renamed or moved.'),
    title: z.string().meta(about('Name of the folder.', 'Lisbon')),
    parents: z.array(z.string()).meta(about('Names of the folders above it in its library.', ['2024'])),
    library: idOf('library', 'Id of its library.'),
    count: z.int().min(1).meta(about('Number of photos and clips in it.', 48)),
    from: z.iso.date().optional().meta(about('Day of the earliest one.', '2024-05-02')),
    to: z.iso.date().optional().meta(about('Day of the latest one.', '2024-05-09')),
    cover: z
      .strictObject({
        id: idOf('item', 'Id of the photo or clip.'),
        version: z.string().optional().meta(rarely('Version of its picture. Left out: it has none.')),
      })
      .meta(about('The latest photo or clip, whose picture stands for the folder.', { id: EXAMPLE_IDS.item })),
  })
  .meta({ id: 'PhotoFolder', description: 'Folder with photos or clips.' });

export const photos = {
  days: endpoint({
    method: 'GET',
    path: '/api/v1/photos/days',
    summary: 'The days on which photos were taken, with their number',
    description:
      'Counts photos and clips by the local day on which they were taken, the latest day first. The pages of ' +
      '`/library` with the view `photos` are in the same order, so the number of entries before a day is the offset ' +
      'of its first photo.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: among,
    result: z
      .strictObject({
        items: z
          .array(
            z.strictObject({
              date: z.iso.date().meta(about('Day.', '2024-07-01')),
              count: z.int().min(1).meta(about('Number of photos and clips.', 12)),
            }),
          )
          .meta(about('Days, the latest first.')),
        total: z.int().min(0).meta(about('Number of photos and clips on all days.', 12)),
      })
      .meta({ id: 'PhotoDays', description: 'Days with photos.' }),
  }),
  folders: endpoint({
    method: 'GET',
    path: '/api/v1/photos/folders',
    summary: 'The folders that contain photos',
    description: 'Returns every folder with photos or clips that this Profile may see, by name.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({ library: idOf('library', 'Only folders of this library.').optional(), ...paging }),
    result: list(PhotoFolder),
  }),
};
