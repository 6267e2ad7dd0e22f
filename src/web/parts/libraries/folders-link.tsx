/** The way from an empty page to the folders of the libraries, for Owners. */
import { useIsOwner } from '../../data/session.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';

/** `isOfOne`: whether the page is about one library, which has a folder. */
export const FoldersLink = ({ isOfOne = false }: { isOfOne?: boolean }) =>
  useIsOwner() ? (
    <ButtonLink to={{ page: 'settingsPart', params: { part: 'libraries' } }}>
      {isOfOne ? m.checkItsFolder : m.addFolders}
    </ButtonLink>
  ) : null;
