/** Changes the password of this Profile. */
import { useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../../data/client.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import css from './account.module.css';
import { accountWords as m } from '../../messages/account.ts';

const LEAST = 12;

export const PasswordForm = ({ name }: { name: string }) => {
  const [password, setPassword] = useState('');
  const [newPassword, setNew] = useState('');
  const [errors, setErrors] = useState<{ now?: string; next?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    if ([...newPassword].length < LEAST) return setErrors({ next: m.useAtLeastCharactersA({ least: LEAST }) });
    setBusy(true);
    setErrors({});
    try {
      await call.me.password({ password, newPassword });
      setPassword('');
      setNew('');
      toast({ message: m.passwordChanged });
    } catch (failure) {
      const wait = failure instanceof CallFailed ? failure.members.retryAfterSeconds : undefined;
      const isAboutOld = failure instanceof CallFailed && (failure.status === 401 || failure.status === 403);
      const text =
        wait === undefined ? sentence(failure) : m.tooManyAttemptsTryAgain({ wait: m.secondsCount({ count: wait }) });
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
        label={m.currentPassword}
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={errors.now}
        required
      />
      <Field
        label={m.newPassword}
        type="password"
        autoComplete="new-password"
        hint={m.n12CharactersOrMoreAnd}
        value={newPassword}
        onValue={setNew}
        error={errors.next}
        required
      />
      <Button type="submit" isBusy={isBusy}>
        {m.changePassword}
      </Button>
    </form>
  );
};
