/**
 * This Profile: how the dashboard looks, which languages it prefers, its password, its second factor, and the way out.
 */
import { useState } from 'preact/hooks';
import logOut from 'lucide/dist/esm/icons/log-out.mjs';
import type { Preferences } from '../../../contract/identity/accounts.ts';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { call, sentence } from '../../data/client.ts';
import { useIsAway } from '../../data/place.ts';
import { readAgain } from '../../data/query.ts';
import { savePreferences, signOut, useMe } from '../../data/session.ts';
import { ProfileFace } from '../../kit/art/face.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Segments, Select } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, Pending } from '../../kit/states/states.tsx';
import { Connect } from './connect.tsx';
import { Factor } from './factor.tsx';
import { OutsideParts } from './outside.tsx';
import { LanguageOrder } from './language-order.tsx';
import { SecurityEvents } from './notices.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordPart } from './password-part.tsx';
import { AccountPart } from './part.tsx';
import css from './account.module.css';
import { accountWords as m } from '../../messages/account.ts';
import { householdWords } from '../../messages/household.ts';
import { FaceChooser } from '../../parts/profiles/face-chooser.tsx';
import { chosenLanguage, interfaceLanguages, languageChoice } from '../../parts/profiles/languages.ts';
import { reload } from '../../lib/navigation/navigate.ts';

const save = (change: Partial<Preferences>) =>
  savePreferences(change).catch((error: unknown) => toast({ message: sentence(error), isError: true }));
const subtitleModes = () =>
  [
    { value: 'automatic', label: m.whenTheAudioIsIn },
    { value: 'always', label: m.always },
    { value: 'forced', label: m.foreignDialogueOnly },
    { value: 'off', label: m.never },
  ] as const;
const themes = () =>
  [
    { value: 'system', label: m.sameAsSystem },
    { value: 'dark', label: m.dark },
    { value: 'light', label: m.light },
  ] as const;

/** Everything on the page has been written in the language before, so it is loaded again. */
const saveLanguage = (language: string) =>
  call.me
    .preferences({ language: chosenLanguage(language) })
    .then(() => reload())
    .catch((error: unknown) => toast({ message: sentence(error), isError: true }));

const SignOut = ({ label = m.signOut }: { label?: string }) => {
  const [isBusy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    signOut().catch((error: unknown) => {
      setBusy(false);
      toast({ message: sentence(error), isError: true });
    });
  };
  return (
    <Button icon={logOut} isBusy={isBusy} onClick={leave}>
      {label}
    </Button>
  );
};

export const Page = () => {
  useTitle(DESTINATIONS.account.label());
  const me = useMe();
  const isAway = useIsAway();
  if (!me) return <Pending />;
  const { profile, preferences } = me;
  if (me.household)
    return (
      <div className={css.page}>
        <header className={css.head}>
          <ProfileFace {...profile} />
          <h1>{profile.name}</h1>
        </header>
        <AccountPart title={m.householdDevice} says={m.householdDeviceSays}>
          <SignOut label={m.switchProfile} />
        </AccountPart>
      </div>
    );
  return (
    <div className={css.page}>
      <header className={css.head}>
        <ProfileFace {...profile} />
        <h1>{profile.name}</h1>
        <Badge tone="accent">{profile.role === 'owner' ? m.owner : m.viewer}</Badge>
      </header>
      <AccountPart title={m.appearance}>
        <div className={css.narrow}>
          <Select
            label={m.interfaceLanguage}
            value={languageChoice(preferences.language)}
            choices={interfaceLanguages()}
            onValue={(language) => void saveLanguage(language)}
          />
        </div>
        <Segments
          label={m.theme}
          value={preferences.theme}
          choices={themes()}
          onValue={(theme) => void save({ theme })}
        />
      </AccountPart>
      {!isAway && (
        <AccountPart title={householdWords.picture} says={householdWords.pictureSays}>
          <FaceChooser
            profile={profile}
            onFace={(choice) => call.appearance.setOwnFace(choice).then(() => readAgain('me'))}
            onUpload={(picture) => call.appearance.setOwnPicture(picture).then(() => readAgain('me'))}
          />
        </AccountPart>
      )}
      <AccountPart title={m.playbackLanguages} says={m.whatThePlayerSelectsFirst}>
        <LanguageOrder
          label={m.audio}
          none={m.theDefaultAudioTrackOf}
          value={preferences.audio}
          onValue={(audio) => void save({ audio })}
        />
        <LanguageOrder
          label={m.subtitles}
          none={m.noPreferredLanguage}
          value={preferences.subtitles}
          onValue={(subtitles) => void save({ subtitles })}
        />
        <div className={css.narrow}>
          <Select
            label={m.showSubtitles}
            value={preferences.subtitleMode}
            choices={subtitleModes()}
            onValue={(subtitleMode) => void save({ subtitleMode })}
          />
        </div>
      </AccountPart>
      {!isAway && <PasswordPart profile={profile} />}
      <AccountPart title={m.passkeys} says={m.passkeysSay}>
        <Passkeys hasApp={profile.mfa} />
      </AccountPart>
      {!isAway && (
        <>
          <AccountPart title={m.secondFactor} says={m.aCodeFromYourPhone}>
            <Factor hasApp={profile.mfa} passkeys={profile.passkeys} left={me.recoveryCodesLeft} />
          </AccountPart>
          <AccountPart title={m.connectADevice} says={m.signInATvWithoutTyping}>
            <Connect />
          </AccountPart>
          <OutsideParts profile={profile.name} />
        </>
      )}
      <SecurityEvents />
      <AccountPart title={m.devices} says={isAway ? m.managedAtHome : m.whereYouAreSignedIn}>
        <OwnSessions />
        <SignOut />
      </AccountPart>
      <p>
        <Link className="link" to={{ page: 'about' }}>
          {m.about}
        </Link>
      </p>
    </div>
  );
};
