/**
 * Shows the chosen subtitle. The browser reads the WebVTT file (so that cues are there before the file ends);
 * its cues are drawn here, because only then size, height and background can be chosen, and the time of the
 * cues nudged. Each piece of a cue becomes an element; nothing is ever parsed as markup.
 */
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { SubtitleTrack } from '../../../contract/catalog.ts';
import { cx } from '../../lib/cx.ts';
import { useStore } from '../../lib/store.ts';
import { playerPreferences } from '../engine/preferences.ts';
import { activeAt, placeOf, withoutDoubles, type Place } from './cue-layout.ts';
import { piecesOf, type Piece } from './cue-text.ts';
import css from './captions.module.css';

const drawn = (pieces: readonly Piece[]): ComponentChildren =>
  pieces.map((piece, at) => {
    if (typeof piece === 'string') return piece;
    const { tag: Tag, lang, voice, children } = piece;
    return (
      <Tag key={at} lang={lang} title={voice}>
        {drawn(children)}
      </Tag>
    );
  });

const Cue = ({ text, align }: { text: string; align: Place['align'] }) => {
  // A line is its own block, so that each has its own background.
  const lines = text.split(/\r?\n/);
  return (
    <div className={css.cue} style={{ textAlign: align }} data-cue>
      <span className={css.words}>{drawn(piecesOf(lines.join('\n')))}</span>
    </div>
  );
};

interface Shown {
  text: string;
  place: Place;
}
const FASTEST_MS = 60;

/** The cues that are on now, looked up on every frame while it plays and at every jump. */
function useCues(video: HTMLVideoElement, track: TextTrack | undefined, offset: number): readonly Shown[] {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(() => {
    if (!track) return setShown([]);
    let frame = 0;
    let last = '';
    let looked = 0;
    const look = () => {
      const on = withoutDoubles(activeAt((track.cues ?? []) as unknown as ArrayLike<VTTCue>, video.currentTime - offset));
      const name = on.map((cue) => `${cue.startTime}/${cue.text}`).join('\u0000');
      if (name === last) return;
      last = name;
      setShown(on.map((cue) => ({ text: cue.text, place: placeOf(cue as unknown as Parameters<typeof placeOf>[0]) })));
    };
    const tick = (now: number) => {
      if (now - looked > FASTEST_MS) {
        looked = now;
        look();
      }
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    // Frames rest while the page is out of view, as in picture in picture.
    video.addEventListener('timeupdate', look);
    return () => {
      cancelAnimationFrame(frame);
      video.removeEventListener('timeupdate', look);
    };
  }, [video, track, offset]);
  return shown;
}

export interface CaptionsProps {
  video: HTMLVideoElement;
  track: Pick<SubtitleTrack, 'key' | 'language' | 'title'> & { url: string };
  offset: number;
  /** Whether the controls are on show: the text then stands above them. */
  isRaised: boolean;
  onFailed: () => void;
}

/** Adds the track to the media element for as long as this is shown. */
function useTrack(video: HTMLVideoElement, { track, onFailed }: Pick<CaptionsProps, 'track' | 'onFailed'>): TextTrack | undefined {
  const [found, setFound] = useState<TextTrack>();
  useEffect(() => {
    const element = document.createElement('track');
    element.kind = 'subtitles';
    element.label = track.title;
    if (track.language) element.srclang = track.language;
    element.src = track.url;
    element.addEventListener('error', onFailed);
    video.append(element);
    element.track.mode = 'hidden';
    setFound(element.track);
    // A phone in its own full screen, and picture in picture, show nothing of this page: there the browser draws.
    const native = () => {
      element.track.mode = 'showing';
    };
    const own = () => {
      element.track.mode = 'hidden';
    };
    const moments: readonly [string, () => void][] = [['webkitbeginfullscreen', native], ['webkitendfullscreen', own], ['enterpictureinpicture', native], ['leavepictureinpicture', own]];
    for (const [name, listener] of moments) video.addEventListener(name, listener);
    return () => {
      element.track.mode = 'disabled';
      for (const [name, listener] of moments) video.removeEventListener(name, listener);
      element.remove();
    };
  }, [video, track.url]);
  return found;
}

interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
  /** What is free below the picture. */
  under: number;
}
/** Where the picture is within its element: text belongs on the picture, not on the black around it. */
function useBox(video: HTMLVideoElement): Box | undefined {
  const [box, setBox] = useState<Box>();
  useEffect(() => {
    const measure = () => {
      const { clientWidth, clientHeight, videoWidth, videoHeight } = video;
      const scale = videoWidth > 0 ? Math.min(clientWidth / videoWidth, clientHeight / videoHeight) : 1;
      const width = videoWidth > 0 ? videoWidth * scale : clientWidth;
      const height = videoWidth > 0 ? videoHeight * scale : clientHeight;
      const top = (clientHeight - height) / 2;
      setBox({ top, left: (clientWidth - width) / 2, width, height, under: top });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(video);
    video.addEventListener('resize', measure);
    return () => {
      watch.disconnect();
      video.removeEventListener('resize', measure);
    };
  }, [video]);
  return box;
}

export const Captions = ({ video, track, offset, isRaised, onFailed }: CaptionsProps) => {
  const { size, height, ground, colour } = useStore(playerPreferences);
  const text = useTrack(video, { track, onFailed });
  const cues = useCues(video, text, offset);
  const box = useBox(video);
  const inBand = (at: Place['band']['at']) => cues.filter(({ place }) => place.band.at === at && !place.box);
  if (!box) return null;
  const { top, left, width, height: tall, under } = box;
  return (
    <div className={cx(css.captions, css[size], css[ground], css[colour], css[`at-${height}`], isRaised && css.raised)} lang={track.language} style={{ top, left, width, height: tall, fontSize: `${Math.max(tall, width * 0.5, 320)}px`, '--under': `${under}px` }} aria-hidden="true">
      <div className={css.top}>
        {inBand('top').map((cue) => (
          <Cue key={cue.text} text={cue.text} align={cue.place.align} />
        ))}
      </div>
      {cues
        .filter(({ place }) => place.box !== undefined || place.band.at === 'percent')
        .map(({ text: words, place }) => (
          <div key={words} className={cx(css.free, place.band.at === 'bottom' && css.low)} style={{ left: `${place.box?.left ?? 5}%`, width: `${place.box?.width ?? 90}%`, ...(place.band.at === 'percent' ? { top: `${place.band.top}%` } : place.band.at === 'top' ? { top: '4%' } : {}) }}>
            <Cue text={words} align={place.align} />
          </div>
        ))}
      <div className={css.bottom}>
        {inBand('bottom').map((cue) => (
          <Cue key={cue.text} text={cue.text} align={cue.place.align} />
        ))}
      </div>
    </div>
  );
};
