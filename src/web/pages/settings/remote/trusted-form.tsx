/** Form of trusted HTTPS at home: provider, name, token, private address, and the terms. It is saved as one. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import type { TrustedHttpsStatus } from '../../../../contract/remote/trusted-https.ts';
import { call, CallFailed, sentence } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { Field, Segments } from '../../../kit/forms/field.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { Notice } from '../../../kit/states/states.tsx';
import { cx } from '../../../lib/cx.ts';
import { remoteWords } from '../../../messages/remote.ts';
import { rich } from '../../../messages/rich.ts';
import { shellWords } from '../../../messages/shell.ts';
import { trustedHttpsWords as m } from '../../../messages/trusted-https.ts';
import { DNS_ZONE, homeAddressIn, homeUrl, labelIn, nameIn } from './steps.ts';
import { providerName, providerPage, type TrustedProvider } from './trusted-words.ts';
import css from '../settings.module.css';
import own from './remote.module.css';

type FieldName = 'domain' | 'token' | 'address';
interface Fault {
  /** Left out if it is not about one field. */
  field?: FieldName;
  says: string;
}

/** Returns what was refused, next to the field that it is about. */
function faultOf(error: unknown, provider: TrustedProvider): Fault {
  const reason = error instanceof CallFailed ? error.reason : undefined;
  const name = providerName(provider);
  switch (reason) {
    case 'name-not-allowed':
      return { field: 'domain', says: provider === 'dns_a' ? m.subdomainFault : m.fullNameFault };
    case 'token-not-allowed':
      return { field: 'token', says: m.tokenFault({ provider: name }) };
    case 'token-missing':
      return { field: 'token', says: m.tokenMissing({ provider: name }) };
    case 'address-not-private':
      return { field: 'address', says: m.addressFault };
    default:
      return { says: sentence(error) };
  }
}

interface TermsProps {
  url: string | undefined;
  /** Address of the authority's directory, whose host has its terms if they are not known. */
  directory: string | undefined;
  isAccepted: boolean;
  onAccept: (is: boolean) => void;
}
const Terms = ({ url, directory, isAccepted, onAccept }: TermsProps) => {
  const id = useId();
  return (
    <fieldset className={cx(css.checks, own.terms)} aria-describedby={id}>
      <legend>{m.terms}</legend>
      <p id={id} className="muted small">
        {m.termsSay}
      </p>
      {url !== undefined && (
        <p>
          <a className="link" href={url} target="_blank" rel="noreferrer">
            {remoteWords.readTheTerms({ host: new URL(url).host })}
          </a>
        </p>
      )}
      {url === undefined && directory !== undefined && <p>{m.termsOf({ host: new URL(directory).host })}</p>}
      <label className={css.check}>
        <input
          type="checkbox"
          required
          checked={isAccepted}
          onChange={(event) => onAccept(event.currentTarget.checked)}
        />
        <span>{remoteWords.iAccept}</span>
      </label>
    </fieldset>
  );
};

/** Returns what is typed as it is sent: people paste whole addresses. */
const domainIn = (provider: TrustedProvider, text: string): string =>
  provider === 'dns_a' ? labelIn(text) : nameIn(text);
/** Returns the full name, or a place for it. */
const fullName = (provider: TrustedProvider, domain: string): string =>
  provider === 'dns_a' ? `${domain || '…'}.${DNS_ZONE}` : domain || '…';

/** State of the fields, and saving them. */
function useTrustedForm(status: TrustedHttpsStatus, onSaved: () => void) {
  const saved = status.provider;
  const [provider, setProvider] = useState<TrustedProvider>(saved ?? 'dns_a');
  const [text, setText] = useState(domainIn(saved ?? 'dns_a', status.name ?? ''));
  const [token, setToken] = useState('');
  const [address, setAddress] = useState(status.address ?? homeAddressIn(location.hostname) ?? '');
  const [isAccepted, setAccepted] = useState(saved !== undefined);
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const domain = domainIn(provider, text);
  const isTokenKept = saved === provider;
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    try {
      const given = token.trim();
      await call.trustedHttps.save({
        ...{ provider, domain, address: address.trim(), termsAccepted: isAccepted },
        ...(given !== '' && { token: given }),
      });
      toast({ message: m.isSaved });
      readAgain('trustedHttps');
      readAgain('configuration');
      onSaved();
    } catch (error) {
      setFault(faultOf(error, provider));
    }
    setBusy(false);
  };
  const errorOf = (field: FieldName) => (fault?.field === field ? fault.says : undefined);
  return {
    ...{ provider, setProvider, text, setText, token, setToken, address, setAddress, isAccepted, setAccepted },
    ...{ domain, isTokenKept, isBusy, save, errorOf, fault: fault?.field === undefined ? fault?.says : undefined },
  };
}

interface TrustedFormProps {
  status: TrustedHttpsStatus;
  port: string | undefined;
  directory: SettingRow | undefined;
  /** Whether passkeys belong to the name once it is saved. */
  isPasskeyHost: boolean;
  onSaved: () => void;
  /** Given while it changes what is set up. The form takes the focus then. */
  onCancel?: () => void;
}
export const TrustedForm = ({ status, port, directory, isPasskeyHost, onSaved, onCancel }: TrustedFormProps) => {
  const form = useTrustedForm(status, onSaved);
  const { provider, domain, isTokenKept, errorOf } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (onCancel) element.current?.querySelector<HTMLElement>('input:checked')?.focus();
  }, []);
  const isFirst = provider === 'dns_a';
  const url = homeUrl(fullName(provider, domain), port);
  const link = (
    <a className="link" href={providerPage(provider)} target="_blank" rel="noreferrer">
      {providerName(provider)}
    </a>
  );
  return (
    <form ref={element} onSubmit={(event) => void form.save(event)} className={own.wholeForm}>
      <Segments
        label={m.provider}
        value={provider}
        choices={(['dns_a', 'dns_b'] as const).map((value) => ({ value, label: providerName(value) }))}
        onValue={form.setProvider}
      />
      <p>{rich(isFirst ? m.getASubdomain : m.getAFullName, { provider: link })}</p>
      <Field
        label={isFirst ? remoteWords.subdomain : m.fullName}
        value={form.text}
        onValue={form.setText}
        hint={m.nameHint({ address: url })}
        autoCapitalize="off"
        autoComplete="off"
        spellcheck={false}
        required
        error={errorOf('domain')}
      />
      <Field
        label={remoteWords.token}
        type="password"
        value={form.token}
        onValue={form.setToken}
        hint={isTokenKept ? remoteWords.tokenKept : remoteWords.tokenHint}
        autoComplete="new-password"
        required={!isTokenKept}
        error={errorOf('token')}
      />
      <Field
        label={m.address}
        value={form.address}
        onValue={form.setAddress}
        hint={m.addressHint}
        autoCapitalize="off"
        autoComplete="off"
        spellcheck={false}
        required
        error={errorOf('address')}
      />
      <Terms
        url={status.termsUrl}
        directory={directory?.value ?? directory?.default}
        isAccepted={form.isAccepted}
        onAccept={form.setAccepted}
      />
      <p className="muted small">{m.isPublic}</p>
      {isPasskeyHost && fullName(provider, domain) !== status.name && <p className="muted small">{m.passkeysMove}</p>}
      {form.fault !== undefined && <Notice tone="danger">{form.fault}</Notice>}
      <div className={css.actions}>
        <Button look="primary" type="submit" isBusy={form.isBusy}>
          {m.save}
        </Button>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            {shellWords.cancel}
          </Button>
        )}
      </div>
    </form>
  );
};
