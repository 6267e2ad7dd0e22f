/** How a Profile looks: its colour, and a picture that was uploaded or one that is drawn. */
import { z } from 'zod';
import { LIBRARY_READERS, OWN_DATA_WRITERS, OWNERS_IN_PERSON } from '../kernel/access.ts';
import { about, idOf } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from '../kernel/pictures.ts';
import { AVATARS, FACE_COLOURS } from './faces.ts';
import { Face, Profile } from './profiles.ts';

const byProfile = z.strictObject({ id: idOf('profile', 'Id of the Profile.') });
const versioned = z.strictObject({
  v: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Version of the picture. With it, the reply can be kept for good.', examples: ['3f9a1c0e'] }),
});
const upload = { form: 'bytes', maxBytes: MAX_UPLOAD_BYTES, types: UPLOAD_TYPES } as const;
const FaceInput = z.strictObject({
  colour: z
    .enum(FACE_COLOURS)
    .nullable()
    .optional()
    .meta(about('Colour; null for the one that the server derives. Left out: as it was.', 'teal')),
  avatar: z
    .enum(AVATARS)
    .nullable()
    .optional()
    .meta({
      description:
        'Drawn picture, which replaces an uploaded one; null for the letters of the name. Left out: as it was.',
      examples: ['fox'],
    }),
});
const ANY_PICTURE =
  'A picture of at most 16 MiB and 50 megapixels. Its middle is encoded again, without what a camera has noted.';

export const appearance = {
  setFace: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}/face',
    summary: 'Choose the colour or the drawn picture of a Profile',
    description: 'Changes what is sent and keeps the rest.',
    access: OWNERS_IN_PERSON,
    params: byProfile,
    body: FaceInput,
    result: Profile,
    fails: ['no-such-profile'],
  }),
  setPicture: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}/picture',
    summary: 'Upload a picture of a Profile',
    description: ANY_PICTURE,
    access: OWNERS_IN_PERSON,
    params: byProfile,
    takes: upload,
    result: Profile,
    fails: ['no-such-profile', 'picture-not-readable', 'picture-too-large', 'too-busy'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/v1/profiles/{id}/picture',
    summary: 'The uploaded picture of a Profile',
    description: 'A Profile reads its own picture, and an Owner that of everybody.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byProfile,
    query: versioned,
    result: { bytes: ['image/webp'] },
    fails: ['no-such-profile', 'no-such-picture'],
  }),
  setOwnFace: endpoint({
    method: 'PUT',
    path: '/api/v1/me/face',
    summary: 'Choose your own colour or drawn picture',
    description: 'Changes what is sent and keeps the rest.',
    access: OWN_DATA_WRITERS,
    body: FaceInput,
    result: Face,
    fails: ['household-watch-only'],
  }),
  setOwnPicture: endpoint({
    method: 'PUT',
    path: '/api/v1/me/picture',
    summary: 'Upload your own picture',
    description: ANY_PICTURE,
    access: OWN_DATA_WRITERS,
    takes: upload,
    result: Face,
    fails: ['household-watch-only', 'picture-not-readable', 'picture-too-large', 'too-busy'],
  }),
  pickerPicture: endpoint({
    method: 'GET',
    path: '/api/v1/household/pictures/{id}',
    summary: 'The uploaded picture of a Profile in the picker of this device',
    description: 'Only for the Viewers that the picker of this household device shows, at home.',
    access: 'public',
    params: byProfile,
    query: versioned,
    result: { bytes: ['image/webp'] },
    fails: ['no-such-profile', 'no-such-picture'],
  }),
};
