/** The Profiles: who may see and do what. */
import { useState } from 'preact/hooks';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import type { Profile } from '../../../../contract/identity/profiles.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAll } from '../../../data/query.ts';
import { useMe } from '../../../data/session.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { ErrorState, Pending } from '../../../kit/states/states.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { PasswordDialog, ProfileEditor } from './editor.tsx';
import { RatingCountry } from './country.tsx';
import { ProfileCard } from './card.tsx';
import { FaceDialog } from './face.tsx';
import { PinDialog } from './pin.tsx';
import { WaysInDialog } from './sign-in-methods.tsx';
import css from '../settings.module.css';
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

/** The dialog that is open, for one of the Profiles. */
interface Open {
  what: 'edit' | 'face' | 'ways' | 'password' | 'pin';
  /** Undefined for a new Profile. */
  id: string | undefined;
}

const OpenDialog = ({
  open: { what, id },
  profiles,
  me,
  onOpen,
}: {
  open: Open;
  profiles: readonly Profile[];
  me: string | undefined;
  onOpen: (open: Open | undefined) => void;
}) => {
  // From the list, so that a dialog shows its own changes.
  const profile = profiles.find((one) => one.id === id);
  const close = () => onOpen(undefined);
  const back = () => onOpen({ what: 'ways', id });
  if (what === 'edit') return <ProfileEditor profile={profile} onClose={close} />;
  if (!profile) return null;
  if (what === 'face') return <FaceDialog profile={profile} onClose={close} />;
  if (what === 'pin') return <PinDialog profile={profile} onClose={back} />;
  if (what === 'password') return <PasswordDialog profile={profile} onClose={back} />;
  return (
    <WaysInDialog
      profile={profile}
      isMe={profile.id === me}
      onPassword={() => onOpen({ what: 'password', id })}
      onPin={() => onOpen({ what: 'pin', id })}
      onClose={close}
    />
  );
};

export const ProfilesSection = () => {
  const { data, error, refetch } = useAll('profiles', 'list', {});
  const { data: libraries } = useAll('libraries', 'list', {});
  const me = useMe()?.profile.id;
  const [open, setOpen] = useState<Open>();
  if (!data)
    return error ? (
      <ErrorState title={m.theProfilesCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const owners = data.items.filter(({ role }) => role === 'owner').length;
  return (
    <>
      <div className={css.bar}>
        <p className={css.lead}>{m.everyoneHasTheirOwnProfile}</p>
        <Button look="primary" icon={plus} onClick={() => setOpen({ what: 'edit', id: undefined })}>
          {m.newProfile}
        </Button>
      </div>
      <RatingCountry />
      {data.items.map((profile) => (
        <ProfileCard
          key={profile.id}
          profile={profile}
          isMe={profile.id === me}
          canRemove={profile.id !== me && (profile.role !== 'owner' || owners > 1)}
          nameOf={(id) => libraries?.items.find((one) => one.id === id)?.name}
          onEdit={() => setOpen({ what: 'edit', id: profile.id })}
          onFace={() => setOpen({ what: 'face', id: profile.id })}
          onWaysIn={() => setOpen({ what: 'ways', id: profile.id })}
          onRemove={() => void remove(profile)}
        />
      ))}
      {open && <OpenDialog open={open} profiles={data.items} me={me} onOpen={setOpen} />}
    </>
  );
};
