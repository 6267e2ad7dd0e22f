/** The waveform: shows loudness and speech, and moves lines to where they belong. */
import minus from 'lucide/dist/esm/icons/zoom-out.mjs';
import plus from 'lucide/dist/esm/icons/zoom-in.mjs';
import fit from 'lucide/dist/esm/icons/move-horizontal.mjs';
import anchor from 'lucide/dist/esm/icons/anchor.mjs';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { useStore, type Store } from '../../lib/store.ts';
import type { WorkbenchFilm } from '../film/use-film.ts';
import { shiftText, timeText } from '../model/srt.ts';
import { movedTime, type TimingChange } from '../model/timing.ts';
import { useWorkbench } from '../state/context.ts';
import { BAR, coloursOf, draw, rowTops } from './draw.ts';
import { onAt, showing, xOf, zoomed, type WaveformView } from './geometry.ts';
import { usePointers } from './pointer.ts';
import { useWaveformSound, type WaveformSound } from './use-audio.ts';
import css from './waveform.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';
import { rich } from '../../messages/rich.ts';

const STEP = 1.6;
const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** Returns a number that changes with the theme, so that the canvas is drawn again. */
function useTheme(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const next = () => setCount((n) => n + 1);
    const query = matchMedia('(prefers-color-scheme: dark)');
    // Older engines know only the first form.
    if (query.addEventListener) query.addEventListener('change', next);
    const watch = new MutationObserver(next);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      if (query.removeEventListener) query.removeEventListener('change', next);
      watch.disconnect();
    };
  }, []);
  return count;
}

function useSize(box: { readonly current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return size;
}

/** The position of the film: moved without drawing the rest, and kept in view while the film plays. */
const Cursor = ({ film, view, width }: { film: WorkbenchFilm; view: Store<WaveformView>; width: number }) => {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const move = () => {
      const time = film.time.get();
      const seen = view.get();
      if (film.isPlaying) view.set(showing(seen, time, film.duration));
      if (mark.current) mark.current.style.transform = `translateX(${Math.round(xOf(view.get(), width, time))}px)`;
    };
    move();
    const offs = [film.time.subscribe(move), view.subscribe(move)];
    return () => {
      for (const off of offs) off();
    };
  }, [film.time, film.isPlaying, film.duration, view, width]);
  return <div ref={mark} className={css.cursor} />;
};

const says = ({ isListening, how, why }: WaveformSound): string | undefined =>
  why !== undefined
    ? m.theLinesAreShownWithout({ why })
    : isListening
      ? (how ?? m.analysingTheAudioOncePer)
      : undefined;

const Legend = () => (
  <>{rich(m.installedAboveProposedBelowSpeech, { span: <span className={css.mouse}>{m.dragALineToMove}</span> })}</>
);

const anchorTimes = (timing: TimingChange): number[] =>
  timing.kind === 'anchors' ? timing.anchors.map(({ at }) => movedTime(timing, at) / 1000) : [];

export const Waveform = () => {
  const { session, film, view, selection, commands } = useWorkbench();
  const { current, proposed } = session.lines;
  const { row } = selection;
  const { timing } = session.steps.settings;
  const anchors = useMemo(() => anchorTimes(timing), [timing]);
  const selected = { current: row?.current[0]?.index, proposed: row?.proposed[0]?.index };
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const theme = useTheme();
  const seen = useStore(view);
  const sound = useWaveformSound(session, { language: session.language, view, duration: film.duration });
  const [isAnchoring, setAnchoring] = useState(false);
  const [drag, setDrag] = useState<{ index: number; by: number }>();
  const shown = useMemo(
    () =>
      drag
        ? proposed.map((cue) =>
            cue.index === drag.index ? { ...cue, start: cue.start + drag.by, end: cue.end + drag.by } : cue,
          )
        : proposed,
    [proposed, drag],
  );
  useEffect(() => {
    if (!canvas.current || size.width === 0) return;
    const unit = rem();
    draw(canvas.current, {
      ...size,
      view: seen,
      pieces: sound.pieces,
      current,
      proposed: shown,
      selected: drag ? { ...selected, proposed: drag.index } : selected,
      anchors,
      colours: coloursOf(canvas.current),
      unit,
    });
  }, [size, seen, theme, sound.pieces, current, shown, selected.current, selected.proposed, anchors]);
  const sideAt = (y: number): 'current' | 'proposed' | undefined => {
    const unit = rem();
    const lanes = rowTops(size.height, unit);
    const at = y * size.height;
    return at >= lanes.proposed
      ? 'proposed'
      : at >= lanes.current && at <= lanes.current + BAR * unit
        ? 'current'
        : undefined;
  };
  usePointers(box, {
    view,
    duration: film.duration,
    onPress: (time, { y, isAnchor }) => {
      if ((isAnchor || isAnchoring) && row) {
        setAnchoring(false);
        return commands.anchorAt(time);
      }
      film.seek(time);
      const side = sideAt(y);
      const [cue] = side ? onAt(side === 'proposed' ? proposed : current, time) : [];
      if (side && cue) commands.chooseCue(side, cue.index);
    },
    lineAt: (time, y) => (!isAnchoring && sideAt(y) === 'proposed' ? onAt(proposed, time)[0]?.index : undefined),
    onDrag: setDrag,
    onDrop: ({ index, by }) => commands.moveCue(index, Math.max(0, (proposed[index]?.start ?? 0) + by)),
  });
  const zoom = (by: number) => view.set(zoomed(view.get(), by, film.time.get(), film.duration));
  return (
    <section className={css.wave} aria-label={m.waveform}>
      <div className={css.bar}>
        <p className={css.legend} role="status">
          {drag ? m.releaseToSetAnAnchor({ shiftText: shiftText(drag.by * 1000) }) : (says(sound) ?? <Legend />)}
        </p>
        {sound.why !== undefined && !sound.isListening && sound.again && (
          <Button look="quiet" onClick={sound.again}>
            {m.tryAgain}
          </Button>
        )}
        <Button
          look={isAnchoring ? 'primary' : 'quiet'}
          icon={anchor}
          aria-pressed={isAnchoring}
          disabled={!row}
          title={m.thenClickTheWaveformWhere}
          onClick={() => setAnchoring((is) => !is)}
        >
          {isAnchoring ? m.clickWhereItStarts : m.setAnchor}
        </Button>
        <IconButton icon={minus} label={m.zoomOut} onClick={() => zoom(1 / STEP)} />
        <IconButton icon={plus} label={m.zoomIn} onClick={() => zoom(STEP)} />
        <IconButton icon={fit} label={m.wholeFilm} onClick={() => zoom(0)} />
      </div>
      <Surface box={box} film={film} isAnchoring={isAnchoring}>
        <canvas ref={canvas} className={css.canvas} aria-hidden="true" />
        <Cursor film={film} view={view} width={size.width} />
      </Surface>
    </section>
  );
};

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -0.1, ArrowRight: 0.1, PageUp: -10, PageDown: 10 };
/** The focusable part: a slider for the position in the film. */
const Surface = ({
  box,
  film,
  isAnchoring,
  children,
}: {
  box: { current: HTMLDivElement | null };
  film: WorkbenchFilm;
  isAnchoring: boolean;
  children: ComponentChildren;
}) => {
  const slider = useRef<HTMLDivElement | null>(null);
  useEffect(() => {
    const update = () => {
      const time = film.time.get();
      slider.current?.setAttribute('aria-valuenow', String(Math.round(time)));
      slider.current?.setAttribute('aria-valuetext', timeText(time));
    };
    update();
    return film.time.subscribe(update);
  }, [film.time]);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? film.duration
          : step === undefined
            ? undefined
            : film.time.get() + step * (event.shiftKey ? 10 : 1);
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    film.seek(to);
  };
  return (
    <div
      ref={(element) => {
        slider.current = element;
        box.current = element;
      }}
      className={css.surface}
      // Time runs from left to right in every language.
      dir="ltr"
      role="slider"
      tabIndex={0}
      aria-label={m.positionInTheFilm}
      aria-valuemin={0}
      aria-valuemax={Math.round(film.duration)}
      aria-valuenow={0}
      data-anchoring={isAnchoring || undefined}
      onKeyDown={onKey}
    >
      {children}
    </div>
  );
};
