/** Loads the pages of photos with their words when a library of photos is opened first. */
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { settled } from '../../messages/catalogue.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import type { PhotosProps } from './photos/page.tsx';
import { pendingUntil } from '../../lib/pending-work.ts';

let loaded: FunctionComponent<PhotosProps> | undefined;

async function load(): Promise<void> {
  const { Photos } = await import('./photos/page.tsx');
  await settled();
  loaded = Photos;
}

export const LazyPhotos = (props: PhotosProps) => {
  const [, setHere] = useState(loaded !== undefined);
  const [error, setError] = useState<Error>();
  const begin = () => {
    setError(undefined);
    pendingUntil('import', load()).then(() => setHere(true), setError);
  };
  useEffect(() => {
    if (!loaded) begin();
  }, []);
  if (loaded) {
    const Photos = loaded;
    return <Photos {...props} />;
  }
  return error ? <ErrorState isAlone title={m.thisLibraryCouldNotBe} error={error} retry={begin} /> : <Pending />;
};
