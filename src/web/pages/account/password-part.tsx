/** The password of this Profile: changed, removed while another sign-in method is left, or set where there is none. */
import { useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { accountWords } from '../../messages/account.ts';
import { householdWords as m } from '../../messages/household.ts';
import { AccountPart } from './part.tsx';
import { PasswordForm } from './password-form.tsx';

type OwnProfile = Reply<'me', 'read'>['profile'];

const SetDialog = ({ onClose }: { onClose: () => void }) => {
  const [newPassword, setNew] = useState('');
  const save = async () => {
    await call.waysIn.setOwnPassword({ newPassword });
    readAgain('me');
    toast({ message: m.passwordSet });
  };
  return (
    <FormDialog title={m.setPassword} action={m.setPassword} onSave={save} onClose={onClose}>
      {(error) => (
        <Field
          label={accountWords.newPassword}
          type="password"
          value={newPassword}
          onValue={setNew}
          hint={accountWords.n12CharactersOrMoreAnd}
          minLength={12}
          maxLength={1024}
          autoComplete="new-password"
          error={error}
          required
        />
      )}
    </FormDialog>
  );
};

async function removeOwn(): Promise<void> {
  const says = m.removeOwnPasswordSays;
  if (!(await confirm({ title: m.removeOwnPassword, says, action: m.removePassword, isDanger: true }))) return;
  await runWithToast(() => call.waysIn.removeOwnPassword({}), m.passwordRemoved);
  readAgain('me');
  readAgain('ownSessions');
}

export const PasswordPart = ({ profile }: { profile: OwnProfile }) => {
  const [isSetting, setSetting] = useState(false);
  const { name, passwordless, passkeys, linked } = profile;
  if (passwordless)
    return (
      <AccountPart title={m.password} says={m.noPasswordHere}>
        <Button onClick={() => setSetting(true)}>{m.setPassword}</Button>
        {isSetting && <SetDialog onClose={() => setSetting(false)} />}
      </AccountPart>
    );
  return (
    <AccountPart title={m.password} says={accountWords.changingItSignsYouOut}>
      <PasswordForm name={name} />
      {(passkeys > 0 || linked) && (
        <Button look="quiet" onClick={() => void removeOwn()}>
          {m.removeOwnPassword}
        </Button>
      )}
    </AccountPart>
  );
};
