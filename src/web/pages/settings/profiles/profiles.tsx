/** The Profiles: who may see and do what. */
import { useState } from 'preact/hooks';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import type { Profile } from '../../../../contract/identity/profiles.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { useMe } from '../../../data/session.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { Badge, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { day } from '../../../lib/format.ts';
import { run } from '../../../kit/layers/run.ts';
import { PasswordDialog, ProfileEditor } from './editor.tsx';
import { policyWords } from './policy.ts';
import css from '../settings.module.css';

async function remove({ id, name }: Profile): Promise<void> {
  const says = (
    <>
      <p>This is lost and cannot be brought back:</p>
      <ul className={css.list}>
        <li>the history, progress, ratings and My List of {name}</li>
        <li>the password and second factor, and every session: what {name} plays now stops</li>
        <li>the API keys that {name} made</li>
      </ul>
      <p>Films and subtitles stay.</p>
    </>
  );
  if (!(await confirm({ title: `Remove ${name}?`, says, action: 'Remove Profile', isDanger: true }))) return;
  await run(() => call.profiles.remove({ id }), `Removed ${name}`);
  readAgain('profiles');
  readAgain('sessions');
}

export const Profiles = () => {
  const { data, error, refetch } = useAsk('profiles', 'list', {});
  const { data: libraries } = useAsk('libraries', 'list', {});
  const me = useMe();
  const [editing, setEditing] = useState<Profile | 'new'>();
  const [locking, setLocking] = useState<Profile>();
  if (!data)
    return error ? (
      <ErrorState title="The Profiles could not be listed" error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const owners = data.items.filter(({ role }) => role === 'owner').length;
  const nameOf = (id: string) => libraries?.items.find((one) => one.id === id)?.name;
  return (
    <>
      <div className={css.bar}>
        <p className={css.lead}>
          Everyone has a Profile of their own, with their own history. A new Viewer sees nothing until you allow it.
        </p>
        <Button look="primary" icon={plus} onClick={() => setEditing('new')}>
          New Profile
        </Button>
      </div>
      {data.items.map((profile) => {
        const isMe = profile.id === me?.profile.id;
        const isLastOwner = profile.role === 'owner' && owners === 1;
        return (
          <section key={profile.id} className={css.card} aria-label={profile.name}>
            <div className={css.cardHead}>
              <h2>{profile.name}</h2>
              <Badge tone={profile.role === 'owner' ? 'accent' : 'plain'}>
                {profile.role === 'owner' ? 'Owner' : 'Viewer'}
              </Badge>
              {isMe && <Badge>You</Badge>}
              {profile.mfa && <Badge tone="good">Second factor</Badge>}
            </div>
            <p className={css.facts}>
              {profile.role === 'owner'
                ? 'Sees everything and changes every setting'
                : `Sees ${policyWords(profile.policy, nameOf).join('; ')}`}
            </p>
            <p className="muted small">Since {day(profile.createdAt)}</p>
            <div className={css.actions}>
              <Button onClick={() => setEditing(profile)} aria-label={`Change ${profile.name}`}>
                Change
              </Button>
              {!isMe && (
                <Button look="quiet" onClick={() => setLocking(profile)} aria-label={`Set password of ${profile.name}`}>
                  Set password
                </Button>
              )}
              {!isLastOwner && !isMe && (
                <Button look="quiet" onClick={() => void remove(profile)} aria-label={`Remove ${profile.name}`}>
                  Remove
                </Button>
              )}
            </div>
          </section>
        );
      })}
      {editing !== undefined && (
        <ProfileEditor profile={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {locking && <PasswordDialog profile={locking} onClose={() => setLocking(undefined)} />}
    </>
  );
};
