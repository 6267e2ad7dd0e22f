/** Changes the password of this Profile. */
import { useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../../data/client.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { many } from '../../lib/format.ts';
import css from './account.module.css';

const LEAST = 12;

export const PasswordForm = ({ name }: { name: string }) => {
  const [password, setPassword] = useState('');
  const [newPassword, setNew] = useState('');
  const [errors, setErrors] = useState<{ now?: string; next?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    if ([...newPassword].length < LEAST)
      return setErrors({ next: `Use at least ${LEAST} characters. A few words in a row are easy to remember.` });
    setBusy(true);
    setErrors({});
    try {
      await call.me.password({ password, newPassword });
      setPassword('');
      setNew('');
      toast({ message: 'Changed your password' });
    } catch (failure) {
      const wait = failure instanceof CallFailed ? failure.members.retryAfterSeconds : undefined;
      const isAboutOld = failure instanceof CallFailed && (failure.status === 401 || failure.status === 403);
      const text =
        wait === undefined ? sentence(failure) : `There were too many attempts. Try again in ${many(wait, 'second')}.`;
      setErrors(isAboutOld || wait !== undefined ? { now: text } : { next: text });
    } finally {
      setBusy(false);
    }
    return;
  };
  return (
    <form className={css.narrow} onSubmit={submit}>
      <input type="text" hidden autoComplete="username" value={name} readOnly />
      <Field
        label="Password now"
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={errors.now}
        required
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="12 characters or more, and not a common one."
        value={newPassword}
        onValue={setNew}
        error={errors.next}
        required
      />
      <Button type="submit" isBusy={isBusy}>
        Change password
      </Button>
    </form>
  );
};
