/** Plays the video of a motion photo over the picture while the button is held. */
import { createPortal } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import aperture from 'lucide/dist/esm/icons/aperture.mjs';
import { Button } from '../../../kit/forms/button.tsx';
import { photoWords as m } from '../../../messages/photos.ts';
import css from './viewer.module.css';
import { pendingUntil } from '../../../lib/pending-work.ts';

export const MotionButton = ({
  address,
  motion: { start, size },
  over,
}: {
  address: string;
  motion: { start: number; size: number };
  /** The element that the video covers. */
  over: { readonly current: HTMLElement | null };
}) => {
  const [url, setUrl] = useState<string>();
  const [isHeld, setHeld] = useState(false);
  const made = useRef<string | undefined>(undefined);
  const loading = useRef<AbortController | undefined>(undefined);
  useEffect(
    () => () => {
      loading.current?.abort();
      if (made.current !== undefined) URL.revokeObjectURL(made.current);
    },
    [],
  );
  const hold = () => {
    setHeld(true);
    if (loading.current) return;
    const own = new AbortController();
    loading.current = own;
    // The video is a part of the picture's file: only that part is asked for.
    const range = ['bytes', `${start}-${start + size - 1}`].join('=');
    const loaded = fetch(address, { headers: { Range: range }, signal: own.signal }).then((reply) =>
      reply.ok ? reply.blob() : Promise.reject(new Error(String(reply.status))),
    );
    pendingUntil('call', loaded)
      .then((blob) => {
        made.current = URL.createObjectURL(blob.slice(0, size, 'video/mp4'));
        setUrl(made.current);
      })
      .catch(() => {
        loading.current = undefined;
      });
  };
  const release = () => setHeld(false);
  return (
    <>
      <Button
        icon={aperture}
        title={m.motionPhoto}
        aria-pressed={isHeld}
        onPointerDown={hold}
        onPointerUp={release}
        onPointerCancel={release}
        onPointerLeave={release}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && !event.repeat && hold()}
        onKeyUp={release}
        onBlur={release}
      >
        {m.holdToPlay}
      </Button>
      {isHeld &&
        url !== undefined &&
        over.current &&
        createPortal(<video className={css.motion} src={url} autoPlay muted loop playsInline />, over.current)}
    </>
  );
};
