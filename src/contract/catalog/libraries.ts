/** Endpoints of the libraries themselves: list, add, change and remove them, and choose their folders. */
import { z } from 'zod';
import { LIBRARY_READERS, OWNERS } from '../kernel/access.ts';
import { byId, Id, lineOfText, Time } from '../kernel/common.ts';
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

const Library = z
  .strictObject({
    id: Id,
    name: z.string(),
    kind: z.enum(kindNames(LIBRARY_KINDS)),
    path: z.string().optional().meta({ description: 'For Owners only.' }),
    items: z.int().min(0),
    online: z.boolean(),
    watching: z
      .boolean()
      .meta({ description: 'True if changes are noticed as they happen, in addition to the scheduled scans.' }),
    lastScanAt: Time.optional(),
    managed: z.boolean(),
  })
  .meta({ id: 'Library' });
const LibraryBody = {
  name: lineOfText(64).meta({ examples: ['Films'] }),
  path: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^\//, 'expected an absolute path')
    .meta({
      description: 'Absolute path of its folder. No library may be inside another.',
      examples: ['/srv/media/films'],
    }),
  kind: z.enum(kindNames(LIBRARY_KINDS)),
};

export const libraries = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/libraries',
    summary: 'List the libraries that this Profile may see',
    access: LIBRARY_READERS,
    result: z.strictObject({ items: z.array(Library), total: z.int() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/libraries',
    summary: 'Add a library and start to scan it',
    access: OWNERS,
    body: z.strictObject(LibraryBody),
    result: Library,
    status: 201,
    fails: LIST_OF_LIBRARIES,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/libraries/{id}',
    summary: 'Change a library; its items keep their ids',
    access: OWNERS,
    params: byId,
    body: z.strictObject(LibraryBody).partial(),
    result: Library,
    fails: ['no-such-library', ...LIST_OF_LIBRARIES],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/libraries/{id}',
    summary: 'Remove a library from the catalogue without deleting any file',
    access: OWNERS,
    params: byId,
    result: NOTHING,
    fails: ['no-such-library', ...LIST_OF_LIBRARIES],
  }),
  folders: endpoint({
    method: 'GET',
    path: '/api/v1/folders',
    summary: 'List folders of the server, to choose the folder of a library',
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
        path: z.string(),
        parent: z.string().optional(),
        folders: z.array(z.strictObject({ name: z.string(), path: z.string() })),
        videos: z.int().min(0),
      })
      .meta({ id: 'Folders' }),
    fails: ['no-such-folder', 'path-not-absolute'],
  }),
};
