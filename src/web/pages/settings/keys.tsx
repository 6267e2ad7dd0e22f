/** API keys: what other programs may do here. The secret of a new one is shown this once. */
import { useState } from 'preact/hooks';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import key from 'lucide/dist/esm/icons/key-round.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import { call } from '../../data/client.ts';
import { readAgain, useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, day, facts } from '../../lib/format.ts';
import { run } from '../../kit/layers/run.ts';
import css from './settings.module.css';

type ApiKey = Reply<'apiKeys', 'list'>['items'][number];
type Scope = ApiKey['scopes'][number];
const SCOPES: Readonly<Record<Scope, { name: string; says: string }>> = {
  library: { name: 'Read', says: 'List and search the libraries, items, history and artwork.' },
  write: { name: 'Write', says: 'Change progress, lists and preferences.' },
  stream: { name: 'Stream', says: 'Play films and read subtitles.' },
  download: { name: 'Download', says: 'Save whole files.' },
  admin: {
    name: 'Administer',
    says: 'Everything an Owner may do: settings, Profiles, libraries. Give it only to what you trust as yourself.',
  },
};

const Secret = ({ made, onClose }: { made: { name: string; secret: string }; onClose: () => void }) => {
  const [said, setSaid] = useState('');
  const put = async () => {
    try {
      await navigator.clipboard.writeText(made.secret);
      setSaid('Copied');
    } catch {
      setSaid('Your browser did not allow it. Select the key and copy it by hand.');
    }
  };
  const actions = (
    <>
      <Button icon={copy} onClick={() => void put()} data-first>
        Copy
      </Button>
      <Button look="primary" onClick={onClose}>
        I have kept it
      </Button>
    </>
  );
  return (
    <Dialog title={`The key for ${made.name}`} onClose={onClose} actions={actions} isFirm>
      <p>
        This is the only time it is shown. Keep it where the program reads it; the server keeps no copy that could be
        shown again.
      </p>
      <code className={css.secret}>{made.secret}</code>
      <p className="muted small" role="status">
        {said}
      </p>
    </Dialog>
  );
};

const Create = ({
  onMade,
  onClose,
}: {
  onMade: (made: { name: string; secret: string }) => void;
  onClose: () => void;
}) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['library']);
  const make = async () => {
    const made = await call.apiKeys.create({ name: name.trim(), scopes: [...scopes] });
    readAgain('apiKeys');
    onMade(made);
  };
  return (
    <FormDialog title="New API key" action="Make the key" onSave={make} onClose={onClose} isReady={scopes.length > 0}>
      {(error) => (
        <>
          <Field
            label="Name"
            hint="What it is for, so that you know it again."
            value={name}
            onValue={setName}
            error={error}
            maxLength={64}
            required
          />
          <fieldset className={css.checks}>
            <legend>It may</legend>
            {(Object.keys(SCOPES) as Scope[]).map((scope) => (
              <label key={scope} className={css.check}>
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={(event) =>
                    setScopes(event.currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                  }
                />
                <span>
                  <span>{SCOPES[scope].name}</span>
                  <span className="muted small">{SCOPES[scope].says}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <p className="muted small">
            {scopes.length === 0 ? 'Choose at least one thing that it may do.' : 'It ends by itself after 30 days.'}
          </p>
        </>
      )}
    </FormDialog>
  );
};

async function revoke({ id, name, lastUsedAt }: ApiKey): Promise<void> {
  const says = `The program that uses it is refused at once${lastUsedAt === undefined ? '; it was never used' : `; it was used ${ago(lastUsedAt)}`}. A revoked key cannot be brought back, only replaced by a new one.`;
  if (await confirm({ title: `Revoke ${name}?`, says, action: 'Revoke key', isDanger: true }))
    await run(() => call.apiKeys.remove({ id }), 'Key revoked').then(() => readAgain('apiKeys'));
}

export const Keys = () => {
  const { data, error, refetch } = useAsk('apiKeys', 'list', {});
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string }>();
  if (!data)
    return error ? (
      <ErrorState title="The keys could not be listed" error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const add = (
    <Button look="primary" icon={plus} onClick={() => setMaking(true)}>
      New key
    </Button>
  );
  return (
    <>
      {data.items.length === 0 ? (
        <EmptyState icon={key} title="No API keys" action={add}>
          A key lets another program, such as a home automation, use this server with exactly what you allow.
        </EmptyState>
      ) : (
        <>
          <div className={css.bar}>
            <p className={css.lead}>What other programs may do here.</p>
            {add}
          </div>
          <ul className={css.rows}>
            {data.items.map((one) => (
              <li key={one.id} className={css.row}>
                <div>
                  <p className={css.tags}>
                    <strong>{one.name}</strong>{' '}
                    {one.scopes.map((scope) => (
                      <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'plain'}>
                        {SCOPES[scope].name}
                      </Badge>
                    ))}
                  </p>
                  <p className="muted small">
                    {facts(
                      `made by ${one.profile} on ${day(one.createdAt)}`,
                      one.lastUsedAt === undefined ? 'never used' : `used ${ago(one.lastUsedAt)}`,
                      Date.parse(one.expiresAt) < Date.now()
                        ? `ended ${day(one.expiresAt)}`
                        : `until ${day(one.expiresAt)}`,
                    ).join(' · ')}
                  </p>
                </div>
                <Button look="quiet" onClick={() => void revoke(one)} aria-label={`Revoke ${one.name}`}>
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {isMaking && <Create onClose={() => setMaking(false)} onMade={(key_) => (setMaking(false), setMade(key_))} />}
      {made && <Secret made={made} onClose={() => setMade(undefined)} />}
    </>
  );
};
