/** The film with the proposed line over it, and its controls. */
import pause from 'lucide/dist/esm/icons/pause.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import back from 'lucide/dist/esm/icons/rewind.mjs';
import on from 'lucide/dist/esm/icons/fast-forward.mjs';
import { useEffect, useState } from 'preact/hooks';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { useStore, type Store } from '../../lib/store.ts';
import { CueText } from '../lines/cue-text.tsx';
import { onAt } from '../waveform/geometry.ts';
import type { WorkbenchCue } from '../model/rows.ts';
import { timeText } from '../model/srt.ts';
import { useWorkbench } from '../state/context.ts';
import type { WorkbenchFilm } from './use-film.ts';
import css from './film.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';

const SKIP_S = 5;

/** Returns the lines at the position of the film. Renders only when they change. */
function useOn(time: Store<number>, cues: readonly WorkbenchCue[]): readonly WorkbenchCue[] {
  const [shown, setShown] = useState<readonly WorkbenchCue[]>([]);
  useEffect(() => {
    const look = () => {
      const next = onAt(cues, time.get());
      setShown((before) =>
        before.length === next.length && before.every((cue, at) => cue === next[at]) ? before : next,
      );
    };
    look();
    return time.subscribe(look);
  }, [time, cues]);
  return shown;
}

const Over = ({ film, cues, language }: { film: WorkbenchFilm; cues: readonly WorkbenchCue[]; language: string }) => {
  const shown = useOn(film.time, cues);
  return (
    <div className={css.over} lang={language} aria-hidden="true">
      {shown.map((cue) => (
        <p key={cue.index} dir="auto">
          <span data-cue>
            <CueText text={cue.text} />
          </span>
        </p>
      ))}
    </div>
  );
};

const Clock = ({ time }: { time: Store<number> }) => <span className={css.clock}>{timeText(useStore(time))}</span>;

export const FilmPane = () => {
  const { session, film } = useWorkbench();
  return (
    <section className={css.film} aria-label={m.film}>
      <div className={css.picture}>
        {film.url !== undefined && (
          <video
            ref={film.setVideo}
            className={css.video}
            playsInline
            preload="metadata"
            aria-label={session.installed.inspected.title}
            onClick={film.toggle}
          />
        )}
        {film.why !== undefined && (
          <div className={css.why}>
            <p>{film.why}</p>
            <p>{m.youCanStillEditWith}</p>
            {film.tryAnyway && <Button onClick={film.tryAnyway}>{m.tryAnyway}</Button>}
          </div>
        )}
        <Over film={film} cues={session.lines.proposed} language={session.language} />
      </div>
      <div className={css.controls}>
        <IconButton
          icon={back}
          label={m.backSeconds({ skipS: SKIP_S })}
          onClick={() => film.seek(film.time.get() - SKIP_S)}
        />
        <IconButton
          icon={film.isPlaying ? pause : play}
          label={film.isPlaying ? m.pause : m.play}
          isFilled
          onClick={film.toggle}
          disabled={film.url === undefined}
        />
        <IconButton
          icon={on}
          label={m.forwardSeconds({ skipS: SKIP_S })}
          onClick={() => film.seek(film.time.get() + SKIP_S)}
        />
        <Clock time={film.time} />
      </div>
    </section>
  );
};
