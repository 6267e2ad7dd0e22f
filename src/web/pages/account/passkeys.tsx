/** The passkeys of this Profile: added, renamed and removed. */
import { useState } from 'preact/hooks';
import type { Passkey } from '../../../contract/identity/passkeys.ts';
import { call } from '../../data/client.ts';
import { arePasskeysHere } from '../../data/passkeys.ts';
import { useIsAway } from '../../data/place.ts';
import { readAgain, type Reply, useAsk } from '../../data/query.ts';
import { barrier } from '../../data/send.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Badge, ErrorState, Pending } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { ago, day, facts } from '../../lib/format.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { accountWords as m } from '../../messages/account.ts';
import { rich } from '../../messages/rich.ts';
import { AddPasskey } from '../../parts/factor/add-passkey.tsx';
import css from './account.module.css';

const again = () => {
  readAgain('passkeys');
  readAgain('me');
};

async function remove({ id, name }: Passkey, isLastFactor: boolean): Promise<void> {
  const asked = {
    title: m.removePasskey({ name }),
    says: isLastFactor ? m.removeLastPasskeySays : m.removePasskeySays,
    action: m.remove,
    isDanger: true,
  };
  if (!(await confirm(asked)) || !(await runWithToast(() => call.passkeys.remove({ id }), m.passkeyRemoved))) return;
  again();
  if (isLastFactor && (await call.me.read({})).mfaEnrollmentRequired) barrier.set('enrol');
}

const Rename = ({ passkey: { id, name: before }, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const [name, setName] = useState(before);
  const save = async () => {
    await call.passkeys.rename({ id, name: name.trim() });
    readAgain('passkeys');
  };
  return (
    <FormDialog title={m.renamePasskey} action={m.save} onSave={save} onClose={onClose} isReady={name.trim() !== ''}>
      {(error) => (
        <Field label={m.name} value={name} onValue={setName} error={error} maxLength={64} autoComplete="off" />
      )}
    </FormDialog>
  );
};

const Row = ({ passkey, isLastFactor }: { passkey: Passkey; isLastFactor: boolean }) => {
  const [isRenaming, setRenaming] = useState(false);
  const isAway = useIsAway();
  const { name, usable, suspect, synced, host, createdAt, lastUsedAt } = passkey;
  return (
    <li className={cx(css.device, css.passkey)}>
      <div>
        <p className={css.names}>
          <strong>{name}</strong> {!usable && <Badge>{m.forAnotherAddress}</Badge>}
          {suspect && <Badge tone="warn">{m.mayBeCopied}</Badge>}
        </p>
        <p className="muted small">
          {facts(
            m.addedOn({ date: day(createdAt) }),
            lastUsedAt === undefined ? m.notUsedYet : m.usedWhen({ when: ago(lastUsedAt) }),
            synced && m.syncedPasskey,
            !usable && m.madeFor({ host }),
          ).join(' · ')}
        </p>
        {suspect && <p className="small">{m.mayBeCopiedSays}</p>}
      </div>
      {!isAway && (
        <div className={css.deviceActions}>
          <Button look="quiet" aria-label={m.renameThis({ name })} onClick={() => setRenaming(true)}>
            {m.rename}
          </Button>
          <Button
            look="quiet"
            aria-label={m.removePasskey({ name })}
            onClick={() => void remove(passkey, isLastFactor)}
          >
            {m.remove}
          </Button>
        </div>
      )}
      {isRenaming && <Rename passkey={passkey} onClose={() => setRenaming(false)} />}
    </li>
  );
};

/** Says why none can be added here, and what to do about it. */
const Elsewhere = ({ at }: { at: Reply<'passkeys', 'list'>['at'] }) => {
  if (!at) return <p className="muted">{m.passkeysNeedAName}</p>;
  if (at.origin === location.origin) return <p className="muted">{m.noPasskeysInThisBrowser}</p>;
  const address = (
    <a className="link" href={`${at.origin}${hrefOf({ page: 'account' })}`}>
      {at.origin}
    </a>
  );
  return <p>{rich(m.toAddAPasskeyOpen, { address })}</p>;
};

export const Passkeys = ({ hasApp }: { hasApp: boolean }) => {
  const { data, error, refetch } = useAsk('passkeys', 'list', {});
  if (!data)
    return error ? (
      <ErrorState title={m.passkeysCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const isLastFactor = data.total === 1 && !hasApp;
  return (
    <>
      {data.items.length > 0 && (
        <ul className={css.devices}>
          {data.items.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} isLastFactor={isLastFactor} />
          ))}
        </ul>
      )}
      {arePasskeysHere(data.at) ? <AddPasskey /> : <Elsewhere at={data.at} />}
    </>
  );
};
