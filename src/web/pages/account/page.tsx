/** This Profile: how the dashboard looks, which languages it prefers, its password, its second factor, and the way out. */
import { useState } from 'preact/hooks';
import logOut from 'lucide/dist/esm/icons/log-out.mjs';
import type { Preferences } from '../../../contract/identity/accounts.ts';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { sentence } from '../../data/client.ts';
import { savePreferences, signOut, useMe } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Segments, Select } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, Pending } from '../../kit/states/states.tsx';
import { Factor } from './factor.tsx';
import { LanguageOrder } from './language-order.tsx';
import { PasswordForm } from './password-form.tsx';
import { Part } from './part.tsx';
import css from './account.module.css';

const save = (change: Partial<Preferences>) =>
  savePreferences(change).catch((error: unknown) => toast({ message: sentence(error), isError: true }));
const MODES = [
  { value: 'automatic', label: 'When the sound is in another language' },
  { value: 'always', label: 'Always' },
  { value: 'forced', label: 'Only for foreign parts' },
  { value: 'off', label: 'Never' },
] as const;
const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

const SignOut = () => {
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
      Sign out
    </Button>
  );
};

export const Page = () => {
  useTitle(DESTINATIONS.account.label());
  const me = useMe();
  if (!me) return <Pending />;
  const { profile, preferences } = me;
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{profile.name}</h1>
        <Badge tone="accent">{profile.role === 'owner' ? 'Owner' : 'Viewer'}</Badge>
      </header>
      <Part title="Appearance">
        <Segments label="Theme" value={preferences.theme} choices={THEMES} onValue={(theme) => void save({ theme })} />
      </Part>
      <Part title="Languages" says="What the player chooses first. It can be changed for every film.">
        <LanguageOrder
          label="Sound"
          none="The language the file begins with."
          value={preferences.audio}
          onValue={(audio) => void save({ audio })}
        />
        <LanguageOrder
          label="Subtitles"
          none="No language is preferred."
          value={preferences.subtitles}
          onValue={(subtitles) => void save({ subtitles })}
        />
        <div className={css.narrow}>
          <Select
            label="Show subtitles"
            value={preferences.subtitleMode}
            choices={MODES}
            onValue={(subtitleMode) => void save({ subtitleMode })}
          />
        </div>
      </Part>
      {!profile.passwordless && (
        <Part title="Password" says="A change ends your sessions on other devices.">
          <PasswordForm name={profile.name} />
        </Part>
      )}
      <Part title="Second factor" says="A code from your phone, asked for when you sign in.">
        <Factor hasFactor={profile.mfa} left={me.recoveryCodesLeft} />
      </Part>
      <Part title="This device">
        <SignOut />
      </Part>
    </div>
  );
};
