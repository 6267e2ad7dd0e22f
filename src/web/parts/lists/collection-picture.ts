/** The uploaded picture of a collection, as lists and heads show it. */
import type { CoversProps } from '../catalog/covers.tsx';

export const pictureOfCollection = ({
  id,
  picture,
}: {
  id: string;
  picture?: string | undefined;
}): CoversProps['picture'] => (picture === undefined ? undefined : { id, version: picture });
