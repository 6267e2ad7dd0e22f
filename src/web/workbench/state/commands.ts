/** Everything that buttons, the list, the waveform and shortcuts do on the workbench. */
import { toast } from '../../kit/layers/toast.tsx';
import { added, edited, removed, type EditResult } from '../model/edit.ts';
import { startOf, type LineComparison } from '../model/rows.ts';
import { anchored } from '../model/settings.ts';
import { movedTime, unmoved } from '../model/timing.ts';
import { lineOf } from './selection.ts';
import type { Commands, WorkbenchState } from './types.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

/** Seconds to play before a line, so that its first sound is heard. */
const LEAD_S = 0.3;
const NEW_LINE_S = 2;

/** Commands read the state with `now` when they are called. */
export function createCommands(now: () => WorkbenchState): Commands {
  const choose = (place: number) => {
    const { session, film, select } = now();
    const row = session.lines.rows[place];
    select({ type: 'choose', line: lineOf(row), place });
    // While the film plays, choosing a line does not move it.
    if (!film.isPlaying) film.seek(startOf(row));
  };
  return {
    choose,
    chooseCue: (side, index) => {
      const { session, selection, select } = now();
      const place = selection.places[side].get(index);
      if (place !== undefined) select({ type: 'choose', line: lineOf(session.lines.rows[place]), place });
    },
    openText: (place) => {
      if (place !== undefined) choose(place);
      const { focus, select } = now();
      select({ type: 'panel', panel: 'line' });
      if (focus.lineText.current) focus.lineText.current.focus();
      else focus.isTextWanted.current = true;
    },
    focusLine: () => {
      const { selection, select } = now();
      if (selection.place !== undefined) select({ type: 'reveal', place: selection.place, isFocus: true });
    },
    playLine: () => {
      const { selection, film } = now();
      const { row } = selection;
      if (!row) return;
      const end = (row.proposed[0] ?? row.current[0])?.end ?? startOf(row);
      film.playPart(Math.max(0, startOf(row) - LEAD_S), end);
    },
    anchorAt: (time) => {
      const { row } = now().selection;
      if (row) anchor(now(), row, time);
      else toast({ message: m.selectALineFirst });
    },
    moveCue: (index, time) => {
      const { session, selection, select } = now();
      const row = session.lines.rows[selection.places.proposed.get(index) ?? -1];
      if (!row) return;
      select({ type: 'choose', line: lineOf(row) });
      anchor(now(), row, time);
    },
    ...createEdits(now),
  };
}

function createEdits(
  now: () => WorkbenchState,
): Pick<Commands, 'edit' | 'acceptWords' | 'remove' | 'restoreLine' | 'add'> {
  const take = ({ settings, at }: EditResult, group?: string) => {
    const { session, select } = now();
    session.steps.set(settings, group);
    if (at >= 0) select({ type: 'choose', line: { side: 'proposed', index: at } });
  };
  /** Runs an edit of the rows, unless they are not those of the settings yet. */
  const change = (
    edit: (lines: {
      settings: WorkbenchState['session']['steps']['settings'];
      rows: readonly LineComparison[];
    }) => void,
  ) => {
    const { lines, steps } = now().session;
    if (lines.canEdit) edit({ settings: steps.settings, rows: lines.rows });
  };
  const indexOfLine = () => now().selection.row?.proposed[0]?.index;
  return {
    edit: (edit) => {
      const index = indexOfLine();
      if (index !== undefined) change((lines) => take(edited(lines, index, edit), `line ${index}`));
    },
    acceptWords: () => {
      const [cue] = now().selection.row?.proposed ?? [];
      if (cue?.confidence !== undefined) change((lines) => take(edited(lines, cue.index, cue)));
    },
    remove: () => {
      const index = indexOfLine();
      if (index !== undefined) change((lines) => take(removed(lines, index)));
    },
    restoreLine: () => {
      const [cue] = now().selection.row?.current ?? [];
      if (!cue) return;
      change((lines) => {
        const { timing } = lines.settings;
        const start = Math.max(0, movedTime(timing, cue.start * 1000) / 1000);
        const end = Math.max(0.001, movedTime(timing, cue.end * 1000) / 1000);
        take(added(lines, { start, end, text: cue.text }, [cue.index]));
      });
    },
    add: () => {
      const start = now().film.time.get();
      change((lines) => take(added(lines, { start, end: start + NEW_LINE_S, text: m.newLine })));
    },
  };
}

function anchor({ session, select }: WorkbenchState, row: LineComparison, time: number): void {
  const { steps } = session;
  const next = anchored(steps.settings.timing, anchorFor(session, row, time));
  if (typeof next === 'string') return toast({ message: next, isError: true });
  select({ type: 'panel', panel: 'timing' });
  return steps.set((settings) => ({ ...settings, timing: next }));
}

function anchorFor({ steps, preview }: WorkbenchState['session'], row: LineComparison, time: number) {
  const { source, timing } = steps.settings;
  const [cue] = row.proposed;
  // A paired line shows its original time; that of another line is computed from its proposed time.
  const paired = source.kind === 'installed' && row.kind !== 'overlap' ? row.current[0] : undefined;
  const at = Math.round(
    paired ? paired.start * 1000 : unmoved(timing, startOf(row) * 1000, preview.reply?.alignment, cue?.index ?? 0),
  );
  return { at, offset: Math.round(time * 1000) - at };
}
