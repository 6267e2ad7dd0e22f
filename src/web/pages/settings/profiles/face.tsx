/** The dialog with which an Owner chooses the face of a Profile. */
import type { Profile } from '../../../../contract/identity/profiles.ts';
import { call } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { Dialog } from '../../../kit/layers/dialog.tsx';
import { householdWords as m } from '../../../messages/household.ts';
import { FaceChooser } from '../../../parts/profiles/face-chooser.tsx';
import shared from '../settings.module.css';

const again = () => {
  readAgain('profiles');
  readAgain('me');
};

export const FaceDialog = ({ profile, onClose }: { profile: Profile; onClose: () => void }) => {
  const { id, name } = profile;
  return (
    <Dialog
      title={m.pictureOf({ name })}
      onClose={onClose}
      isWide
      actions={
        <Button look="primary" onClick={onClose}>
          {m.done}
        </Button>
      }
    >
      <p className={shared.lead}>{m.pictureSays}</p>
      <FaceChooser
        profile={profile}
        onFace={(choice) => call.appearance.setFace({ id, ...choice }).then(again)}
        onUpload={(picture) => call.appearance.setPicture({ id, ...picture }).then(again)}
      />
    </Dialog>
  );
};
