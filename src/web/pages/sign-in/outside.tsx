/** Sign-in through identity providers: their buttons, why it came to nothing, and the code that is owed. */
import { useState } from 'preact/hooks';
import type { OutsideProtocolName } from '../../../contract/identity/outside.ts';
import { call, sentence } from '../../data/client.ts';
import { isOwnOrigin, leaveToSignIn, type OfferedProvider } from '../../data/outside.ts';
import type { OutsideResult } from '../../lib/outside-result.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { accountWords as m } from '../../messages/account.ts';
import { useCodeForm } from '../../parts/factor/code-form.ts';
import css from './sign-in.module.css';
import { leaveTo } from '../../lib/navigation/navigate.ts';

/** Returns the sentence for a sign-in that came to nothing. */
const outcomeWords = (reason: Extract<OutsideResult, { kind: 'failed' }>['reason']): string =>
  ({
    'outside-unknown': m.outsideUnknown,
    'outside-refused': m.outsideRefused,
    'outside-expired': m.outsideExpired,
  })[reason];

export const OutsideFailure = ({ reason }: { reason: Extract<OutsideResult, { kind: 'failed' }>['reason'] }) => (
  <div className={css.failure}>
    <Notice tone="danger">{outcomeWords(reason)}</Notice>
  </div>
);

/** Leads to the provider, by way of the address to which it returns if this page has another one. */
const OutsideButton = ({ provider, next }: { provider: OfferedProvider; next: string }) => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isHere = isOwnOrigin(provider);
  const leave = async () => {
    setBusy(true);
    setError(undefined);
    if (!isHere) return leaveTo(`${provider.origin}${hrefOf({ page: 'signIn', query: { next } })}`);
    try {
      await leaveToSignIn(provider.protocol, next);
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <>
      {error !== undefined && <Notice tone="danger">{error}</Notice>}
      <Button isLarge isBusy={isBusy} onClick={() => void leave()}>
        {m.signInWith({ provider: provider.name })}
      </Button>
      {!isHere && <p className="muted small">{m.continuesAt({ origin: provider.origin })}</p>}
    </>
  );
};

export const OutsideButtons = ({ providers, next }: { providers: readonly OfferedProvider[]; next: string }) =>
  providers.length === 0 ? null : (
    <div className={css.outside}>
      <p className={css.or} aria-hidden="true">
        {m.or}
      </p>
      {providers.map((provider) => (
        <OutsideButton key={provider.protocol} provider={provider} next={next} />
      ))}
    </div>
  );

interface OutsideCodeProps {
  protocol: OutsideProtocolName;
  onDone: () => Promise<void>;
}
/** Asks for the code that this server wants in addition to the identity. */
export const OutsideCode = ({ protocol, onDone }: OutsideCodeProps) => {
  const { code, setCode, error, isBusy, submit } = useCodeForm(async (given) => {
    await call[protocol].finish({ code: given });
    await onDone();
  });
  return (
    <form onSubmit={submit}>
      <p className="muted">{m.identityIsConfirmed}</p>
      <br />
      <Field
        label={m.code}
        hint={m.sixDigitsFromYourAuthenticatorOr}
        value={code}
        onValue={setCode}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellcheck={false}
        required
        autoFocus
        error={error}
      />
      <Button look="primary" isLarge type="submit" isBusy={isBusy}>
        {m.signIn}
      </Button>
    </form>
  );
};
