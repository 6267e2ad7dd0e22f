/** Sign-in: name and password, then a code where a second factor is enrolled. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { safeNext } from '../../lib/navigation/addresses.ts';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { useTitle } from '../../lib/title.ts';
import { call, CallFailed, sentence } from '../../data/client.ts';
import { beginSession } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { deviceName } from '../../lib/device.ts';
import { accountWords as m } from '../../messages/account.ts';
import { rich } from '../../messages/rich.ts';

/** Seconds until the next try, counted down. */
function useWait(): [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1000);
    return () => clearTimeout(timer);
  }, [left, now]);
  return [
    left,
    (seconds) => {
      setNow(Date.now());
      setUntil(Date.now() + seconds * 1000);
    },
  ];
}
const waiting = (seconds: number): string =>
  seconds >= 60 ? m.minutesCount({ count: Math.ceil(seconds / 60) }) : m.secondsCount({ count: seconds });

export const Page = () => {
  useTitle(m.signIn);
  const next = safeNext(useQueryParams().get('next'));
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [left, wait] = useWait();
  const codeField = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (needsCode) codeField.current?.querySelector('input')?.focus();
  }, [needsCode]);
  const failed = (failure: unknown) => {
    if (!(failure instanceof CallFailed)) return setError(sentence(failure));
    if (failure.status === 429) wait(failure.members.retryAfterSeconds ?? 30);
    else if (failure.members.mfaRequired && !needsCode) setNeedsCode(true);
    else setError(sentence(failure));
    return;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || left > 0) return;
    setBusy(true);
    setError(undefined);
    try {
      await call.session.create({
        name: name.trim(),
        password,
        transport: 'cookie',
        device: deviceName(navigator.userAgent),
        ...(needsCode && code.trim() && { code: code.trim().toLowerCase() }),
      });
      const me = await beginSession();
      go(me.mfaEnrollmentRequired ? '/welcome' : next, { replace: true });
    } catch (failure) {
      failed(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <CardPage title={m.signIn}>
      <form onSubmit={submit}>
        {left > 0 && (
          <Notice tone="warn">
            {rich(m.tooManyAttemptsTryAgain, { wait: <span aria-live="off">{waiting(left)}</span> })}
          </Notice>
        )}
        <Field
          label={m.name}
          value={name}
          onValue={setName}
          autoComplete="username"
          autoCapitalize="off"
          required
          autoFocus={name === ''}
        />
        <Field
          label={m.password}
          type="password"
          value={password}
          onValue={setPassword}
          autoComplete="current-password"
          required
          error={needsCode ? undefined : error}
        />
        {needsCode && (
          <div ref={codeField}>
            <Field
              label={m.code}
              hint={m.sixDigitsFromYourAuthenticatorOr}
              value={code}
              onValue={setCode}
              autoComplete="one-time-code"
              autoCapitalize="off"
              spellcheck={false}
              required
              error={error}
            />
          </div>
        )}
        <Button look="primary" isLarge type="submit" isBusy={isBusy} disabled={left > 0}>
          {m.signIn}
        </Button>
      </form>
    </CardPage>
  );
};
