/** The subtitles that were chosen, each drawn in its own way. What draws pictures and styles is loaded when first needed. */
import { lazy, Suspense } from 'preact/compat';
import type { Subtitle } from '../engine/subtitle.ts';
import { Captions } from './captions.tsx';

const Pictures = lazy(() => import('./drawn/pictures.tsx').then(({ Pictures: shown }) => ({ default: shown })));
const Styled = lazy(() => import('./drawn/styled.tsx').then(({ Styled: shown }) => ({ default: shown })));

export interface SubtitlesProps {
  video: HTMLVideoElement;
  subtitle: Subtitle;
  /** Seconds later on the element's clock. */
  offset: number;
  /** Whether the controls are on show. */
  isRaised: boolean;
}
export const Subtitles = ({ video, subtitle, offset, isRaised }: SubtitlesProps) => {
  const { shown, shownAbove, lines, onFailed, onSecondFailed } = subtitle;
  return (
    <Suspense fallback={null}>
      {shown?.as === 'text' && <Captions key={shown.url} video={video} track={shown} offset={offset} isRaised={isRaised} lines={lines} onFailed={onFailed} />}
      {shown?.as === 'pictures' && <Pictures key={shown.url} video={video} url={shown.url} offset={offset} onFailed={onFailed} />}
      {shown?.as === 'styled' && <Styled key={shown.url} video={video} url={shown.url} offset={offset} onFailed={onFailed} />}
      {shownAbove && <Captions key={`above ${shownAbove.url}`} video={video} track={shownAbove} offset={offset} isAbove isRaised={isRaised} onFailed={onSecondFailed} />}
    </Suspense>
  );
};
