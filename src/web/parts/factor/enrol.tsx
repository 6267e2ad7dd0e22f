/** Enrolment of a second factor: scan, keep the recovery codes, confirm with a first code. The secret is shown this once. */
import { useEffect, useState } from 'preact/hooks';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import printer from 'lucide/dist/esm/icons/printer.mjs';
import { call, sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import css from './factor.module.css';
import { Qr } from './qr.tsx';

type Enrolment = Reply<'me', 'beginMfa'>;

/** In groups of four, as it is easier to type. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ message: `Copied the ${what}` });
  } catch {
    toast({ message: `This browser does not allow copying here. Select the ${what} and copy by hand`, isError: true });
  }
}

const Codes = ({ codes }: { codes: readonly string[] }) => (
  <>
    <p className="muted">Each signs you in once when your authenticator is not at hand. They are shown only now.</p>
    <ul className={css.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <div className={css.buttons}>
      <Button icon={copy} onClick={() => void copyText(codes.join('\n'), 'recovery codes')}>
        Copy
      </Button>
      <Button icon={printer} onClick={() => print()}>
        Print
      </Button>
    </div>
  </>
);

const Confirm = ({ onDone }: { onDone: () => void }) => {
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
      setError(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className={css.confirm}>
      <Field
        label="Code"
        hint="The six digits that the authenticator shows now."
        value={code}
        onValue={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
        error={error}
      />
      <Button look="primary" isLarge type="submit" isBusy={isBusy}>
        Confirm
      </Button>
    </form>
  );
};

export const Enrol = ({ onDone }: { onDone: () => void }) => {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [error, setError] = useState<unknown>();
  const start = () => {
    setError(undefined);
    call.me.beginMfa({}).then(setEnrolment, setError);
  };
  useEffect(start, []);
  if (error !== undefined) return <ErrorState title="Enrolment could not begin" error={error} retry={start} />;
  if (!enrolment) return <Pending />;
  const { uri, secret, recoveryCodes } = enrolment;
  return (
    <ol className={css.steps}>
      <li>
        <h2>Scan with an authenticator app</h2>
        <div className={css.scan}>
          <div className={css.qr}>
            <Qr text={uri} label="QR code for your authenticator" />
          </div>
          <div className={css.by}>
            <p className="muted">Any app for one-time codes will do. Without a camera, type this key into it:</p>
            <p>
              <code className={css.secret}>{grouped(secret)}</code>
            </p>
            <Button icon={copy} onClick={() => void copyText(secret, 'key')}>
              Copy key
            </Button>
          </div>
        </div>
      </li>
      <li>
        <h2>Keep your recovery codes</h2>
        <Codes codes={recoveryCodes} />
      </li>
      <li>
        <h2>Enter a first code</h2>
        <Confirm onDone={onDone} />
      </li>
    </ol>
  );
};
