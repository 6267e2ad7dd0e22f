/** The state that all parts of the workbench share. `workbench.tsx` provides it. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { createStore } from '../../lib/store.ts';
import type { WorkbenchFilm } from '../film/use-film.ts';
import { rowAt, shownRows, type LineComparison } from '../model/rows.ts';
import { wholeView, type WaveformView } from '../waveform/geometry.ts';
import { createCommands } from './commands.ts';
import { placesOf, selectionReducer, startSelection } from './selection.ts';
import type { FocusTargets, WorkbenchSession, WorkbenchState } from './types.ts';

export const WorkbenchContext = createContext<WorkbenchState | undefined>(undefined);

export function useWorkbench(): WorkbenchState {
  const state = useContext(WorkbenchContext);
  if (!state) throw new Error('useWorkbench is called outside of the workbench');
  return state;
}

/** Returns the place of the row that the film is at. Renders only when it is another row. */
function usePlaying(rows: readonly LineComparison[], film: WorkbenchFilm): number | undefined {
  const [playing, setPlaying] = useState<number>();
  useEffect(() => {
    const look = () => setPlaying(rowAt(rows, film.time.get()));
    look();
    return film.time.subscribe(look);
  }, [rows, film.time]);
  return playing;
}

function useSelection({ lines, installed }: WorkbenchSession, film: WorkbenchFilm) {
  const { rows } = lines;
  const [selection, select] = useReducer(
    selectionReducer,
    installed.inspected.current ? ('timing' as const) : ('source' as const),
    startSelection,
  );
  const { line, filter, search, isFollowing } = selection;
  const shown = useMemo(() => shownRows(rows, filter, search), [rows, filter, search]);
  const places = useMemo(() => placesOf(rows), [rows]);
  const place = line && places[line.side].get(line.index);
  const playing = usePlaying(rows, film);
  useEffect(() => {
    if (isFollowing && film.isPlaying && playing !== undefined)
      select({ type: 'reveal', place: playing, isFocus: false });
  }, [isFollowing, film.isPlaying, playing]);
  const row = place === undefined ? undefined : rows[place];
  return { select, selection: { ...selection, shown, places, place, row, playing } };
}

/** Creates the state of one session. The commands stay the same from render to render. */
export function useWorkbenchState(
  needs: Pick<WorkbenchState, 'session' | 'item' | 'film' | 'apply' | 'drafting'>,
): WorkbenchState {
  const { session, film } = needs;
  const view = useMemo(() => createStore<WaveformView>(wholeView(film.duration)), [film.duration]);
  const { selection, select } = useSelection(session, film);
  const focus = useRef<FocusTargets>({
    search: { current: null },
    lineText: { current: null },
    list: { current: null },
    isTextWanted: { current: false },
  }).current;
  const latest = useRef<WorkbenchState | undefined>(undefined);
  const commands = useMemo(() => createCommands(() => latest.current as WorkbenchState), []);
  latest.current = { ...needs, view, selection, select, focus, commands };
  return latest.current;
}
