/** Subtitles that are pictures, drawn by libpgs in its worker over the video. It is loaded with the first one. */
import { useEffect, useRef } from 'preact/hooks';
import type { PgsRenderer } from 'libpgs';
import workerUrl from 'libpgs/dist/libpgs.worker.js?url';
import { scriptUrl } from '../../../app/worker.ts';
import { useBox } from '../box.ts';
import css from './drawn.module.css';

export interface DrawnProps {
  video: HTMLVideoElement;
  url: string;
  /** How much later it comes, in seconds of the element's clock. */
  offset: number;
  onFailed: () => void;
}

export const Pictures = ({ video, url, offset, onFailed }: DrawnProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const renderer = useRef<PgsRenderer | undefined>(undefined);
  const shift = useRef(offset);
  const box = useBox(video);
  shift.current = offset;
  const isSized = box !== undefined;
  useEffect(() => {
    let isOver = false;
    let made: PgsRenderer | undefined;
    const begin = async () => {
      const { PgsRenderer: Renderer } = await import('libpgs');
      if (isOver || !canvas.current) return;
      made = new Renderer({ canvas: canvas.current, workerUrl: scriptUrl(workerUrl) });
      renderer.current = made;
      // The address is resolved by the worker, which has another one than this page.
      await made.loadFromUrl(new URL(url, location.href).href);
    };
    begin().catch(() => !isOver && onFailed());
    return () => {
      isOver = true;
      renderer.current = undefined;
      made?.dispose();
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
  // A canvas that was handed to a worker cannot be handed out again: each subtitle gets its own.
  return <canvas key={url} ref={canvas} className={css.pictures} style={{ top, left, width, height }} data-drawn="pictures" aria-hidden="true" />;
};
