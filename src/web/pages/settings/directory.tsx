/** The directory that manages Profiles over SCIM: its token, the address to paste there, and what it has made. */
import { useState } from 'preact/hooks';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import users from 'lucide/dist/esm/icons/users.mjs';
import type { Profile } from '../../../contract/identity/profiles.ts';
import { MAX_TOKEN_DAYS } from '../../../contract/scim/token-days.ts';
import { call } from '../../data/client.ts';
import { readAgain, useAll, useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Badge, EmptyState, ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { ago, day, facts } from '../../lib/format.ts';
import { directoryWords as m } from '../../messages/directory.ts';
import { putOnClipboard, SecretDialog } from './secret.tsx';
import css from './settings.module.css';

type Directory = Reply<'directory', 'read'>;
type DirectoryMark = NonNullable<Profile['directory']>;

const LIVES: readonly number[] = [30, 60, MAX_TOKEN_DAYS];

const BaseAddress = ({ path }: { path: string }) => {
  const [said, setSaid] = useState('');
  const address = `${location.origin}${path}`;
  return (
    <section className={css.card} aria-label={m.baseAddress}>
      <h2>{m.baseAddress}</h2>
      <code className={css.secret}>{address}</code>
      <p className="muted small">{m.baseAddressSays}</p>
      <div className={css.actions}>
        <Button icon={copy} onClick={() => void putOnClipboard(address).then(setSaid)}>
          {m.copyAddress}
        </Button>
        <span className="muted small" role="status">
          {said}
        </span>
      </div>
    </section>
  );
};

interface CreateTokenProps {
  isReplacing: boolean;
  onMade: (secret: string) => void;
  onClose: () => void;
}
const CreateToken = ({ isReplacing, onMade, onClose }: CreateTokenProps) => {
  const [days, setDays] = useState(String(MAX_TOKEN_DAYS));
  const make = async () => {
    const { secret } = await call.directory.createToken({ days: Number(days) });
    readAgain('directory');
    onMade(secret);
  };
  const title = isReplacing ? m.replaceToken : m.createToken;
  return (
    <FormDialog title={title} action={title} onSave={make} onClose={onClose}>
      {(error) => (
        <>
          {isReplacing && <p className={css.lead}>{m.replaceSays}</p>}
          <Select
            label={m.life}
            value={days}
            choices={LIVES.map((count) => ({ value: String(count), label: m.days({ count }) }))}
            onValue={setDays}
            error={error}
          />
        </>
      )}
    </FormDialog>
  );
};

async function endToken(): Promise<void> {
  const question = { title: m.endTokenQuestion, says: m.endTokenSays, action: m.endToken, isDanger: true };
  if (!(await confirm(question))) return;
  await runWithToast(() => call.directory.removeToken({}), m.tokenEnded);
  readAgain('directory');
}

const TokenPart = ({ token, managed, onCreate }: Pick<Directory, 'token' | 'managed'> & { onCreate: () => void }) => {
  if (!token)
    return (
      <EmptyState
        icon={users}
        title={m.noToken}
        action={
          !managed && (
            <Button look="primary" icon={plus} onClick={onCreate}>
              {m.createToken}
            </Button>
          )
        }
      >
        {managed ? m.managed : m.noTokenSays}
      </EmptyState>
    );
  const date = day(token.expiresAt);
  return (
    <section className={css.card} aria-label={m.token}>
      <h2>{m.token}</h2>
      {token.expired && <Notice tone="warn">{m.expiredSays}</Notice>}
      <p className={css.facts}>
        {facts(
          token.expired ? m.endedOn({ date }) : m.endsOn({ date }),
          token.lastUsedAt === undefined ? m.neverUsed : m.lastUsed({ when: ago(token.lastUsedAt) }),
        ).join(' · ')}
      </p>
      {managed ? (
        <p className="muted small">{m.managed}</p>
      ) : (
        <div className={css.actions}>
          <Button onClick={onCreate}>{m.replaceToken}</Button>
          <Button look="quiet" onClick={() => void endToken()}>
            {m.endToken}
          </Button>
        </div>
      )}
    </section>
  );
};

export const DirectoryBadge = ({ state }: Pick<DirectoryMark, 'state'>) => (
  <Badge tone={state === 'active' ? 'good' : 'warn'}>
    {state === 'active' ? m.active : state === 'inactive' ? m.inactive : m.removed}
  </Badge>
);

const DirectoryProfiles = () => {
  const { data } = useAll('profiles', 'list', {});
  const made = (data?.items ?? []).flatMap(({ id, name, directory }) =>
    directory ? [{ id, name, ...directory }] : [],
  );
  return (
    <>
      <div className={css.section}>
        <h2>{m.profiles}</h2>
      </div>
      {data && made.length === 0 && <EmptyState title={m.noProfiles}>{m.noProfilesSays}</EmptyState>}
      {made.length > 0 && (
        <ul className={css.rows}>
          {made.map(({ id, name, userName, state, deletedAt }) => (
            <li key={id} className={css.row}>
              <div>
                <p className={css.tags}>
                  <strong>{name}</strong> <DirectoryBadge state={state} />
                </p>
                <p className="muted small">
                  {facts(userName, deletedAt !== undefined && m.deletedOn({ date: day(deletedAt) })).join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

export const DirectorySection = () => {
  const { data, error, refetch } = useAsk('directory', 'read', {});
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  if (!data)
    return error ? <ErrorState title={m.couldNotBeRead} error={error} retry={() => void refetch()} /> : <Pending />;
  return (
    <>
      <p className={css.lead}>{m.lead}</p>
      <TokenPart token={data.token} managed={data.managed} onCreate={() => setMaking(true)} />
      <BaseAddress path={data.path} />
      <DirectoryProfiles />
      {isMaking && (
        <CreateToken
          isReplacing={data.token !== undefined}
          onClose={() => setMaking(false)}
          onMade={(made) => (setMaking(false), setSecret(made))}
        />
      )}
      {secret !== undefined && (
        <SecretDialog title={m.theToken} says={m.shownOnce} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
};
