/** The name of remote access: entered and turned on, or shown with the switch that turns it off. */
import { useState } from 'preact/hooks';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { call, sentence } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { Field } from '../../../kit/forms/field.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Notice } from '../../../kit/states/states.tsx';
import { Link } from '../../../lib/navigation/link.tsx';
import { remoteWords as m } from '../../../messages/remote.ts';
import { rich } from '../../../messages/rich.ts';
import { restartNow } from '../../../parts/restart/restart.ts';
import { sourceWords } from '../configuration/values.ts';
import { addressOf, DNS_PAGE, labelIn, type SavedSetUp, type SetUpKey } from './steps.ts';
import css from '../settings.module.css';
import own from './remote.module.css';

type RowOf = (key: SetUpKey) => SettingRow | undefined;
interface Fault {
  key: SetUpKey;
  says: string;
}

/** A setting that the environment or a YAML file decides. */
const Fixed = ({ row }: { row: SettingRow }) => (
  <div className={own.fixed}>
    <p>
      <Icon of={lock} size={1} /> <strong>{row.title}</strong>
    </p>
    <p className={css.facts}>{row.secret ? m.isSet : row.value}</p>
    <p className="muted small">{sourceWords(row)}</p>
  </div>
);

/**
 * Saves what has changed, and last of all the mode: until then an unfinished set has no effect. Returns the setting
 * that was refused.
 */
async function saveAll(values: readonly (readonly [SetUpKey, string])[], rowOf: RowOf): Promise<Fault | undefined> {
  for (const [key, value] of values) {
    const row = rowOf(key);
    const isSame = row?.secret === true ? value === '' : row?.value === value;
    if (row === undefined || row.managed || isSame) continue;
    try {
      await call.configuration.save({ key, value });
    } catch (error) {
      // The server's message names the key; here it is next to the field.
      return { key, says: sentence(error).replace(new RegExp(`^${key.replace(/\./g, '\\.')} `, 'i'), '') };
    }
  }
  return undefined;
}

const NameForm = ({ rowOf }: { rowOf: RowOf }) => {
  const [domain, secret, publicUrl] = [rowOf('remote.dns_a_domain'), rowOf('remote.dns_a_token'), rowOf('auth.url')];
  const [text, setText] = useState(domain?.value ?? '');
  const [token, setToken] = useState('');
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const label = labelIn(text);
  const needed = addressOf(label);
  const old = publicUrl?.value;
  const isOther = label !== '' && old !== undefined && old !== needed;
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    setFault(
      await saveAll(
        [
          ['remote.dns_a_domain', label],
          ['remote.dns_a_token', token.trim()],
          ['auth.url', needed],
          ['remote.mode', 'https'],
        ],
        rowOf,
      ),
    );
    readAgain('configuration');
    setBusy(false);
  };
  const errorOf = (key: SetUpKey) => (fault?.key === key ? fault.says : undefined);
  return (
    <form onSubmit={(event) => void save(event)} className={own.form}>
      <p>
        {rich(m.getAName, {
          provider: (
            <a className="link" href={DNS_PAGE} target="_blank" rel="noreferrer">
              {m.dnsProvider}
            </a>
          ),
        })}
      </p>
      {domain?.managed === true ? (
        <Fixed row={domain} />
      ) : (
        <Field
          label={m.subdomain}
          value={text}
          onValue={setText}
          hint={m.subdomainHint({ address: addressOf(label || '…') })}
          autoCapitalize="off"
          autoComplete="off"
          spellcheck={false}
          required
          error={errorOf('remote.dns_a_domain')}
        />
      )}
      {secret?.managed === true ? (
        <Fixed row={secret} />
      ) : (
        <Field
          label={m.token}
          type="password"
          value={token}
          onValue={setToken}
          hint={secret?.configured === true ? m.tokenKept : m.tokenHint}
          autoComplete="new-password"
          required={secret?.configured !== true}
          error={errorOf('remote.dns_a_token')}
        />
      )}
      {isOther && publicUrl?.managed === true && (
        <Notice tone="warn">{m.addressIsFixed({ address: old, needed })}</Notice>
      )}
      {isOther && publicUrl?.managed === false && <Notice tone="warn">{m.addressChanges({ old })}</Notice>}
      {old !== needed && <p className="muted small">{m.passkeysChange}</p>}
      {(fault?.key === 'auth.url' || fault?.key === 'remote.mode') && <Notice tone="danger">{fault.says}</Notice>}
      <div className={css.actions}>
        <Button look="primary" type="submit" isBusy={isBusy}>
          {m.saveName}
        </Button>
      </div>
    </form>
  );
};

const NameShown = ({ saved, rowOf }: { saved: SavedSetUp; rowOf: RowOf }) => {
  const [isBusy, setBusy] = useState(false);
  const mode = rowOf('remote.mode');
  const fixed = (['remote.mode', 'remote.dns_a_domain', 'remote.dns_a_token'] as const).flatMap((key) => {
    const row = rowOf(key);
    return row?.managed === true ? [row] : [];
  });
  const turnOff = async () => {
    setBusy(true);
    await runWithToast(() => call.configuration.save({ key: 'remote.mode', value: 'off' }), m.turnedOff);
    readAgain('configuration');
    setBusy(false);
  };
  return (
    <>
      <p>{m.nameIs({ address: addressOf(rowOf('remote.dns_a_domain')?.value ?? '…') })}</p>
      {saved.isPending && <Notice tone="warn">{m.restartToUse}</Notice>}
      {fixed.map((row) => (
        <Fixed key={row.key} row={row} />
      ))}
      <div className={css.actions}>
        {saved.isPending && (
          <Button look="primary" onClick={() => void restartNow()}>
            {m.restartNow}
          </Button>
        )}
        {mode?.managed === false && (
          <Button look="quiet" isBusy={isBusy} onClick={() => void turnOff()}>
            {m.turnOff}
          </Button>
        )}
      </div>
      {mode?.managed === false && (
        <p className="muted small">
          {rich(m.otherName, {
            advanced: (
              <Link
                className="link"
                to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'remote' } }}
              >
                {m.advanced}
              </Link>
            ),
          })}
        </p>
      )}
    </>
  );
};

export const NameStep = ({ saved, rowOf }: { saved: SavedSetUp; rowOf: RowOf }) => {
  const mode = rowOf('remote.mode');
  if (saved.isOn) return <NameShown saved={saved} rowOf={rowOf} />;
  return mode?.managed === true ? <Fixed row={mode} /> : <NameForm rowOf={rowOf} />;
};
