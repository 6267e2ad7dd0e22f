/** Ways in of a Profile: at a glance on its card, and one by one in a dialog where an Owner adds and removes them. */
import type { ComponentChildren } from 'preact';
import type { Profile } from '../../../../contract/identity/profiles.ts';
import { call } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { Switch } from '../../../kit/forms/field.tsx';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { Dialog } from '../../../kit/layers/dialog.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Badge } from '../../../kit/states/states.tsx';
import { householdWords as m } from '../../../messages/household.ts';
import css from './sign-in-methods.module.css';

/** Returns the sign-in methods of a Profile, in words. */
function waysOf({ passwordless, mfa, passkeys, pin, linked, households, mfaExempt, role }: Profile): string[] {
  return [
    passwordless ? '' : m.password,
    mfa ? m.authenticatorApp : '',
    passkeys > 0 ? m.passkeys({ count: passkeys }) : '',
    linked ? m.identityProvider : '',
    pin && role === 'viewer' ? m.pin : '',
    households > 0 ? m.households({ count: households }) : '',
    mfaExempt ? m.exemptShort : '',
  ].filter((way) => way !== '');
}
/** Whether a Profile opens by itself: a PIN alone opens nothing without a household device. */
const hasWayIn = ({ passwordless, passkeys, linked, households }: Profile): boolean =>
  !passwordless || passkeys > 0 || linked || households > 0;

export const WaysInBadges = ({ profile }: { profile: Profile }) => (
  <p className={css.badges}>
    <span className="unseen">{m.waysIn}: </span>
    {waysOf(profile).map((way) => (
      <Badge key={way}>{way}</Badge>
    ))}
    {!hasWayIn(profile) && <Badge tone="warn">{m.noWayIn}</Badge>}
  </p>
);

const Way = ({ title, says, children }: { title: string; says: ComponentChildren; children?: ComponentChildren }) => (
  <section className={css.way} aria-label={title}>
    <div>
      <h3>{title}</h3>
      <p className="muted small">{says}</p>
    </div>
    {children !== undefined && <div className={css.actions}>{children}</div>}
  </section>
);

const again = () => readAgain('profiles');

async function removePassword({ id, name }: Profile): Promise<void> {
  const title = m.removePasswordOf({ name });
  const says = m.removePasswordSays({ name });
  if (!(await confirm({ title, says, action: m.removePassword, isDanger: true }))) return;
  await runWithToast(() => call.waysIn.removePassword({ id }), m.passwordRemoved);
  again();
  readAgain('sessions');
}
const exempt = ({ id, name }: Profile, is: boolean) =>
  runWithToast(() => call.waysIn.exempt({ id, exempt: is }), is ? m.exempted({ name }) : m.notExempted({ name })).then(
    again,
  );

function factorWords({ mfa, passkeys, passwordless, mfaExempt }: Profile): string {
  const has = [mfa ? m.authenticatorApp : '', passkeys > 0 ? m.passkeys({ count: passkeys }) : ''].filter(
    (one) => one !== '',
  );
  if (has.length > 0) return has.join(' · ');
  return passwordless ? m.noFactorWithoutPassword : mfaExempt ? m.noFactorExempt : m.noFactor;
}

export interface WaysInProps {
  profile: Profile;
  isMe: boolean;
  onPassword: () => void;
  onPin: () => void;
  onClose: () => void;
}

/** Ways that only Viewers have: a PIN, household devices, and a code that an Owner approves. */
const ViewerWays = ({ profile, onPin }: Pick<WaysInProps, 'profile' | 'onPin'>) => {
  const { name, pin, households } = profile;
  return (
    <>
      <Way title={m.pin} says={pin ? m.pinIsSet : m.pinIsNotSet}>
        <Button onClick={onPin}>{pin ? m.changePin : m.setPin}</Button>
      </Way>
      <Way title={m.householdDevices} says={households > 0 ? m.onHouseholds({ count: households }) : m.onNoHousehold}>
        <ButtonLink to={{ page: 'settingsPart', params: { part: 'sessions' } }}>{m.manageDevices}</ButtonLink>
      </Way>
      <Way title={m.quickConnect} says={m.quickConnectSays({ name })}>
        <ButtonLink to={{ page: 'account' }}>{m.connectADevice}</ButtonLink>
      </Way>
    </>
  );
};

export const WaysInDialog = ({ profile, isMe, onPassword, onPin, onClose }: WaysInProps) => {
  const { name, role, passwordless, linked, mfaExempt } = profile;
  const isViewer = role === 'viewer';
  return (
    <Dialog
      title={m.waysInOf({ name })}
      onClose={onClose}
      isWide
      actions={
        <Button look="primary" onClick={onClose}>
          {m.done}
        </Button>
      }
    >
      {!hasWayIn(profile) && <p className={css.lead}>{m.noWayInSays({ name })}</p>}
      <Way title={m.password} says={passwordless ? m.noPassword : m.passwordIsSet}>
        {!isMe && <Button onClick={onPassword}>{passwordless ? m.setPassword : m.changePassword}</Button>}
        {isViewer && !passwordless && (
          <Button look="quiet" onClick={() => void removePassword(profile)}>
            {m.removePassword}
          </Button>
        )}
      </Way>
      <Way title={m.secondFactor} says={factorWords(profile)} />
      {isViewer && !passwordless && (
        <Switch
          label={m.exempt}
          hint={m.exemptSays({ name })}
          checked={mfaExempt}
          onValue={(is) => void exempt(profile, is)}
        />
      )}
      {isViewer && <ViewerWays {...{ profile, onPin }} />}
      {linked && <Way title={m.identityProvider} says={m.linked} />}
    </Dialog>
  );
};
