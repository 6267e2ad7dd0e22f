/** Sets the PIN that opens a Viewer on household devices, or removes it. */
import { useState } from 'preact/hooks';
import type { Profile } from '../../../../contract/identity/profiles.ts';
import { call } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Field } from '../../../kit/forms/field.tsx';
import { FormDialog } from '../../../kit/layers/form-dialog.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { settingsWords as m } from '../../../messages/settings.ts';
import shared from '../settings.module.css';

export const PinDialog = ({ profile, onClose }: { profile: Profile; onClose: () => void }) => {
  const [pin, setPin] = useState('');
  const save = async () => {
    await call.household.pin({ id: profile.id, pin: pin === '' ? null : pin });
    readAgain('profiles');
    toast({ message: pin === '' ? m.pinRemoved : m.pinSet });
  };
  return (
    <FormDialog
      title={m.pinOf({ name: profile.name })}
      action={pin === '' && profile.pin ? m.removePin : m.setPin}
      onSave={save}
      onClose={onClose}
      isReady={pin === '' ? profile.pin : /^\d{4,8}$/.test(pin)}
    >
      {(error) => (
        <>
          <p className={shared.lead}>{m.pinSays}</p>
          <Field
            label={m.pin}
            value={pin}
            onValue={(value) => setPin(value.replaceAll(/\D/g, '').slice(0, 8))}
            hint={profile.pin ? m.pinHintSet : m.pinHint}
            inputMode="numeric"
            pattern="[0-9]{4,8}"
            autoComplete="off"
            error={error}
          />
        </>
      )}
    </FormDialog>
  );
};
