/** The seek bar: where it is, what is here already, where chapters begin, and the time under the pointer. */
import { useRef, useState } from 'preact/hooks';
import { position } from '../../lib/format.ts';
import type { PlanMarker } from '../engine/markers.ts';
import { type PlaybackTime, useTime } from '../engine/media.ts';
import type { Film } from '../engine/timeline.ts';
import { chapterAt, limited, partOf, type ChapterMark } from '../engine/times.ts';
import { tileAt, type Tile } from '../engine/trickplay.ts';
import { TilePicture } from './marks/tile.tsx';
import css from './bar.module.css';
import { playerWords as m } from '../../messages/player.ts';

export interface BarProps {
  film: Film | undefined;
  chapters: readonly ChapterMark[];
  markers: readonly PlanMarker[];
  tiles: readonly Tile[];
  onSeek: (time: number) => void;
  onHold: (isHeld: boolean) => void;
  /** Seconds that an arrow key moves: 10 unless given. */
  step?: number;
}
/** Steps that a key moves. */
const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: 6, PageDown: -6 };
const STEP_S = 10;
/** Distance that the middle of a hint above the bar keeps from the ends of the bar, in pixels. */
const HINT_MARGIN = 56;
const TILE_MARGIN = 114;
const percent = (part: number): string => `${(part * 100).toFixed(3)}%`;

/** The line of the bar: what is loaded, the passages that can be skipped, what was played, and where chapters begin. */
const Track = ({
  duration,
  at,
  buffered,
  chapters,
  markers,
}: Pick<BarProps, 'chapters' | 'markers'> & Pick<PlaybackTime, 'duration' | 'buffered'> & { at: number }) => (
  <div className={css.track}>
    {buffered.map(({ from, to }) => (
      <div
        key={from}
        className={css.here}
        style={{
          left: percent(partOf(from, duration)),
          width: percent(partOf(to, duration) - partOf(from, duration)),
        }}
      />
    ))}
    {duration > 0 &&
      markers.map(({ kind, start, end }) => (
        <div
          key={`${kind}${start}`}
          className={css.passage}
          style={{
            left: percent(partOf(start, duration)),
            width: percent(partOf(end, duration) - partOf(start, duration)),
          }}
        />
      ))}
    <div className={css.done} style={{ width: percent(partOf(at, duration)) }} />
    {duration > 0 &&
      chapters.map(
        ({ start }) =>
          start > 1 && <div key={start} className={css.mark} style={{ left: percent(partOf(start, duration)) }} />,
      )}
  </div>
);

export const Bar = ({ film, chapters, markers, tiles, onSeek, onHold, step = STEP_S }: BarProps) => {
  const { time, duration, buffered } = useTime(film);
  const box = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<number>();
  const [held, setHeld] = useState<number>();
  const at = (event: PointerEvent): number => {
    const { left, width } = (box.current as HTMLDivElement).getBoundingClientRect();
    return limited((event.clientX - left) / Math.max(1, width), 0, 1) * duration;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || duration <= 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    setHeld(at(event));
    onHold(true);
  };
  const move = (event: PointerEvent) => {
    if (held !== undefined) setHeld(at(event));
    setOver(at(event));
  };
  const up = (event: PointerEvent) => {
    if (held === undefined) return;
    onSeek(at(event));
    drop();
  };
  const drop = () => {
    setHeld(undefined);
    onHold(false);
  };
  const onKey = (event: KeyboardEvent) => {
    const steps = KEYS[event.key];
    if (steps === undefined || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(time + steps * step);
  };
  const shown = held ?? time;
  const hint = held ?? over;
  const chapter = hint === undefined ? undefined : chapterAt(chapters, hint)?.chapter.title;
  const tile = hint === undefined ? undefined : tileAt(tiles, hint);
  const wide = box.current?.clientWidth ?? 0;
  const margin = tile ? TILE_MARGIN : HINT_MARGIN;
  // In numbers, because televisions know no clamp().
  const hintLeft = limited(partOf(hint ?? 0, duration) * wide, margin, wide - margin);
  return (
    <div
      ref={box}
      className={css.bar}
      // Time runs from left to right in every language.
      dir="ltr"
      role="slider"
      tabIndex={0}
      aria-label={m.position}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(shown)}
      aria-valuetext={m.of({ at: position(shown), duration: position(duration) })}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={drop}
      onPointerLeave={() => setOver(undefined)}
      onKeyDown={onKey}
    >
      <Track {...{ duration, buffered, chapters, markers }} at={shown} />
      <div className={css.knob} style={{ left: percent(partOf(shown, duration)) }} />
      {hint !== undefined && duration > 0 && (
        <div className={css.hint} style={{ left: `${hintLeft}px` }} aria-hidden="true">
          {tile && <TilePicture tile={tile} />}
          {chapter && <span className={css.chapter}>{chapter}</span>}
          <span>{position(hint)}</span>
        </div>
      )}
    </div>
  );
};

/** The time and the length, and on asking what is left. */
export const TimeLabel = ({ film }: { film: Film | undefined }) => {
  const { time, duration } = useTime(film);
  const [isLeft, setLeft] = useState(false);
  return (
    <button
      type="button"
      className={css.clock}
      onClick={() => setLeft(!isLeft)}
      title={isLeft ? m.showElapsedTime : m.showRemainingTime}
    >
      {isLeft ? `−${position(Math.max(0, duration - time))}` : position(time)} <span>/ {position(duration)}</span>
    </button>
  );
};
