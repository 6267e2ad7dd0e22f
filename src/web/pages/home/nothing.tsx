/**
 * The empty home page, which says why it is empty.
 *
 * A Profile with limits learns only its own limits: the words are the same whether what it may not see exists or
 * not. An Owner learns whether libraries are missing, and is led to what changes it.
 */
import clapper from 'lucide/dist/esm/icons/clapperboard.mjs';
import type { ComponentChildren } from 'preact';
import type { Reply } from '../../data/query.ts';
import { useIsOwner, useMe } from '../../data/session.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { agesWords } from '../../messages/ages.ts';
import { limitWords, ownersReason } from './reasons.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

export const EmptyHome = ({ libraries }: { libraries: Reply<'libraries', 'list'>['items'] }) => {
  const isOwner = useIsOwner();
  const me = useMe();
  const limits = me && limitWords(me.profile.policy);
  const { says, remedy } = ownersReason(libraries);
  let action: ComponentChildren = null;
  if (isOwner)
    action = (
      <ButtonLink look="primary" to={{ page: 'settingsPart', params: { part: limits ? 'profiles' : 'libraries' } }}>
        {limits ? agesWords.changeWhatIsShown : remedy}
      </ButtonLink>
    );
  return (
    <EmptyState isAlone icon={clapper} title={m.nothingToWatchYet} action={action}>
      {limits
        ? [...limits, ...(isOwner ? [] : [agesWords.askWhoRunsThisServer])].join(' ')
        : isOwner
          ? says
          : agesWords.nothingScannedHere}
    </EmptyState>
  );
};
