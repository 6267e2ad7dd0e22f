/** Requests: a Viewer asks and reads the answers, an Owner answers. */
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { useIsOwner } from '../../data/session.ts';
import { Answers } from './answers.tsx';
import { OwnRequests } from './own.tsx';
import css from './requests.module.css';

export const Page = () => {
  useTitle(DESTINATIONS.requests.label());
  const isOwner = useIsOwner();
  return (
    <div className={css.page}>
      <h1>{DESTINATIONS.requests.label()}</h1>
      {isOwner ? <Answers /> : <OwnRequests />}
    </div>
  );
};
