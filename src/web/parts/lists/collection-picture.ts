/** The picture of a collection, as lists and heads show it: the uploaded one, else the poster of its set. */
import type { CoversProps } from '../catalog/covers.tsx';

export function pictureOfCollection({
  id,
  picture,
  poster,
}: {
  id: string;
  picture?: string | undefined;
  poster?: string | undefined;
}): CoversProps['picture'] {
  const version = picture ?? poster;
  return version === undefined ? undefined : { id, version };
}
