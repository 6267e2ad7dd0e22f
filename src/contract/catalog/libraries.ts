/** Endpoints of the libraries themselves: list, add, change and remove them, and choose their folders. */
import { about, EXAMPLE_IDS, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { LIBRARY_READERS, OWNERS } from '../kernel/access.ts';
import { Language, lineOfText, list, paging, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { LIBRARY_KINDS, kindNames } from './kinds.ts';

/** Reasons of operations that change the list of libraries, which is a setting. */
const LIST_OF_LIBRARIES = [
  'libraries-changed',
  'default-library',
  'setting-managed',
  'setting-clash',
  'setting-invalid',
] as const;

const MAX_IGNORED = 50;
const OPTIONS = {
  language: Language.or(z.literal('')).meta({
    description:
      'Language of titles and descriptions from the internet. Empty or left out: the setting metadata.language.',
    examples: ['de'],
  }),
  country: z
    .string()
    .regex(/^([a-z]{2})?$/, 'expected two lower-case letters')
    .meta({
      description:
        'Country whose certifications the metadata provider is asked for. Empty or left out: the setting ' +
        'metadata.country.',
      examples: ['de'],
    }),
  nfo: z.boolean().meta(about('Whether NFO files next to the media are read.', true)),
  internet: z
    .boolean()
    .meta(
      about(
        'Whether its items are looked up at the metadata provider. An Owner can match single ones in any case.',
        true,
      ),
    ),
  ignored: z
    .array(z.string().min(1).max(128))
    .max(MAX_IGNORED)
    .meta(
      about('Names of folders and files that are not scanned, in any letter case; * matches any characters.', [
        'Samples',
        '*.proxy.mp4',
      ]),
    ),
};

const Library = z
  .strictObject({
    id: idOf('library', 'Id of the library.'),
    name: z.string().meta(about('Name.', 'Films')),
    kind: z.enum(kindNames(LIBRARY_KINDS)).meta(about('What it holds.', 'movies')),
    path: z
      .string()
      .optional()
      .meta({ description: 'For Owners only.', examples: ['/srv/media/films'] }),
    items: z.int().min(0).meta(about('Number of its items.', 318)),
    online: z.boolean().meta(about('Whether its folder can be reached.', true)),
    watching: z.boolean().meta({
      description: 'True if changes are noticed as they happen, in addition to the scheduled scans.',
      examples: [true],
    }),
    lastScanAt: Time.optional().meta(about('When its last scan ended. Left out: never.', '2026-11-21T18:30:12.000Z')),
    managed: z
      .boolean()
      .meta(about('Whether it comes from the environment or a YAML file, and cannot be changed here.', false)),
    options: z
      .strictObject(OPTIONS)
      .partial({ language: true, country: true })
      .optional()
      .meta({ description: 'How it is read and described. For Owners only.' }),
  })
  .meta({ id: 'Library', description: 'Library: a folder with items of one kind.' });
const LibraryBody = {
  name: lineOfText(64).meta({ description: 'Name, as people see it.', examples: ['Films'] }),
  path: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^\//, 'expected an absolute path')
    .meta({
      description: 'Absolute path of its folder. No library may be inside another.',
      examples: ['/srv/media/films'],
    }),
  kind: z.enum(kindNames(LIBRARY_KINDS)).meta(about('What it holds.', 'movies')),
};
const Options = z
  .strictObject(OPTIONS)
  .partial()
  .meta({ description: 'How it is read and described. Replaces all options; one that is left out has its default.' });

const byLibrary = z.strictObject({ id: idOf('library', 'Id of the library.') });

export const libraries = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/libraries',
    summary: 'List the libraries that this Profile may see',
    description: 'Returns the libraries with the number of their items and the state of their folder.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({ ...paging }),
    result: list(Library),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/libraries',
    summary: 'Add a library and start to scan it',
    description: 'Adds a folder of the server to the catalogue. No file is changed.',
    access: OWNERS,
    body: z.strictObject({ ...LibraryBody, options: Options.optional() }),
    result: Library.meta({
      examples: [
        {
          id: EXAMPLE_IDS.library,
          name: 'Films',
          kind: 'movies',
          path: '/srv/media/films',
          items: 0,
          online: true,
          watching: true,
          managed: false,
        },
      ],
    }),
    status: 201,
    fails: LIST_OF_LIBRARIES,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/libraries/{id}',
    summary: 'Change a library; its items keep their ids',
    description:
      'Changes what is sent and keeps the rest. A new folder or kind starts a scan, and so do other options of scans.',
    access: OWNERS,
    params: byLibrary,
    body: z.strictObject({ ...LibraryBody, options: Options }).partial(),
    result: Library,
    fails: ['no-such-library', ...LIST_OF_LIBRARIES],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/libraries/{id}',
    summary: 'Remove a library from the catalogue without deleting any file',
    description: 'Its items are no longer shown. What was watched is kept, should the library come back.',
    access: OWNERS,
    params: byLibrary,
    result: NOTHING,
    fails: ['no-such-library', ...LIST_OF_LIBRARIES],
  }),
  folders: endpoint({
    method: 'GET',
    path: '/api/v1/folders',
    summary: 'List folders of the server, to choose the folder of a library',
    description:
      'Returns the folders inside a folder, and how many media files lie in it, so that an Owner can choose ' +
      'without typing a path.',
    access: OWNERS,
    query: z.strictObject({
      path: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .meta({
          description: 'Absolute path of the folder to list. Default: the media folder.',
          examples: ['/srv/media'],
        }),
    }),
    result: z
      .strictObject({
        path: z.string().meta(about('The folder that was listed.', '/srv/media')),
        parent: z.string().optional().meta(about('The folder that it lies in. Left out at the top.', '/srv')),
        folders: z
          .array(
            z.strictObject({
              name: z.string().meta(about('Name.', 'films')),
              path: z.string().meta(about('Absolute path.', '/srv/media/films')),
            }),
          )
          .meta(about('Folders inside it, by name.')),
        videos: z.int().min(0).meta(about('Number of videos directly in it.', 0)),
        sounds: z.int().min(0).meta(about('Number of music files and audiobooks directly in it.', 0)),
        books: z.int().min(0).meta(about('Number of books and comics directly in it.', 0)),
        photos: z.int().min(0).meta(about('Number of pictures directly in it.', 0)),
      })
      .meta({ id: 'Folders', description: 'Folders inside a folder of the server.' }),
    fails: ['no-such-folder', 'path-not-absolute'],
  }),
};
