/** Makes a Profile, or changes its name, role and what it may see and do. */
import { useState } from 'preact/hooks';
import type { Policy, Profile } from '../../../../contract/identity/profiles.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAll } from '../../../data/query.ts';
import { Field, Segments, Select, Switch } from '../../../kit/forms/field.tsx';
import { FormDialog } from '../../../kit/layers/form-dialog.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { AgeLimit } from './ages.tsx';
import { Daily } from './daily.tsx';
import { withAll, withLibrary, wrongWith, wrongWithDaily } from './policy.ts';
import { Windows } from './windows.tsx';
import { chosenLanguage, interfaceLanguages, languageChoice } from '../../../parts/profiles/languages.ts';
import { householdWords } from '../../../messages/household.ts';
import shared from '../settings.module.css';
import { directoryWords } from '../../../messages/directory.ts';
import { settingsWords as m } from '../../../messages/settings.ts';

const NEW: Policy = {
  libraries: [],
  rating: 7,
  unrated: false,
  items: { allowed: [], hidden: [] },
  windows: [],
  remote: false,
  transcode: false,
  download: false,
};
type Role = Profile['role'];

const Libraries = ({ policy, onPolicy }: { policy: Policy; onPolicy: (policy: Policy) => void }) => {
  const { data } = useAll('libraries', 'list', {});
  const all = data?.items ?? [];
  const ids = all.map(({ id }) => id);
  const isAll = policy.libraries === 'all';
  return (
    <fieldset className={shared.checks}>
      <legend>{m.libraries}</legend>
      <label className={shared.check}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={(event) => onPolicy(withAll(policy, event.currentTarget.checked, ids))}
        />
        <span>{m.allIncludingNewOnes}</span>
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

const PolicyFields = ({
  policy,
  profile,
  onPolicy,
}: {
  policy: Policy;
  /** Id of the Profile; undefined for a new one. */
  profile: string | undefined;
  onPolicy: (policy: Policy) => void;
}) => (
  <>
    <Libraries policy={policy} onPolicy={onPolicy} />
    <AgeLimit policy={policy} profile={profile} onPolicy={onPolicy} />
    <Windows policy={policy} onPolicy={onPolicy} />
    <Daily policy={policy} onPolicy={onPolicy} />
    <Switch label={m.allowRemoteAccess} checked={policy.remote} onValue={(remote) => onPolicy({ ...policy, remote })} />
    <Switch
      label={m.allowTranscoding}
      hint={m.forDevicesThatCannotPlay}
      checked={policy.transcode}
      onValue={(transcode) => onPolicy({ ...policy, transcode })}
    />
    <Switch
      label={m.allowDownloads}
      checked={policy.download}
      onValue={(download) => onPolicy({ ...policy, download })}
    />
  </>
);

export const ProfileEditor = ({ profile, onClose }: { profile: Profile | undefined; onClose: () => void }) => {
  const [name, setName] = useState(profile?.name ?? '');
  const [password, setPassword] = useState('');
  const [isWithPassword, setWithPassword] = useState(true);
  const [language, setLanguage] = useState(languageChoice(profile?.language));
  const [role, setRole] = useState<Role>(profile?.role ?? 'viewer');
  const [policy, setPolicy] = useState<Policy>(profile?.role === 'viewer' ? profile.policy : NEW);
  const needsPassword = isWithPassword || role === 'owner';
  const save = async () => {
    // Items are allowed and hidden elsewhere, perhaps meanwhile.
    const { items: _, daily = null, ...limits } = policy;
    // The directory decides the name of its Profiles.
    const named = profile?.directory ? {} : { name: name.trim() };
    const rest = {
      role,
      language: chosenLanguage(language),
      ...(role === 'viewer' && { policy: { ...limits, daily } }),
    };
    if (profile) await call.profiles.update({ id: profile.id, ...named, ...rest });
    else await call.profiles.create({ name: name.trim(), ...rest, ...(needsPassword && { password }) });
    readAgain('profiles');
    readAgain('viewing');
    readAgain('me');
    toast({ message: profile ? m.savedWithName({ name: name.trim() }) : m.created({ name: name.trim() }) });
  };
  return (
    <FormDialog
      title={profile ? m.edit({ name: profile.name }) : m.newProfile}
      action={profile ? m.save : m.createProfile}
      onSave={save}
      onClose={onClose}
      isReady={role === 'owner' || (!wrongWith(policy) && !wrongWithDaily(policy.daily))}
      isWide
    >
      {(error) => (
        <>
          <Field
            label={m.name}
            value={name}
            onValue={setName}
            maxLength={64}
            required
            readOnly={profile?.directory !== undefined}
            hint={profile?.directory && directoryWords.nameIsTheirs}
            error={error}
            autoComplete="off"
          />
          {!profile && role === 'viewer' && (
            <Switch
              label={householdWords.withPassword}
              hint={householdWords.withoutPasswordSays}
              checked={isWithPassword}
              onValue={setWithPassword}
            />
          )}
          {!profile && needsPassword && (
            <Field
              label={m.password}
              type="password"
              value={password}
              onValue={setPassword}
              hint={m.n12CharactersOrMoreAnd}
              minLength={12}
              maxLength={1024}
              autoComplete="new-password"
              required
            />
          )}
          <Segments
            label={m.role}
            value={role}
            choices={[
              { value: 'viewer', label: m.viewer },
              { value: 'owner', label: m.owner },
            ]}
            onValue={setRole}
          />
          <Select
            label={householdWords.interfaceLanguage}
            value={language}
            choices={interfaceLanguages()}
            onValue={setLanguage}
          />
          {role === 'owner' ? (
            <p className={shared.lead}>{m.anOwnerSeesEverythingAt}</p>
          ) : (
            <PolicyFields policy={policy} profile={profile?.id} onPolicy={setPolicy} />
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
    readAgain('profiles');
    toast({ message: m.passwordOfChanged({ name: profile.name }) });
  };
  return (
    <FormDialog title={m.newPasswordFor({ name: profile.name })} action={m.setPassword} onSave={save} onClose={onClose}>
      {(error) => (
        <>
          <p className={shared.lead}>{m.thisSignsOutEverywhereExcept({ name: profile.name })}</p>
          <Field
            label={m.newPassword}
            type="password"
            value={password}
            onValue={setPassword}
            error={error}
            hint={m.n12CharactersOrMoreAndNot}
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
