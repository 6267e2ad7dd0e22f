/** Subtitles that are pictures, drawn by libpgs in its worker over the video. It is loaded with the first one. */
import { useEffect, useRef } from 'preact/hooks';
import type { PgsRenderer } from 'libpgs';
import workerUrl from 'libpgs/dist/libpgs.worker.js?url';
import { scriptUrl } from '../../../lib/script-url.ts';
import { useBox } from '../box.ts';
import css from './drawn.module.css';
import { delay, pendingUntil } from '../../../lib/pending-work.ts';

export interface DrawnProps {
  video: HTMLVideoElement;
  url: string;
  /** How much later it comes, in seconds of the element's clock. */
  offset: number;
  onFailed: () => void;
}

/** Pauses before a subtitle that could not be loaded is asked for again, in milliseconds; then it counts as failed. */
const AGAIN_MS = [500, 2000, 5000];

export const Pictures = ({ video, url, offset, onFailed }: DrawnProps) => {
  const holder = useRef<HTMLDivElement>(null);
  const renderer = useRef<PgsRenderer | undefined>(undefined);
  const shift = useRef(offset);
  const box = useBox(video);
  shift.current = offset;
  const isSized = box !== undefined;
  useEffect(() => {
    const into = holder.current;
    if (!into) return;
    let isOver = false;
    let drop: (() => void) | undefined;
    const begin = async () => {
      const { PgsRenderer: Renderer } = await import('libpgs');
      if (isOver) return;
      // A canvas that was handed to a worker cannot be handed out again: each attempt gets its own.
      const canvas = document.createElement('canvas');
      canvas.dataset['drawn'] = 'pictures';
      into.append(canvas);
      const made = new Renderer({ canvas, workerUrl: scriptUrl(workerUrl) });
      drop = () => {
        renderer.current = undefined;
        made.dispose();
        canvas.remove();
      };
      renderer.current = made;
      // The address is resolved by the worker, which has another one than this page.
      await made.loadFromUrl(new URL(url, location.href).href);
    };
    const attempt = async () => {
      for (const ms of [...AGAIN_MS, undefined]) {
        try {
          return await begin();
        } catch (error) {
          if (isOver) return;
          if (ms === undefined) throw error;
          drop?.();
          await delay(ms);
          if (isOver) return;
        }
      }
    };
    pendingUntil('import', attempt()).catch(() => !isOver && onFailed());
    return () => {
      isOver = true;
      drop?.();
    };
  }, [video, url, isSized]);
  // By itself it looks at the time four times a second, which is seen.
  useEffect(() => {
    let frame = 0;
    const look = () => renderer.current?.renderAtTimestamp(video.currentTime - shift.current);
    const tick = () => {
      look();
      frame = requestAnimationFrame(tick);
    };
    tick();
    video.addEventListener('timeupdate', look);
    return () => {
      cancelAnimationFrame(frame);
      video.removeEventListener('timeupdate', look);
    };
  }, [video]);
  if (!box) return null;
  const { top, left, width, height } = box;
  return <div ref={holder} className={css.pictures} style={{ top, left, width, height }} aria-hidden="true" />;
};
