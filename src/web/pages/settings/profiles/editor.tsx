/** Makes a Profile, or changes its name, role and what it may see and do. */
import { useState } from 'preact/hooks';
import type { Policy, Profile } from '../../../../contract/identity/profiles.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { Field, Segments, Switch } from '../../../kit/forms/field.tsx';
import { FormDialog } from '../../../kit/layers/form-dialog.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { RATING_WORDS, withAll, withLibrary, wrongWith } from './policy.ts';
import { Windows } from './windows.tsx';
import shared from '../settings.module.css';

const NEW: Policy = { libraries: [], rating: 'family', windows: [], remote: false, transcode: false, download: false };
type Role = Profile['role'];

const Libraries = ({ policy, onPolicy }: { policy: Policy; onPolicy: (policy: Policy) => void }) => {
  const { data } = useAsk('libraries', 'list', {});
  const all = data?.items ?? [];
  const ids = all.map(({ id }) => id);
  const isAll = policy.libraries === 'all';
  return (
    <fieldset className={shared.checks}>
      <legend>Libraries</legend>
      <label className={shared.check}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={(event) => onPolicy(withAll(policy, event.currentTarget.checked, ids))}
        />
        <span>All, and those that come later</span>
      </label>
      {all.map(({ id, name }) => (
        <label key={id} className={shared.check}>
          <input
            type="checkbox"
            checked={isAll || policy.libraries.includes(id)}
            onChange={(event) => onPolicy(withLibrary(policy, id, event.currentTarget.checked, ids))}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
};

const PolicyFields = ({ policy, onPolicy }: { policy: Policy; onPolicy: (policy: Policy) => void }) => (
  <>
    <Libraries policy={policy} onPolicy={onPolicy} />
    <Segments
      label="Up to which rating"
      value={policy.rating}
      choices={(['family', 'teen', 'all'] as const).map((value) => ({ value, label: RATING_WORDS[value].name }))}
      onValue={(rating) => onPolicy({ ...policy, rating })}
    />
    <p className={`${shared.lead} small`}>{RATING_WORDS[policy.rating].says}</p>
    <Windows policy={policy} onPolicy={onPolicy} />
    <Switch
      label="May watch away from home"
      checked={policy.remote}
      onValue={(remote) => onPolicy({ ...policy, remote })}
    />
    <Switch
      label="May have films converted"
      hint="For devices that cannot play a file as it is. It costs the server work."
      checked={policy.transcode}
      onValue={(transcode) => onPolicy({ ...policy, transcode })}
    />
    <Switch
      label="May download files"
      checked={policy.download}
      onValue={(download) => onPolicy({ ...policy, download })}
    />
  </>
);

export const ProfileEditor = ({ profile, onClose }: { profile: Profile | undefined; onClose: () => void }) => {
  const [name, setName] = useState(profile?.name ?? '');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>(profile?.role ?? 'viewer');
  const [policy, setPolicy] = useState<Policy>(profile?.role === 'viewer' ? profile.policy : NEW);
  const save = async () => {
    const rest = { name: name.trim(), role, ...(role === 'viewer' && { policy }) };
    if (profile) await call.profiles.update({ id: profile.id, ...rest });
    else await call.profiles.create({ ...rest, password });
    readAgain('profiles');
    readAgain('me');
    toast({ message: profile ? `Changed ${rest.name}` : `Made ${rest.name}` });
  };
  return (
    <FormDialog
      title={profile ? `Change ${profile.name}` : 'New Profile'}
      action={profile ? 'Save' : 'Make Profile'}
      onSave={save}
      onClose={onClose}
      isReady={role === 'owner' || !wrongWith(policy)}
      isWide
    >
      {(error) => (
        <>
          <Field label="Name" value={name} onValue={setName} maxLength={64} required error={error} autoComplete="off" />
          {!profile && (
            <Field
              label="Password"
              type="password"
              value={password}
              onValue={setPassword}
              hint="12 characters or more, and not a common one. Several words are easy to keep in mind."
              minLength={12}
              maxLength={1024}
              autoComplete="new-password"
              required
            />
          )}
          <Segments
            label="Role"
            value={role}
            choices={[
              { value: 'viewer', label: 'Viewer' },
              { value: 'owner', label: 'Owner' },
            ]}
            onValue={setRole}
          />
          {role === 'owner' ? (
            <p className={shared.lead}>
              An Owner sees everything, at any time and from anywhere, and may change every setting.
            </p>
          ) : (
            <PolicyFields policy={policy} onPolicy={setPolicy} />
          )}
        </>
      )}
    </FormDialog>
  );
};

/** Sets a new password for someone; their other sessions end. */
export const PasswordDialog = ({ profile, onClose }: { profile: Profile; onClose: () => void }) => {
  const [password, setPassword] = useState('');
  const save = async () => {
    await call.profiles.password({ id: profile.id, password });
    toast({ message: `${profile.name} has a new password` });
  };
  return (
    <FormDialog title={`New password for ${profile.name}`} action="Set password" onSave={save} onClose={onClose}>
      {(error) => (
        <>
          <p className={shared.lead}>Every session of {profile.name} ends at once, except your own.</p>
          <Field
            label="New password"
            type="password"
            value={password}
            onValue={setPassword}
            error={error}
            hint="12 characters or more, and not a common one."
            minLength={12}
            maxLength={1024}
            autoComplete="new-password"
            required
          />
        </>
      )}
    </FormDialog>
  );
};
