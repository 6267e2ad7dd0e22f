/** The first step: who runs this server. The rules of a password are shown before they are broken. */
import { useState } from 'preact/hooks';
import check from 'lucide/dist/esm/icons/check.mjs';
import dot from 'lucide/dist/esm/icons/circle.mjs';
import eye from 'lucide/dist/esm/icons/eye.mjs';
import eyeOff from 'lucide/dist/esm/icons/eye-off.mjs';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { call, CallFailed, sentence } from '../../data/client.ts';
import { queries } from '../../data/query.ts';
import { beginSession } from '../../data/session.ts';
import { barrier } from '../../data/send.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { cx } from '../../lib/cx.ts';
import { deviceName } from '../../lib/device.ts';
import css from './welcome.module.css';
import { accountWords as m } from '../../messages/account.ts';

const LEAST = 12;

const Rule = ({ isMet, children }: { isMet: boolean | undefined; children: string }) => (
  <li className={cx(css.rule, isMet && css.met)}>
    <Icon of={isMet ? check : dot} size={1} />
    <span>
      {children}
      {isMet !== undefined && <span className="unseen">{isMet ? m.metWord : m.notMetYet}</span>}
    </span>
  </li>
);

export const OwnerForm = ({ step, onDone }: { step: string; onDone: () => void }) => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isSeen, setSeen] = useState(false);
  const [errors, setErrors] = useState<{ name?: string; password?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const isLong = [...password].length >= LEAST;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    if (!name.trim()) return setErrors({ name: m.enterAName });
    if (!isLong) return setErrors({ password: m.useAtLeastCharactersA({ least: LEAST }) });
    setBusy(true);
    setErrors({});
    try {
      const { mfaEnrollmentRequired } = await call.setup.create({
        name: name.trim(),
        password,
        transport: 'cookie',
        device: deviceName(navigator.userAgent),
        welcome: true,
      });
      await beginSession();
      queries.setQueryData(['setup', 'state', {}], { required: false, staySignedIn: true });
      if (mfaEnrollmentRequired) barrier.set('enrol');
      onDone();
    } catch (failure) {
      const isTaken = failure instanceof CallFailed && failure.reason === 'already-set-up';
      setErrors({
        password: isTaken ? m.thisServerWasSetUp : sentence(failure),
      });
      setBusy(false);
    }
    return;
  };
  return (
    <CardPage step={step} title={m.welcomeToMatinee} lead={m.shortStepsFirstWho}>
      <form onSubmit={submit} noValidate>
        <Field
          label={m.yourName}
          value={name}
          onValue={setName}
          autoComplete="username"
          maxLength={64}
          error={errors.name}
          autoFocus
        />
        <Field
          label={m.password}
          type={isSeen ? 'text' : 'password'}
          value={password}
          onValue={setPassword}
          autoComplete="new-password"
          maxLength={1024}
          error={errors.password}
          aria-describedby="rules"
        />
        <ul id="rules" className={css.rules} aria-label={m.aPasswordNeeds}>
          <Rule isMet={isLong}>{m.atLeastCharacters({ least: LEAST })}</Rule>
          <Rule isMet={undefined}>{m.notACommonPassword}</Rule>
        </ul>
        <div className={css.row}>
          <Button look="primary" isLarge type="submit" isBusy={isBusy}>
            {m.continue}
          </Button>
          <Button look="quiet" icon={isSeen ? eyeOff : eye} onClick={() => setSeen(!isSeen)} aria-pressed={isSeen}>
            {isSeen ? m.hidePassword : m.showPassword}
          </Button>
        </div>
      </form>
    </CardPage>
  );
};
