/** Shown for an address that no page has. */
import compass from 'lucide/dist/esm/icons/compass.mjs';
import { useTitle } from '../../lib/title.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { shellWords } from '../../messages/shell.ts';

export const Page = () => {
  useTitle(shellWords.notFound);
  return (
    <>
      <h1 className="unseen">{shellWords.notFound}</h1>
      <EmptyState
        isAlone
        icon={compass}
        title={shellWords.notFound}
        action={
          <ButtonLink look="primary" to={{ page: 'home' }}>
            {shellWords.goHome}
          </ButtonLink>
        }
      >
        {shellWords.notFoundHelp}
      </EmptyState>
    </>
  );
};
