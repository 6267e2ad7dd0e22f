/** API keys: what other programs may do here. The secret of a new one is shown this once. */
import { useState } from 'preact/hooks';
import key from 'lucide/dist/esm/icons/key-round.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import { DEFAULT_KEY_DAYS, KEY_DAYS } from '../../../contract/identity/key-days.ts';
import { call } from '../../data/client.ts';
import { readAgain, useAll, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field, Select } from '../../kit/forms/field.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, day, facts } from '../../lib/format.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { SecretDialog } from './secret.tsx';
import css from './settings.module.css';
import { settingsWords as m } from '../../messages/settings.ts';

type ApiKey = Reply<'apiKeys', 'list'>['items'][number];
type Scope = ApiKey['scopes'][number];
const scopeWords = (): Readonly<Record<Scope, { name: string; says: string }>> => ({
  library: { name: m.read, says: m.listAndSearchTheLibraries },
  write: { name: m.write, says: m.changeProgressListsAndPreferences },
  stream: { name: m.stream, says: m.playFilmsAndReadSubtitles },
  download: { name: m.download, says: m.saveWholeFiles },
  admin: {
    name: m.administer,
    says: m.everythingAnOwnerCanDo,
  },
});

const Create = ({
  onMade,
  onClose,
}: {
  onMade: (made: { name: string; secret: string }) => void;
  onClose: () => void;
}) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['library']);
  const [days, setDays] = useState<(typeof KEY_DAYS)[number]>(DEFAULT_KEY_DAYS);
  const make = async () => {
    const made = await call.apiKeys.create({ name: name.trim(), scopes: [...scopes], days });
    readAgain('apiKeys');
    onMade(made);
  };
  return (
    <FormDialog title={m.newApiKey} action={m.createKey} onSave={make} onClose={onClose} isReady={scopes.length > 0}>
      {(error) => (
        <>
          <Field
            label={m.name}
            hint={m.whatItIsFor}
            value={name}
            onValue={setName}
            error={error}
            maxLength={64}
            required
          />
          <fieldset className={css.checks}>
            <legend>{m.permissions}</legend>
            {(Object.keys(scopeWords()) as Scope[]).map((scope) => (
              <label key={scope} className={css.check}>
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={(event) =>
                    setScopes(event.currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                  }
                />
                <span>
                  <span>{scopeWords()[scope].name}</span>
                  <span className="muted small">{scopeWords()[scope].says}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {scopes.length === 0 && <p className="muted small">{m.chooseAtLeastOnePermission}</p>}
          <Select
            label={m.expiresAfter}
            value={String(days)}
            choices={KEY_DAYS.map((count) => ({ value: String(count), label: m.daysCount({ count }) }))}
            onValue={(chosen) => setDays(KEY_DAYS.find((count) => String(count) === chosen) ?? DEFAULT_KEY_DAYS)}
          />
        </>
      )}
    </FormDialog>
  );
};

async function revoke({ id, name, lastUsedAt }: ApiKey): Promise<void> {
  const says = lastUsedAt === undefined ? m.revokeUnused : m.revokeUsed({ when: ago(lastUsedAt) });
  if (await confirm({ title: m.revoke({ name }), says, action: m.revokeKey, isDanger: true }))
    await runWithToast(() => call.apiKeys.remove({ id }), m.keyRevoked).then(() => readAgain('apiKeys'));
}

export const KeysSection = () => {
  const { data, error, refetch } = useAll('apiKeys', 'list', {});
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string }>();
  if (!data)
    return error ? <ErrorState title={m.theKeysCouldNotBe} error={error} retry={() => void refetch()} /> : <Pending />;
  const add = (
    <Button look="primary" icon={plus} onClick={() => setMaking(true)}>
      {m.newKey}
    </Button>
  );
  return (
    <>
      {data.items.length === 0 ? (
        <EmptyState icon={key} title={m.noApiKeys} action={add}>
          {m.aKeyLetsAnotherProgram}
        </EmptyState>
      ) : (
        <>
          <div className={css.bar}>
            <p className={css.lead}>{m.accessForOtherPrograms}</p>
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
                        {scopeWords()[scope].name}
                      </Badge>
                    ))}
                  </p>
                  <p className="muted small">
                    {facts(
                      m.createdByOn({ profile: one.profile, date: day(one.createdAt) }),
                      one.lastUsedAt === undefined ? m.neverUsed : m.used({ when: ago(one.lastUsedAt) }),
                      Date.parse(one.expiresAt) < Date.now()
                        ? m.expired({ date: day(one.expiresAt) })
                        : m.expires({ date: day(one.expiresAt) }),
                    ).join(' · ')}
                  </p>
                </div>
                <Button look="quiet" onClick={() => void revoke(one)} aria-label={m.revokeWithName({ name: one.name })}>
                  {m.revokeLabel}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {isMaking && <Create onClose={() => setMaking(false)} onMade={(key_) => (setMaking(false), setMade(key_))} />}
      {made && (
        <SecretDialog
          title={m.theKeyFor({ name: made.name })}
          says={m.itIsShownOnlyThis}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
};
