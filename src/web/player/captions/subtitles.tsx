/**
 * The subtitles that were chosen, each drawn in its own way. What draws pictures and styles is loaded when first
 * needed.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Subtitle } from '../engine/subtitle.ts';
import { Captions } from './captions.tsx';
import type { Pictures } from './drawn/pictures.tsx';
import type { Styled } from './drawn/styled.tsx';
import { pendingUntil } from '../../lib/pending-work.ts';

const loadPictures = (): Promise<typeof Pictures> =>
  pendingUntil('import', import('./drawn/pictures.tsx')).then((file) => file.Pictures);
const loadStyled = (): Promise<typeof Styled> =>
  pendingUntil('import', import('./drawn/styled.tsx')).then((file) => file.Styled);

/** A part that is loaded once it is wanted; undefined until it is here. */
function useLoaded<T>(isWanted: boolean, load: () => Promise<T>, onFailed: () => void): T | undefined {
  const [loaded, setLoaded] = useState<{ part: T }>();
  useEffect(() => {
    if (!isWanted || loaded) return;
    let isGone = false;
    load().then(
      (part) => !isGone && setLoaded({ part }),
      () => !isGone && onFailed(),
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return loaded?.part;
}

export interface SubtitlesProps {
  video: HTMLVideoElement;
  subtitle: Subtitle;
  /** Seconds later on the element's clock. */
  offset: number;
  /** Whether the controls are on show. */
  isRaised: boolean;
}
export const SubtitleLayer = ({ video, subtitle, offset, isRaised }: SubtitlesProps) => {
  const { shown, shownAbove, lines, onFailed, onSecondFailed } = subtitle;
  const PicturesHere = useLoaded(shown?.as === 'pictures', loadPictures, onFailed);
  const StyledHere = useLoaded(shown?.as === 'styled', loadStyled, onFailed);
  return (
    <>
      {shown?.as === 'text' && (
        <Captions
          key={shown.url}
          video={video}
          track={shown}
          offset={offset}
          isRaised={isRaised}
          lines={lines}
          onFailed={onFailed}
        />
      )}
      {shown?.as === 'pictures' && PicturesHere && (
        <PicturesHere key={shown.url} video={video} url={shown.url} offset={offset} onFailed={onFailed} />
      )}
      {shown?.as === 'styled' && StyledHere && (
        <StyledHere
          key={shown.url}
          video={video}
          url={shown.url}
          fonts={shown.fonts}
          offset={offset}
          onFailed={onFailed}
        />
      )}
      {shownAbove && (
        <Captions
          key={`above ${shownAbove.url}`}
          video={video}
          track={shownAbove}
          offset={offset}
          isAbove
          isRaised={isRaised}
          onFailed={onSecondFailed}
        />
      )}
    </>
  );
};
