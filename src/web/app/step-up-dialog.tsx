/**
 * Dialog that asks for a proof before a protected change: a passkey, or the password with a code where the Profile has
 * a second factor. A Profile with a link can prove itself at its identity provider instead.
 */
import { useState } from 'preact/hooks';
import key from 'lucide/dist/esm/icons/key-round.mjs';
import { Button } from '../kit/forms/button.tsx';
import { Field } from '../kit/forms/field.tsx';
import { Dialog } from '../kit/layers/dialog.tsx';
import { Notice } from '../kit/states/states.tsx';
import { shellWords } from '../messages/shell.ts';
import { call, CallFailed, sentence } from '../data/client.ts';
import { arePasskeysHere, isPasskeyCancelled, stepUpByPasskey } from '../data/passkeys.ts';
import { isOwnOrigin, offeredProviders, type OfferedProvider } from '../data/outside.ts';
import { confirmedHere } from '../lib/outside-result.ts';
import { useAsk } from '../data/query.ts';
import { useMe } from '../data/session.ts';
import type { Proof } from '../data/send.ts';
import { leaveTo } from '../lib/navigation/navigate.ts';

/** Shown to a Profile that has a passkey for this address. */
const ByPasskey = ({ isOnlyWay, onProved }: { isOnlyWay: boolean; onProved: () => void }) => {
  const { data } = useAsk('passkeys', 'list', {});
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (!arePasskeysHere(data?.at) || !data?.items.some(({ usable }) => usable)) return null;
  const prove = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await stepUpByPasskey();
      onProved();
    } catch (failure) {
      if (!isPasskeyCancelled(failure)) setError(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <div>
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      <Button look={isOnlyWay ? 'primary' : 'plain'} icon={key} isBusy={isBusy} onClick={() => void prove()}>
        {shellWords.confirmByPasskey}
      </Button>
    </div>
  );
};

const ByProvider = ({ provider: { protocol, name } }: { provider: OfferedProvider }) => {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { url } = await call[protocol].prove({ to: confirmedHere() });
      leaveTo(url);
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <>
      {error !== undefined && <Notice tone="danger">{error}</Notice>}
      <Button isBusy={isBusy} onClick={() => void leave()}>
        {shellWords.confirmWith({ provider: name })}
      </Button>
    </>
  );
};

/** Shown to a Profile with a link that can be used at this address. */
const ByProviders = () => {
  const links = { oidc: useAsk('oidc', 'linked', {}).data, saml: useAsk('saml', 'linked', {}).data };
  const linked = offeredProviders({ oidc: links.oidc?.provider, saml: links.saml?.provider }).filter(
    (provider) => links[provider.protocol]?.linked?.usable && isOwnOrigin(provider),
  );
  if (linked.length === 0) return null;
  return (
    <div>
      {linked.map((provider) => (
        <ByProvider key={provider.protocol} provider={provider} />
      ))}
      <p className="muted small">{shellWords.confirmWithHelp}</p>
    </div>
  );
};

export const StepUpDialog = ({ settle }: Proof) => {
  const me = useMe();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [owesCode, setOwesCode] = useState(false);
  const hasFactor = owesCode || (me?.profile.mfa ?? false);
  const isPasswordless = me?.profile.passwordless ?? false;
  const hasNothing = isPasswordless && me?.profile.passkeys === 0 && !me.profile.linked;
  const prove = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await call.session.stepUp({ ...(password && { password }), ...(code && { code: code.trim().toLowerCase() }) });
      settle(true);
    } catch (failure) {
      // A Profile whose second factor is a passkey needs a recovery code in addition to its password.
      if (failure instanceof CallFailed && failure.members.mfaRequired && !hasFactor) setOwesCode(true);
      else setError(sentence(failure));
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button look="quiet" onClick={() => settle(false)}>
        {shellWords.cancel}
      </Button>
      {!isPasswordless && (
        <Button look="primary" type="submit" form="step-up" isBusy={isBusy}>
          {shellWords.continue}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={shellWords.confirmIdentity} onClose={() => settle(false)} actions={actions}>
      <ByPasskey isOnlyWay={isPasswordless} onProved={() => settle(true)} />
      <form id="step-up" onSubmit={prove}>
        <p className="muted">{hasNothing ? shellWords.nothingToConfirmWith : shellWords.confirmIdentityHelp}</p>
        <br />
        <input type="text" hidden autoComplete="username" value={me?.profile.name ?? ''} readOnly />
        {!isPasswordless && (
          <Field
            label={shellWords.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            error={hasFactor ? undefined : error}
            required
          />
        )}
        {hasFactor && (
          <Field
            label={shellWords.code}
            hint={shellWords.codeHelp}
            inputMode="text"
            autoComplete="one-time-code"
            value={code}
            onValue={setCode}
            error={error}
            required
          />
        )}
      </form>
      <ByProviders />
    </Dialog>
  );
};
