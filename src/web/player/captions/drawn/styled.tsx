/**
 * Styled subtitles (ASS, SSA) drawn as their authors meant them, by libass in a separate worker, loaded with the
 * first one. Fonts come from this server only: those of the file, then one default face.
 */
import { useEffect, useRef } from 'preact/hooks';
import type JASSUB from 'jassub';
import fontUrl from 'jassub/dist/default.woff2?url';
import wasmUrl from 'jassub/dist/wasm/jassub-worker.wasm?url';
import { scriptUrl } from '../../../lib/script-url.ts';
import { loadFonts } from './fonts.ts';
import type { DrawnProps } from './pictures.tsx';
import css from './drawn.module.css';
// eslint-disable-next-line import/default -- the bundler returns the worker's address as the default export
import workerUrl from './styled-worker.ts?worker&url';
import { pendingUntil } from '../../../lib/pending-work.ts';

const DEFAULT_FONT = 'liberation sans';
/** Cache of libass for drawn letters and pictures, in MB; a television has little memory. */
const MEMORY_MB = 96;

export const Styled = ({
  video,
  url,
  offset,
  fonts = [],
  onFailed,
}: DrawnProps & { fonts?: readonly string[] | undefined }) => {
  const holder = useRef<HTMLDivElement>(null);
  const renderer = useRef<JASSUB | undefined>(undefined);
  const shift = useRef(offset);
  shift.current = offset;
  useEffect(() => {
    const leaving = new AbortController();
    let made: JASSUB | undefined;
    const begin = async () => {
      const faces = loadFonts(fonts, leaving.signal);
      const [{ default: Renderer }, subContent] = await Promise.all([
        import('jassub'),
        textOf(url, leaving.signal),
        faces.inTime,
      ]);
      if (leaving.signal.aborted || !holder.current) return;
      // By itself it would try WebAssembly on this page, which only its worker may use.
      (Renderer as unknown as { _supportsSIMD: boolean })._supportsSIMD = false;
      const canvas = holder.current.appendChild(document.createElement('canvas'));
      canvas.dataset['drawn'] = 'styled';
      made = new Renderer({
        video,
        canvas,
        subContent,
        timeOffset: -shift.current,
        workerUrl: scriptUrl(workerUrl),
        wasmUrl,
        modernWasmUrl: wasmUrl,
        // The default face from the beginning: one that comes later is not drawn before the next picture.
        fonts: [fontUrl, ...faces.loaded()],
        availableFonts: { [DEFAULT_FONT]: fontUrl },
        defaultFont: DEFAULT_FONT,
        queryFonts: false,
        libassMemoryLimit: MEMORY_MB,
      });
      renderer.current = made;
      await made.ready;
      // A worker that could not begin says so by having nothing to draw with.
      if (!leaving.signal.aborted && (made as { renderer?: unknown }).renderer === undefined)
        throw new Error('no renderer');
      if (leaving.signal.aborted) return;
      paint(made, video);
      // Fonts that load too late for the first line are there for the next.
      const given = faces.loaded().length;
      await faces.all;
      const late = faces.loaded().slice(given);
      if (late.length === 0 || leaving.signal.aborted) return;
      await made.renderer.addFonts(late);
      paint(made, video);
    };
    pendingUntil('import', begin()).catch(() => !leaving.signal.aborted && onFailed());
    return () => {
      leaving.abort();
      renderer.current = undefined;
      void made?.destroy().catch(() => undefined);
    };
  }, [video, url, fonts.join()]);
  useEffect(() => {
    if (!renderer.current) return;
    renderer.current.timeOffset = -offset;
    paint(renderer.current, video);
  }, [offset]);
  return <div ref={holder} className={css.styled} aria-hidden="true" />;
};

/**
 * Draws what belongs to the picture that is on show: by itself it draws with the next picture, and a film that waits
 * has none.
 */
function paint(renderer: JASSUB, { currentTime, videoWidth, videoHeight }: HTMLVideoElement): void {
  if (videoWidth > 0)
    void renderer
      .manualRender(
        { mediaTime: currentTime, width: videoWidth, height: videoHeight } as VideoFrameCallbackMetadata,
        true,
      )
      .catch(() => undefined);
}

async function textOf(url: string, signal: AbortSignal): Promise<string> {
  const reply = await fetch(url, { credentials: 'same-origin', signal });
  if (!reply.ok) throw new Error(reply.statusText);
  return reply.text();
}
