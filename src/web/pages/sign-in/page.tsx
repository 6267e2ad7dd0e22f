/**
 * Sign-in: with a passkey, where a Profile has one; name and password, then a code where a second factor is enrolled;
 * with another device; or through an identity provider, where one is set up.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { safeNext } from '../../lib/navigation/addresses.ts';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { useTitle } from '../../lib/title.ts';
import { call, CallFailed, sentence } from '../../data/client.ts';
import { offeredProviders } from '../../data/outside.ts';
import { type OutsideResult, outsideResultIn } from '../../lib/outside-result.ts';
import { isAway, useIsAway } from '../../data/place.ts';
import { useAsk } from '../../data/query.ts';
import { beginSession, useHasBegun } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field, Switch } from '../../kit/forms/field.tsx';
import { Notice, Pending } from '../../kit/states/states.tsx';
import { deviceName } from '../../lib/device.ts';
import { accountWords as m } from '../../messages/account.ts';
import { Picker } from './picker.tsx';
import { rich } from '../../messages/rich.ts';
import { SignInByCode } from './quick-connect.tsx';
import { SignInByPasskey } from './passkey.tsx';
import { OutsideButtons, OutsideCode, OutsideFailure } from './outside.tsx';
import css from './sign-in.module.css';
import { later } from '../../lib/pending-work.ts';

/** Seconds until the next try, counted down. */
function useWait(): [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    if (left === 0) return;
    return later(1000, () => setNow(Date.now()), { isBackground: true });
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

interface PasswordProps extends OtherWaysProps {
  onSignedIn: () => Promise<void>;
  next: string;
  outside: OutsideResult | undefined;
}
interface OtherWaysProps {
  /** Called to sign in with another device. */
  onOther: () => void;
  /** Called to return to the picker of a household device. */
  onPicker: (() => void) | undefined;
}
const OtherWays = ({ onOther, onPicker }: OtherWaysProps) => (
  <>
    <Button look="quiet" isLarge onClick={onOther}>
      {m.useAnotherDevice}
    </Button>
    {onPicker && (
      <Button look="quiet" isLarge onClick={onPicker}>
        {m.backToPicker}
      </Button>
    )}
  </>
);

const SignInByPassword = ({ onSignedIn, next, outside, ...others }: PasswordProps) => {
  const ways = useAsk('outside', 'ways', {}).data;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [remember, setRemember] = useState(false);
  const mayStay = useAsk('setup', 'state', {}).data?.staySignedIn === true;
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
        remember: mayStay && remember,
        device: deviceName(navigator.userAgent),
        ...(needsCode && code.trim() && { code: code.trim().toLowerCase() }),
      });
      await onSignedIn();
    } catch (failure) {
      failed(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <CardPage title={m.signIn}>
      {outside?.kind === 'failed' && <OutsideFailure reason={outside.reason} />}
      {ways?.passkey && !needsCode && <SignInByPasskey at={ways.passkey} {...{ next, remember, onSignedIn }} />}
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
          autoComplete="username webauthn"
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
        {mayStay && (
          <Switch label={m.staySignedIn} hint={m.staySignedInSays} checked={remember} onValue={setRemember} />
        )}
        <Button look="primary" isLarge type="submit" isBusy={isBusy} disabled={left > 0}>
          {m.signIn}
        </Button>
        <OtherWays {...others} />
      </form>
      {ways && !needsCode && <OutsideButtons providers={offeredProviders(ways)} next={next} />}
    </CardPage>
  );
};

interface AwayProps {
  next: string;
  onSignedIn: () => Promise<void>;
  /** Called to sign in with a code. */
  onCode: () => void;
}
/** Away from home: with a passkey, or with a code. A password is not accepted there, so none is asked for. */
const SignInAway = ({ next, onSignedIn, onCode }: AwayProps) => {
  const ways = useAsk('outside', 'ways', {}).data;
  return (
    <CardPage title={m.signIn}>
      <div className={css.away}>
        <p className="muted">{m.awayFromHome}</p>
        {ways?.passkey && <SignInByPasskey at={ways.passkey} remember={false} {...{ next, onSignedIn }} />}
        <Button look="primary" isLarge onClick={onCode}>
          {m.getACode}
        </Button>
      </div>
    </CardPage>
  );
};

const SignIn = ({ next, onPicker }: { next: string; onPicker: (() => void) | undefined }) => {
  useTitle(m.signIn);
  const outside = outsideResultIn(useQueryParams());
  const [isByCode, setByCode] = useState(false);
  const enter = async () => {
    const me = await beginSession();
    go(me.mfaEnrollmentRequired ? '/welcome' : next, { replace: true });
  };
  if (outside?.kind === 'owes-code')
    return (
      <CardPage title={m.signIn}>
        <OutsideCode protocol={outside.protocol} onDone={enter} />
      </CardPage>
    );
  if (!isByCode && isAway()) return <SignInAway next={next} onSignedIn={enter} onCode={() => setByCode(true)} />;
  if (!isByCode)
    return <SignInByPassword onSignedIn={enter} onOther={() => setByCode(true)} {...{ next, outside, onPicker }} />;
  return (
    <CardPage title={m.signInWithAnotherDevice} isWide>
      <SignInByCode onSignedIn={enter} onBack={() => setByCode(false)} />
    </CardPage>
  );
};

/** On a household device its picker comes first. */
export const Page = () => {
  const next = safeNext(useQueryParams().get('next'));
  const isHome = !useIsAway();
  const picker = useAsk('household', 'picker', {}, { enabled: isHome });
  const [isSigningIn, setSigningIn] = useState(false);
  // The form would read everything again and offer its passkeys, which can sign in a second time.
  if (useHasBegun() || (isHome && picker.isPending)) return <Pending />;
  if (picker.data?.device === undefined || isSigningIn)
    return <SignIn next={next} onPicker={isSigningIn ? () => setSigningIn(false) : undefined} />;
  return <Picker profiles={picker.data.profiles} next={next} onSignIn={() => setSigningIn(true)} />;
};
