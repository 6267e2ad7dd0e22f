/**
 * Enrolment of a second factor: scan, keep the recovery codes, confirm with a first code. Until it is confirmed or
 * expires, a reload shows the same secret; another one comes only with words about it.
 */
import { useEffect, useState } from 'preact/hooks';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import { call, CallFailed, sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { timeOfDay } from '../../lib/format.ts';
import css from './factor.module.css';
import { Qr } from './qr.tsx';
import { copyText, RecoveryCodes } from './recovery-codes.tsx';
import { accountWords as m } from '../../messages/account.ts';

type Enrolment = Reply<'me', 'beginMfa'>;

/** In groups of four, as it is easier to type. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

const Confirm = ({ onDone, onExpired }: { onDone: () => void; onExpired: () => void }) => {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await call.me.finishMfa({ code: code.replaceAll(' ', '') });
      onDone();
    } catch (failure) {
      if (failure instanceof CallFailed && failure.reason === 'mfa-not-begun') {
        setCode('');
        onExpired();
      } else setError(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className={css.confirm}>
      <Field
        label={m.code}
        hint={m.theSixDigitsThatThe}
        value={code}
        onValue={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
        error={error}
      />
      <Button look="primary" isLarge type="submit" isBusy={isBusy}>
        {m.confirm}
      </Button>
    </form>
  );
};

export const Enrol = ({ onDone }: { onDone: () => void }) => {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [error, setError] = useState<unknown>();
  const [isExpired, setExpired] = useState(false);
  const start = async (fresh = false) => {
    setError(undefined);
    try {
      setEnrolment(await call.me.beginMfa({ fresh }));
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => void start(), []);
  const replace = async () => {
    setExpired(false);
    await start(true);
    toast({ message: m.anotherKeyIsShown });
  };
  const expire = async () => {
    await start();
    setExpired(true);
  };
  if (error !== undefined)
    return <ErrorState title={m.theSecondFactorCouldNot} error={error} retry={() => void start()} />;
  if (!enrolment) return <Pending />;
  const { uri, secret, recoveryCodes, expiresAt } = enrolment;
  return (
    <>
      {isExpired && <Notice tone="danger">{m.theKeyHadExpired}</Notice>}
      <ol className={css.steps}>
        <li>
          <h2>{m.scanWithAnAuthenticatorApp}</h2>
          <div className={css.scan}>
            <div className={css.qr}>
              <Qr text={uri} label={m.qrCodeForYourAuthenticator} />
            </div>
            <div className={css.by}>
              <p className="muted">{m.anyAuthenticatorAppWorksWithout}</p>
              <p>
                <code className={css.secret}>{grouped(secret)}</code>
              </p>
              <div className={css.buttons}>
                <Button icon={copy} onClick={() => void copyText(secret, m.keyWord)}>
                  {m.copyKey}
                </Button>
                <Button look="quiet" onClick={() => void replace()}>
                  {m.useAnotherKey}
                </Button>
              </div>
              <p className="muted small">{m.sameKeyUntil({ time: timeOfDay(expiresAt) })}</p>
            </div>
          </div>
        </li>
        <li>
          <h2>{m.saveYourRecoveryCodes}</h2>
          <RecoveryCodes codes={recoveryCodes} says={m.eachCodeSignsYouIn} />
        </li>
        <li>
          <h2>{m.enterACode}</h2>
          <Confirm onDone={onDone} onExpired={() => void expire()} />
        </li>
      </ol>
    </>
  );
};
