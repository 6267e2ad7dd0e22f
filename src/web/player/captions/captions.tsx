/**
 * Shows text subtitles, one below and, if the viewer wants it, another one above. The cues are drawn here, because only
 * then size, height and background can be chosen, and their times nudged. Each piece of a cue becomes an element;
 * nothing is ever parsed as markup.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { cx } from '../../lib/cx.ts';
import { useStore } from '../../lib/store.ts';
import { playerPreferences } from '../engine/preferences.ts';
import { useBox } from './box.ts';
import type { Place } from './cue-layout.ts';
import { piecesOf, type CueTextNode } from '../../parts/subtitles/cue-text.ts';
import { lineStart, useCues, useTrack, type CueTrack, type ShownCue } from './use-cues.ts';
import css from './captions.module.css';

const drawn = (pieces: readonly CueTextNode[]): ComponentChildren =>
  pieces.map((piece, at) => {
    if (typeof piece === 'string') return piece;
    const { tag: Tag, lang, voice, children } = piece;
    return (
      <Tag key={at} lang={lang} title={voice}>
        {drawn(children)}
      </Tag>
    );
  });

const Cue = ({ text, align, isPast }: { text: string; align: Place['align']; isPast: boolean }) => {
  // A line is its own block, so that each has its own background.
  const lines = text.split(/\r?\n/);
  return (
    <div className={cx(css.cue, isPast && css.past)} style={{ textAlign: align }} data-cue>
      <span className={css.words}>{drawn(piecesOf(lines.join('\n')))}</span>
    </div>
  );
};

/** Operations of keys on the lines of a subtitle. */
export interface Lines {
  /** Returns the start of the current or last line, on the clock of the element. */
  start: () => number | undefined;
}
export interface CaptionsProps {
  video: HTMLVideoElement;
  track: CueTrack;
  /** How much later it comes, in seconds of the element's clock. */
  offset: number;
  /** The second of two tracks is shown at the top, wherever its cues would be. */
  isAbove?: boolean;
  /** Whether the controls are visible: the text then moves clear of them. */
  isRaised: boolean;
  lines?: RefObject<Lines | undefined>;
  onFailed: () => void;
}

/** Lets the film wait while the pointer is on a line, where that is wanted. */
function useLook(video: HTMLVideoElement): {
  onPointerOver: (event: PointerEvent) => void;
  onPointerLeave: () => void;
} {
  const { isHoverPause } = useStore(playerPreferences);
  const isHeld = useRef(false);
  const release = () => {
    if (isHeld.current) void video.play().catch(() => undefined);
    isHeld.current = false;
  };
  return {
    onPointerOver: (event) => {
      if (
        !isHoverPause ||
        event.pointerType !== 'mouse' ||
        video.paused ||
        !(event.target as Element).closest('[data-cue]')
      )
        return;
      isHeld.current = true;
      video.pause();
    },
    onPointerLeave: release,
  };
}

const free = ({ box, band }: Place): Record<string, string> => ({
  left: `${box?.left ?? 5}%`,
  right: 'auto',
  width: `${box?.width ?? 90}%`,
  ...(band.at === 'percent' ? { top: `${band.top}%` } : band.at === 'top' ? { top: '4%' } : {}),
});

export const Captions = ({ video, track, offset, isAbove = false, isRaised, lines, onFailed }: CaptionsProps) => {
  const { size, height, ground, colour } = useStore(playerPreferences);
  const text = useTrack(video, { track, isNative: !isAbove, onFailed });
  const cues = useCues(video, text, offset);
  const box = useBox(video);
  const look = useLook(video);
  useEffect(() => {
    if (!lines) return;
    lines.current = { start: () => lineStart(video, text, offset) };
    return () => {
      lines.current = undefined;
    };
  }, [video, text, offset]);
  if (!box) return null;
  const { top, left, width, height: tall, under } = box;
  const isFree = ({ place }: ShownCue): boolean => !isAbove && (place.box !== undefined || place.band.at === 'percent');
  const inBand = (at: Place['band']['at']) =>
    cues.filter((cue) => !isFree(cue) && (isAbove ? 'top' : cue.place.band.at) === at);
  const row = (cue: ShownCue) => (
    <Cue key={cue.text} text={cue.text} align={isAbove ? 'center' : cue.place.align} isPast={cue.isPast} />
  );
  return (
    <div
      className={cx(css.captions, css[size], css[ground], css[colour], css[`at-${height}`], isRaised && css.raised)}
      lang={track.language}
      style={{
        top,
        left,
        width,
        height: tall,
        fontSize: `${Math.max(tall, width * 0.5, 320)}px`,
        '--under': `${under}px`,
      }}
      aria-hidden="true"
      data-captions={isAbove ? 'above' : 'below'}
      {...look}
    >
      <div className={css.top}>{inBand('top').map(row)}</div>
      {cues.filter(isFree).map((cue) => (
        <div key={cue.text} className={cx(css.free, cue.place.band.at === 'bottom' && css.low)} style={free(cue.place)}>
          <Cue text={cue.text} align={cue.place.align} isPast={cue.isPast} />
        </div>
      ))}
      <div className={css.bottom}>{inBand('bottom').map(row)}</div>
    </div>
  );
};
