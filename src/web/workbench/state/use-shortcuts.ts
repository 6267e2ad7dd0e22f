/** The keyboard of the workbench. `model/keys.ts` says which key is which action. */
import { useEffect, useRef } from 'preact/hooks';
import { toast } from '../../kit/layers/toast.tsx';
import { announce } from '../../lib/announce.ts';
import { isInLayer, isTyping } from '../../lib/keyboard.ts';
import { workbenchAction, type WorkbenchAction } from '../model/keys.ts';
import { indexIn, isIn, startOf, type LineFilter } from '../model/rows.ts';
import { shiftedBy } from '../model/settings.ts';
import { shiftText } from '../model/srt.ts';
import { zoomed } from '../waveform/geometry.ts';
import { lineOf } from './selection.ts';
import type { WorkbenchState } from './types.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

export function useWorkbenchShortcuts(state: WorkbenchState): void {
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || isInLayer(target)) return;
      const isOnControl = target.closest('button, a[href], summary, input') !== null;
      const action = workbenchAction(event, { isTyping: isTyping(target), isOnControl });
      if (!action) return;
      event.preventDefault();
      run(action, latest.current);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function goTo({ session, film, select }: WorkbenchState, place: number | undefined): void {
  if (place === undefined) return;
  const row = session.lines.rows[place];
  select({ type: 'choose', line: lineOf(row), place, isFocus: true });
  if (!film.isPlaying) film.seek(startOf(row));
}

/** Returns the next place among the shown rows that a filter accepts. */
function nextPlace({ selection, session }: WorkbenchState, filter: LineFilter, by: 1 | -1): number | undefined {
  const { rows } = session.lines;
  const from = selection.place ?? (by > 0 ? -1 : rows.length);
  for (let at = from + by; at >= 0 && at < rows.length; at += by) {
    const row = rows[at];
    if (row && isIn(row, filter) && indexIn(selection.shown, at) >= 0) return at;
  }
  return undefined;
}
const noNext = (): Readonly<Record<'changed' | 'warned' | 'unsure', string>> => ({
  changed: m.noMoreChangedLines,
  warned: m.noMoreLinesWithWarnings,
  unsure: m.noMoreUncertainLines,
});

function move(action: Extract<WorkbenchAction, { do: 'row' | 'edge' | 'next' }>, state: WorkbenchState): void {
  const { shown, place } = state.selection;
  if (action.do === 'next') {
    const to = nextPlace(state, action.of, action.by);
    if (to === undefined) toast({ message: noNext()[action.of] });
    return goTo(state, to);
  }
  if (action.do === 'edge') return goTo(state, action.to === 'first' ? shown[0] : shown[shown.length - 1]);
  const at = place === undefined ? -1 : indexIn(shown, place);
  return goTo(state, shown[Math.min(shown.length - 1, Math.max(0, at < 0 ? 0 : at + action.by))]);
}

function shift(by: number, { session: { steps } }: WorkbenchState): void {
  const timing = shiftedBy(steps.settings.timing, by);
  announce(
    timing.kind === 'offset'
      ? m.shift({ shiftText: shiftText(timing.ms) })
      : timing.kind === 'anchors'
        ? m.anchors({ shiftText: shiftText(by) })
        : m.noShift,
  );
  steps.set({ ...steps.settings, timing });
}

/** Moves the start or the end of the chosen line to where the film is. */
function setTime(side: 'start' | 'end', { selection, film, commands }: WorkbenchState): void {
  const [cue] = selection.row?.proposed ?? [];
  const time = film.time.get();
  if (!cue) return;
  if (side === 'start') commands.edit({ start: time, end: Math.max(cue.end, time + 0.2), text: cue.text });
  else if (time > cue.start) commands.edit({ start: cue.start, end: time, text: cue.text });
}

function run(action: WorkbenchAction, state: WorkbenchState): void {
  const { session, film, view, selection, select, commands, apply, focus } = state;
  const { steps } = session;
  switch (action.do) {
    case 'row':
    case 'edge':
    case 'next':
      return move(action, state);
    case 'toggle':
      return film.toggle();
    case 'seek':
      return film.seek(film.time.get() + action.by);
    case 'playLine':
      return commands.playLine();
    case 'shift':
      return shift(action.by, state);
    case 'align':
      return steps.set((now) => ({ ...now, timing: now.timing.kind === 'auto' ? { kind: 'none' } : { kind: 'auto' } }));
    case 'anchor':
      return commands.anchorAt(film.time.get());
    case 'edit':
      return selection.row && commands.openText();
    case 'toLine':
      return commands.focusLine();
    case 'right':
      return commands.acceptWords();
    case 'setStart':
      return setTime('start', state);
    case 'setEnd':
      return setTime('end', state);
    case 'apply':
      return void apply.apply();
    case 'undo':
    case 'redo':
      return steps[action.do]();
    case 'search':
      return focus.search.current?.focus();
    case 'follow':
      return select({ type: 'follow', isOn: !selection.isFollowing });
    case 'zoom':
      return view.set(zoomed(view.get(), action.by, film.time.get(), film.duration));
    case 'help':
      return select({ type: 'help', isOpen: true });
  }
}
