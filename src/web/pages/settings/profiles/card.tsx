/** A Profile on the settings page: face, role, sign-in methods, limits and time of today, with what can be changed. */
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import type { Profile } from '../../../../contract/identity/profiles.ts';
import { useAsk } from '../../../data/query.ts';
import { ProfileFace } from '../../../kit/art/face.tsx';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { capital, day } from '../../../lib/format.ts';
import { directoryWords } from '../../../messages/directory.ts';
import { householdWords } from '../../../messages/household.ts';
import { settingsWords as m } from '../../../messages/settings.ts';
import { dayTimeWords } from '../../../parts/profiles/day-time.ts';
import { DirectoryBadge } from '../directory.tsx';
import { DecidedItems } from './items.tsx';
import { policyWords } from './policy.ts';
import css from './profiles.module.css';
import shared from '../settings.module.css';
import { WaysInBadges } from './sign-in-methods.tsx';

/** How often the time of today is read again. */
const TIME_MS = 60_000;

const TimeToday = ({ profile }: { profile: Profile }) => {
  const { windows, daily } = profile.policy;
  const isLimited = windows.length > 0 || daily !== undefined;
  const { data } = useAsk('viewing', 'profileTime', { id: profile.id }, { enabled: isLimited, every: TIME_MS });
  const words = data && isLimited ? dayTimeWords(data) : [];
  if (words.length === 0) return null;
  return (
    <p className={shared.facts}>
      {householdWords.timeToday}: {words.join('; ')}
    </p>
  );
};

export interface ProfileCardProps {
  profile: Profile;
  isMe: boolean;
  canRemove: boolean;
  nameOf: (library: string) => string | undefined;
  onEdit: () => void;
  onFace: () => void;
  onWaysIn: () => void;
  onRemove: () => void;
}

export const ProfileCard = ({
  profile,
  isMe,
  canRemove,
  nameOf,
  onEdit,
  onFace,
  onWaysIn,
  onRemove,
}: ProfileCardProps) => {
  const { id, name, role, face, policy, directory } = profile;
  const isOwner = role === 'owner';
  return (
    <section className={shared.card} aria-label={name}>
      <div className={css.head}>
        <button
          type="button"
          className={css.face}
          aria-label={householdWords.pictureOf({ name })}
          title={householdWords.picture}
          onClick={onFace}
        >
          <ProfileFace id={id} name={name} face={face} />
          <span className={css.pencil}>
            <Icon of={pencil} size={0.75} />
          </span>
        </button>
        <div className={shared.cardHead}>
          <h2>{name}</h2>
          <Badge tone={isOwner ? 'accent' : 'plain'}>{isOwner ? m.owner : m.viewer}</Badge>
          {isMe && <Badge>{m.you}</Badge>}
          {directory && <Badge>{directoryWords.fromDirectory}</Badge>}
          {directory && directory.state !== 'active' && <DirectoryBadge state={directory.state} />}
          {(profile.mfa || profile.passkeys > 0) && <Badge tone="good">{m.secondFactor}</Badge>}
        </div>
      </div>
      <WaysInBadges profile={profile} />
      <p className={shared.facts}>
        {isOwner ? m.seesEverythingAndCanChange : capital(m.sees({ what: policyWords(policy, nameOf).join('; ') }))}
      </p>
      {directory?.state === 'inactive' && <p className={shared.facts}>{directoryWords.inactiveSays}</p>}
      {directory?.deletedAt !== undefined && (
        <p className={shared.facts}>{directoryWords.removedSays({ date: day(directory.deletedAt) })}</p>
      )}
      {!isOwner && <TimeToday profile={profile} />}
      {!isOwner && <DecidedItems profile={profile} />}
      <p className="muted small">{m.since({ date: day(profile.createdAt) })}</p>
      <div className={shared.actions}>
        <Button onClick={onEdit} aria-label={m.edit({ name })}>
          {m.editLabel}
        </Button>
        <Button look="quiet" onClick={onWaysIn} aria-label={householdWords.waysInOf({ name })}>
          {householdWords.waysIn}
        </Button>
        {canRemove && (
          <Button look="quiet" onClick={onRemove} aria-label={m.remove2({ name })}>
            {m.remove}
          </Button>
        )}
      </div>
    </section>
  );
};
