/** An address that leads nowhere. */
import compass from 'lucide/dist/esm/icons/compass.mjs';
import { useTitle } from '../../lib/title.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { EmptyState } from '../../kit/states/states.tsx';

export const Page = () => {
  useTitle('Not found');
  return (
    <>
      <h1 className="unseen">Not found</h1>
      <EmptyState
        icon={compass}
        title="There is nothing at this address"
        action={
          <ButtonLink look="primary" to={{ page: 'home' }}>
            Go home
          </ButtonLink>
        }
      >
        It may have been moved or removed, or the address may have a slip in it.
      </EmptyState>
    </>
  );
};
