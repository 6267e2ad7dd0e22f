/** Chooses the face of a Profile: colour, letters, a drawn picture, or an upload. Each choice has effect at once. */
import { useRef, useState } from 'preact/hooks';
import upload from 'lucide/dist/esm/icons/upload.mjs';
import { AVATARS, FACE_COLOURS } from '../../../contract/identity/faces.ts';
import type { Face } from '../../../contract/identity/profiles.ts';
import { UPLOAD_TYPES } from '../../../contract/kernel/pictures.ts';
import { faceColour, ProfileFace } from '../../kit/art/face.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { cx } from '../../lib/cx.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { householdWords as m } from '../../messages/household.ts';
import css from './face-chooser.module.css';

export interface FaceChoice {
  colour?: Face['colour'] | null;
  avatar?: NonNullable<Face['avatar']> | null;
}
export interface FaceChooserProps {
  profile: { id: string; name: string; face: Face };
  onFace: (choice: FaceChoice) => Promise<unknown>;
  onUpload: (picture: { bytes: Blob; contentType: (typeof UPLOAD_TYPES)[number] }) => Promise<unknown>;
}

export const FaceChooser = ({ profile, onFace, onUpload }: FaceChooserProps) => {
  const { id, name, face } = profile;
  const { colour, avatar, picture } = face;
  const file = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    await runWithToast(work);
    setBusy(false);
  };
  const send = (picked: File | undefined) => {
    const contentType = UPLOAD_TYPES.find((type) => type === picked?.type) ?? 'image/jpeg';
    if (picked) void run(() => onUpload({ bytes: picked, contentType }));
  };
  const pictures = [undefined, ...AVATARS].map((one) => ({
    one,
    label: one === undefined ? m.letters : m.avatars[one],
    isChosen: picture === undefined && avatar === one,
  }));
  return (
    <>
      <div className={css.now}>
        <ProfileFace id={id} name={name} face={face} size="large" />
        <div>
          <input
            ref={file}
            type="file"
            className="unseen"
            tabIndex={-1}
            accept={UPLOAD_TYPES.join(',')}
            aria-label={m.uploadPicture}
            onChange={(event) => {
              send(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
          <Button icon={upload} isBusy={isBusy} onClick={() => file.current?.click()}>
            {m.uploadPicture}
          </Button>
          <p className="muted small">{m.uploadHint}</p>
        </div>
      </div>
      <div role="group" aria-label={m.drawnPictures} className={css.pictures}>
        {pictures.map(({ one, label, isChosen }) => (
          <button
            key={label}
            type="button"
            className={css.choice}
            aria-label={label}
            title={label}
            aria-pressed={isChosen}
            onClick={() => void run(() => onFace({ avatar: one ?? null }))}
          >
            <ProfileFace id={id} name={name} face={{ colour, ...(one !== undefined && { avatar: one }) }} />
          </button>
        ))}
      </div>
      <div role="group" aria-label={m.colours} className={css.pictures}>
        {FACE_COLOURS.map((one) => (
          <button
            key={one}
            type="button"
            className={css.choice}
            aria-label={m.colourNames[one]}
            title={m.colourNames[one]}
            aria-pressed={colour === one}
            onClick={() => void run(() => onFace({ colour: one }))}
          >
            <span className={cx(css.colour, faceColour(one))} />
          </button>
        ))}
      </div>
    </>
  );
};
