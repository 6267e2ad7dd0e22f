/**
 * The face of a Profile: its colour, and a picture that was drawn for everybody or uploaded for it.
 *
 * An uploaded picture is kept small and encoded again. Its bytes and the version in the Profile change in one
 * transaction, so that a version never names other bytes.
 */
import { createHash } from 'node:crypto';
import type { AVATARS, FACE_COLOURS } from '../../contract/identity/faces.ts';
import type { Face, Profile } from '../../contract/identity/profiles.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { Failure, found } from '../../lib/failure.ts';
import { createSlots } from '../../lib/limit.ts';
import { encodeUpload } from '../../lib/picture-upload.ts';
import type { Core } from '../core.ts';
import type { ChosenFace, ProfileRow, Step } from '../types.ts';
import { createProfileChecks } from './profile-checks.ts';
import { faceOf, showProfile } from './shown.ts';

/** Side of a kept picture: the largest face of a picker on a television. */
const SIDE = 352;
const QUALITY = 82;
/** Uploads that are read or wait to be read. Each holds its bytes. */
const MAX_UPLOADS = 4;

export interface FaceGiven {
  colour?: (typeof FACE_COLOURS)[number] | null | undefined;
  avatar?: (typeof AVATARS)[number] | null | undefined;
}

export interface Faces {
  /** Changes the face of any Profile. */
  setFace(given: FaceGiven & { id: string }, by: Principal): Promise<Profile>;
  setPicture(given: { id: string; bytes: Uint8Array }, by: Principal): Promise<Profile>;
  /** Changes that of the caller. Fails as `forbidden` for a Profile that a picker opened. */
  setOwnFace(given: FaceGiven, by: Principal): Promise<Face>;
  setOwnPicture(bytes: Uint8Array, by: Principal): Promise<Face>;
  /** Returns an uploaded picture. Fails as `missing` for that of another, unless an Owner asks. */
  picture(id: string, by: Principal): Promise<Uint8Array>;
  /** Returns an uploaded picture to whoever may see it. */
  pictureOf(profile: string): Promise<Uint8Array>;
}

export function createFaces(core: Core): Faces {
  const { identities, store } = core;
  const { requireOwner } = createProfileChecks(core);
  const uploads = createSlots();
  const get = (id: string): ProfileRow => found(identities.profiles.get(id), 'no such profile', 'no-such-profile');
  const refusePicker = (by: Principal): void => {
    if (by.household)
      throw new Failure('forbidden', 'a profile opened on a household device can only watch', {
        reason: 'household-watch-only',
      });
  };

  const changed = ({ look = {} }: ProfileRow, { colour, avatar }: FaceGiven): ChosenFace => {
    // An avatar, or the letters in its place, replace an uploaded picture.
    const picture = avatar === undefined ? look.picture : undefined;
    return {
      ...withValue('colour', colour === undefined ? look.colour : colour),
      ...withValue('avatar', avatar === undefined ? look.avatar : avatar),
      ...withValue('picture', picture),
    };
  };
  const put = (before: ProfileRow, look: ChosenFace): { steps: Step[]; row: ProfileRow } => {
    const { look: _, ...rest } = before;
    const row: ProfileRow = { ...rest, ...(Object.keys(look).length > 0 && { look }) };
    const dropped: Step[] =
      before.look?.picture !== undefined && look.picture === undefined ? [{ drop: 'picture', id: row.id }] : [];
    return { steps: [{ put: 'profile', row }, ...dropped], row };
  };
  const choose = (id: string, given: FaceGiven, check: () => void): Promise<ProfileRow> =>
    core.change(() => {
      check();
      const before = get(id);
      const { steps, row } = put(before, changed(before, given));
      return { steps, result: row };
    });
  const upload = async (id: string, bytes: Uint8Array, check: () => void): Promise<ProfileRow> => {
    const free = uploads.take('all', MAX_UPLOADS);
    if (!free) throw new Failure('unavailable', 'too many pictures are being read', { reason: 'too-busy' });
    try {
      const made = await encodeUpload(bytes, {
        quality: QUALITY,
        resize: (picture) => picture.resize({ width: SIDE, height: SIDE, fit: 'cover', position: 'attention' }),
      });
      return await core.change(() => {
        check();
        const before = get(id);
        const picture = createHash('sha256').update(made).digest('hex').slice(0, 16);
        const { steps, row } = put(before, { ...withValue('colour', before.look?.colour), picture });
        return { steps: [...steps, { put: 'picture', row: { profile: id, bytes: made } }], result: row };
      });
    } finally {
      free();
    }
  };
  const pictureOf = async (profile: string): Promise<Uint8Array> =>
    found(
      get(profile).look?.picture === undefined ? undefined : await store.pictureOf(profile),
      'no such picture',
      'no-such-picture',
    );

  return {
    setFace: async ({ id, ...given }, by) => showProfile(core, await choose(id, given, () => requireOwner(by))),
    setPicture: async ({ id, bytes }, by) => showProfile(core, await upload(id, bytes, () => requireOwner(by))),
    setOwnFace: async (given, by) => {
      refusePicker(by);
      return faceOf(await choose(by.profile, given, () => {}));
    },
    setOwnPicture: async (bytes, by) => {
      refusePicker(by);
      return faceOf(await upload(by.profile, bytes, () => {}));
    },
    picture: (id, by) => {
      if (by.role !== 'owner' && id !== by.profile)
        throw new Failure('missing', 'no such profile', { reason: 'no-such-profile' });
      return pictureOf(id);
    },
    pictureOf,
  };
}

/** Returns an object with a member, or an empty one if there is no value. */
const withValue = <K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
