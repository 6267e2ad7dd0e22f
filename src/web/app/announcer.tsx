/** Says aloud, to a screen reader, which page is shown now and what has been done. */
import { useEffect, useState } from 'preact/hooks';
import { createStore, useStore } from '../lib/store.ts';
import { title } from './title.ts';

const said = createStore('');
/** Says a sentence without showing it; for changes that a sighted person sees by themselves. */
export const announce = (sentence: string): void => said.set(sentence);

export const Announcer = () => {
  const page = useStore(title);
  const sentence = useStore(said);
  const [isFirst, setFirst] = useState(true);
  useEffect(() => {
    if (page) setFirst(false);
  }, [page]);
  return (
    <>
      <div className="unseen" role="status" aria-live="polite">
        {isFirst ? '' : page}
      </div>
      <div className="unseen" role="status" aria-live="polite">
        {sentence}
      </div>
    </>
  );
};
