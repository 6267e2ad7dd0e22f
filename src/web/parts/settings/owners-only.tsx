/** In place of what only Owners have: says so, and to an Owner who is away that it is available at home. */
import { useIsOwnerAway } from '../../data/session.ts';
import { EmptyState } from '../../kit/states/states.tsx';
import { shellWords } from '../../messages/shell.ts';

export const OwnersOnly = ({ title, says }: { title: string; says: string }) =>
  useIsOwnerAway() ? (
    <EmptyState title={shellWords.availableAtHome}>{shellWords.availableAtHomeSays}</EmptyState>
  ) : (
    <EmptyState title={title}>{says}</EmptyState>
  );
