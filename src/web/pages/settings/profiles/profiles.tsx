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
import { runWithToast } from '../../../kit/layers/run.ts';
import { DirectoryBadge } from '../directory.tsx';
import { PasswordDialog, ProfileEditor } from './editor.tsx';
import { RatingCountry } from './country.tsx';
import { DecidedItems } from './items.tsx';
import { PinDialog } from './pin.tsx';
import { policyWords } from './policy.ts';
import css from '../settings.module.css';
import { directoryWords } from '../../../messages/directory.ts';
import { settingsWords as m } from '../../../messages/settings.ts';

async function remove({ id, name }: Profile): Promise<void> {
  const says = (
    <>
      <p>{m.thisIsDeletedAndCannot}</p>
      <ul className={css.list}>
        <li>{m.theHistoryProgressRatingsAnd({ name })}</li>
        <li>{m.thePasswordSecondFactorAnd({ name })}</li>
        <li>{m.theApiKeysThatCreated({ name })}</li>
      </ul>
      <p>{m.filmsAndSubtitlesStay}</p>
    </>
  );
  if (!(await confirm({ title: m.removeWithName({ name }), says, action: m.removeProfile, isDanger: true }))) return;
  await runWithToast(() => call.profiles.remove({ id }), m.removed({ name }));
  readAgain('profiles');
  readAgain('sessions');
}

export const ProfilesSection = () => {
  const { data, error, refetch } = useAsk('profiles', 'list', {});
  const { data: libraries } = useAsk('libraries', 'list', {});
  const me = useMe();
  const [editing, setEditing] = useState<Profile | 'new'>();
  const [locking, setLocking] = useState<Profile>();
  const [pinning, setPinning] = useState<Profile>();
  if (!data)
    return error ? (
      <ErrorState title={m.theProfilesCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const owners = data.items.filter(({ role }) => role === 'owner').length;
  const nameOf = (id: string) => libraries?.items.find((one) => one.id === id)?.name;
  return (
    <>
      <div className={css.bar}>
        <p className={css.lead}>{m.everyoneHasTheirOwnProfile}</p>
        <Button look="primary" icon={plus} onClick={() => setEditing('new')}>
          {m.newProfile}
        </Button>
      </div>
      <RatingCountry />
      {data.items.map((profile) => {
        const isMe = profile.id === me?.profile.id;
        const isLastOwner = profile.role === 'owner' && owners === 1;
        return (
          <section key={profile.id} className={css.card} aria-label={profile.name}>
            <div className={css.cardHead}>
              <h2>{profile.name}</h2>
              <Badge tone={profile.role === 'owner' ? 'accent' : 'plain'}>
                {profile.role === 'owner' ? m.owner : m.viewer}
              </Badge>
              {isMe && <Badge>{m.you}</Badge>}
              {profile.directory && <Badge>{directoryWords.fromDirectory}</Badge>}
              {profile.directory && profile.directory.state !== 'active' && (
                <DirectoryBadge state={profile.directory.state} />
              )}
              {(profile.mfa || profile.passkeys > 0) && <Badge tone="good">{m.secondFactor}</Badge>}
            </div>
            <p className={css.facts}>
              {profile.role === 'owner'
                ? m.seesEverythingAndCanChange
                : m.sees({ what: policyWords(profile.policy, nameOf).join('; ') })}
            </p>
            {profile.directory?.state === 'inactive' && <p className={css.facts}>{directoryWords.inactiveSays}</p>}
            {profile.directory?.deletedAt !== undefined && (
              <p className={css.facts}>{directoryWords.removedSays({ date: day(profile.directory.deletedAt) })}</p>
            )}
            {profile.role === 'viewer' && <DecidedItems profile={profile} />}
            <p className="muted small">{m.since({ date: day(profile.createdAt) })}</p>
            <div className={css.actions}>
              <Button onClick={() => setEditing(profile)} aria-label={m.edit({ name: profile.name })}>
                {m.editLabel}
              </Button>
              {!isMe && (
                <Button
                  look="quiet"
                  onClick={() => setLocking(profile)}
                  aria-label={m.setPasswordOf({ name: profile.name })}
                >
                  {m.setPassword}
                </Button>
              )}
              {profile.role === 'viewer' && (
                <Button
                  look="quiet"
                  onClick={() => setPinning(profile)}
                  aria-label={`${profile.pin ? m.changePin : m.setPin}: ${profile.name}`}
                >
                  {profile.pin ? m.changePin : m.setPin}
                </Button>
              )}
              {!isLastOwner && !isMe && (
                <Button
                  look="quiet"
                  onClick={() => void remove(profile)}
                  aria-label={m.remove2({ name: profile.name })}
                >
                  {m.remove}
                </Button>
              )}
            </div>
          </section>
        );
      })}
      {editing !== undefined && (
        <ProfileEditor profile={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {pinning && <PinDialog profile={pinning} onClose={() => setPinning(undefined)} />}
      {locking && <PasswordDialog profile={locking} onClose={() => setLocking(undefined)} />}
    </>
  );
};
