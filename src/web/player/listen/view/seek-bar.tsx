/** The seek bar with the time and what is left of it. */
import { useState } from 'preact/hooks';
import { cx } from '../../../lib/cx.ts';
import { position } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import { jump } from '../engine/controls.ts';
import { listenClock } from '../engine/state.ts';
import css from './listening.module.css';

const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -10, ArrowRight: 10, PageUp: 60, PageDown: -60 };

export const SeekBar = ({ marks = [] }: { marks?: readonly number[] }) => {
  const { time, duration } = useStore(listenClock);
  const [held, setHeld] = useState<number>();
  const shown = Math.min(held ?? time, duration || Infinity);
  const share = duration > 0 ? shown / duration : 0;
  return (
    // Time has one direction in every language.
    <div className={css.seek} dir="ltr">
      <div className={css.line}>
        <div className={css.track} aria-hidden="true">
          <div className={css.done} style={{ width: `${share * 100}%` }} />
          {duration > 0 &&
            marks.map(
              (at) =>
                at > 1 && (
                  <div key={at} className={css.mark} style={{ marginInlineStart: `${(at / duration) * 100}%` }} />
                ),
            )}
        </div>
        <input
          type="range"
          className={css.range}
          aria-label={m.position}
          aria-valuetext={m.of({ at: position(shown), duration: position(duration) })}
          min={0}
          max={Math.max(1, duration)}
          step={0.1}
          value={Math.round(shown * 10) / 10}
          disabled={duration <= 0}
          data-keys="slider"
          onInput={(event) => setHeld(Number(event.currentTarget.value))}
          // The end of a drag. `onChange` would mean each step of it, as React has it.
          onChangeCapture={(event) => {
            jump(Number(event.currentTarget.value));
            setHeld(undefined);
          }}
          onKeyDown={(event) => {
            const by = KEYS[event.key];
            if (by === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            jump(Math.max(0, listenClock.get().time + by));
          }}
        />
      </div>
      <div className={cx(css.times, 'muted')} aria-hidden="true">
        <span>{position(shown)}</span>
        <span>−{position(Math.max(0, duration - shown))}</span>
      </div>
    </div>
  );
};
