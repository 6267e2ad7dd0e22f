/** The picker of a household device: who is watching, and the PIN or password of those who have one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import arrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs';
import deleteIcon from 'lucide/dist/esm/icons/delete.mjs';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import { call, CallFailed, sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { beginSession } from '../../data/session.ts';
import { ProfileFace } from '../../kit/art/face.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { go } from '../../lib/navigation/navigate.ts';
import { isTelevision } from '../../lib/theme.ts';
import { useTitle } from '../../lib/title.ts';
import { accountWords as m } from '../../messages/account.ts';
import css from './picker.module.css';

export type PickerProfile = Reply<'household', 'picker'>['profiles'][number];

const MAX_PIN = 8;
const MIN_PIN = 4;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Asks for the PIN: typed on a keyboard, or pressed on keys that a remote control reaches. */
const PinPad = ({ isBusy, onPin }: { isBusy: boolean; onPin: (pin: string) => void }) => {
  const [pin, setPin] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // A remote control presses the keys; on a television a field would open another keyboard over them.
  const begin = () => form.current?.querySelector<HTMLElement>(isTelevision() ? 'button' : 'input')?.focus();
  useEffect(begin, []);
  const add = (digit: string) => setPin((before) => (before + digit).slice(0, MAX_PIN));
  const submit = (event: Event) => {
    event.preventDefault();
    if (pin.length < MIN_PIN || isBusy) return;
    onPin(pin);
    setPin('');
    // The button that was pressed is off until there are digits again.
    begin();
  };
  /** Digits of a remote control, whichever key has the focus. */
  const typed = ({ target, key }: KeyboardEvent) => {
    if (!(target instanceof HTMLInputElement) && /^\d$/.test(key)) add(key);
  };
  return (
    <form onSubmit={submit} onKeyDown={typed} className={css.pad} ref={form}>
      <Field
        label={m.pin}
        type="password"
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="off"
        maxLength={MAX_PIN}
        value={pin}
        onValue={(value) => setPin(value.replaceAll(/\D/g, '').slice(0, MAX_PIN))}
      />
      <div className={css.keys}>
        {KEYS.map((digit) => (
          <button key={digit} type="button" onClick={() => add(digit)}>
            {digit}
          </button>
        ))}
        <button type="button" aria-label={m.deleteDigit} onClick={() => setPin((before) => before.slice(0, -1))}>
          <Icon of={deleteIcon} />
        </button>
        <button type="button" onClick={() => add('0')}>
          0
        </button>
        <Button look="primary" type="submit" isBusy={isBusy} disabled={pin.length < MIN_PIN}>
          {m.open}
        </Button>
      </div>
    </form>
  );
};

const PasswordForm = ({ isBusy, onPassword }: { isBusy: boolean; onPassword: (password: string) => void }) => {
  const [password, setPassword] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isBusy) onPassword(password);
  };
  return (
    <form onSubmit={submit}>
      <Field label={m.password} type="password" value={password} onValue={setPassword} autoFocus required />
      <Button look="primary" isLarge type="submit" isBusy={isBusy}>
        {m.open}
      </Button>
    </form>
  );
};

export const Picker = ({
  profiles,
  next,
  onSignIn,
}: {
  profiles: readonly PickerProfile[];
  next: string;
  /** Called to sign in with a name and password instead. */
  onSignIn: () => void;
}) => {
  const [chosen, setChosen] = useState<PickerProfile>();
  const list = useRef<HTMLUListElement>(null);
  const latest = useRef(0);
  // Arrows begin at the first Profile, and later at the one that was chosen before.
  useEffect(() => {
    if (!chosen) list.current?.querySelectorAll('button')[latest.current]?.focus();
  }, [chosen]);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const title = chosen ? chosen.name : m.whoIsWatching;
  useTitle(title);
  const open = async (profile: PickerProfile, proof: { pin?: string; password?: string }) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await call.household.open({ id: profile.id, ...proof });
      await beginSession();
      go(next, { replace: true });
    } catch (failure) {
      const wait = failure instanceof CallFailed ? failure.members.retryAfterSeconds : undefined;
      setError(
        wait === undefined
          ? sentence(failure)
          : m.tooManyTries({ wait: m.minutesCount({ count: Math.ceil(wait / 60) }) }),
      );
    } finally {
      setBusy(false);
    }
  };
  const choose = (profile: PickerProfile) => {
    setError(undefined);
    latest.current = profiles.indexOf(profile);
    if (profile.opens === 'nothing') void open(profile, {});
    else setChosen(profile);
  };
  const back = () => {
    setError(undefined);
    setChosen(undefined);
  };
  return (
    <CardPage title={title} isWide={!chosen}>
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      {chosen ? (
        <>
          <p className={css.chosen}>
            <ProfileFace id={chosen.id} name={chosen.name} face={chosen.face} isInPicker />
          </p>
          {chosen.opens === 'pin' ? (
            <PinPad isBusy={isBusy} onPin={(pin) => void open(chosen, { pin })} />
          ) : (
            <PasswordForm isBusy={isBusy} onPassword={(password) => void open(chosen, { password })} />
          )}
          <p className={css.other}>
            <Button look="quiet" icon={arrowLeft} onClick={back}>
              {m.otherProfile}
            </Button>
          </p>
        </>
      ) : (
        <>
          <ul className={css.faces} ref={list}>
            {profiles.map((profile) => (
              <li key={profile.id}>
                <button type="button" className={css.choice} disabled={isBusy} onClick={() => choose(profile)}>
                  <span className={css.portrait}>
                    <ProfileFace id={profile.id} name={profile.name} face={profile.face} size="large" isInPicker />
                    {profile.opens !== 'nothing' && (
                      <span className={css.lock}>
                        <Icon of={lock} size={1} />
                      </span>
                    )}
                  </span>
                  <span className={css.name}>
                    {profile.name}
                    {profile.opens !== 'nothing' && <span className="unseen"> {m.locked}</span>}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {profiles.length === 0 && <p className="muted">{m.noProfilesHere}</p>}
          <p className={css.other}>
            <Button look="quiet" onClick={onSignIn}>
              {m.signInAsSomeoneElse}
            </Button>
          </p>
        </>
      )}
    </CardPage>
  );
};
