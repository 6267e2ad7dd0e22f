/** Live regions for screen readers: the title of the page after each change of page, and what `announce` was given. */
import { useEffect, useState } from 'preact/hooks';
import { announcement } from '../lib/announce.ts';
import { useStore } from '../lib/store.ts';
import { title } from '../lib/title.ts';

export const Announcer = () => {
  const page = useStore(title);
  const sentence = useStore(announcement);
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
