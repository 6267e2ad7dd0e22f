/** What is chosen, shown and done on the workbench, tied to its keys. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { announce } from '../lib/announce.ts';
import { toast } from '../kit/layers/toast.tsx';
import { createStore, type Store } from '../lib/store.ts';
import type { Acts } from './use-acts.tsx';
import type { Film } from './film/use-film.ts';
import type { Work } from './use-work.ts';
import { whole, zoomed, type View } from './wave/geometry.ts';
import { added, edited, removed, type Changed, type Edit } from './work/edit.ts';
import { actionOf, type Action } from './work/keys.ts';
import { indexIn, isIn, rowAt, shownRows, startOf, type Filter, type Row } from './work/rows.ts';
import { anchored, shiftedBy } from './work/settings.ts';
import { shiftText } from './work/srt.ts';
import { moved, unmoved } from './work/timing.ts';

/** A line by its place on one side, which outlives a new comparison. */
export interface Chosen {
  side: 'current' | 'proposed';
  index: number;
}
export type Panel = 'timing' | 'cleanup' | 'source' | 'line';

export interface Bench {
  view: Store<View>;
  filter: Filter;
  setFilter: (filter: Filter) => void;
  search: string;
  setSearch: (text: string) => void;
  shown: readonly number[];
  place: number | undefined;
  row: Row | undefined;
  playing: number | undefined;
  reveal: { place: number; isFocus: boolean } | undefined;
  panel: Panel;
  setPanel: (panel: Panel) => void;
  isFollowing: boolean;
  setFollowing: (on: boolean) => void;
  isHelp: boolean;
  setHelp: (on: boolean) => void;
  choose: (place: number) => void;
  chooseCue: (side: Chosen['side'], index: number) => void;
  open: (place: number) => void;
  edit: (edit: Edit) => void;
  /** Somebody has looked: the words of the draft are right as they are. */
  readsRight: () => void;
  /** Gives the focus to the chosen line in the list. */
  toLine: () => void;
  remove: () => void;
  keep: () => void;
  add: () => void;
  playLine: () => void;
  /** The chosen line starts at this second. */
  anchorAt: (time: number) => void;
  /** The proposed line starts at this second, chosen or not. */
  moveLine: (index: number, time: number) => void;
}

const idOf = (row: Row | undefined): Chosen | undefined =>
  row?.current[0]
    ? { side: 'current', index: row.current[0].index }
    : row?.proposed[0]
      ? { side: 'proposed', index: row.proposed[0].index }
      : undefined;

/** Where each cue of either side stands among the rows. */
function usePlaces(rows: readonly Row[]) {
  return useMemo(() => {
    const places = { current: new Map<number, number>(), proposed: new Map<number, number>() };
    rows.forEach((row, place) => {
      for (const side of ['current', 'proposed'] as const)
        for (const { index } of row[side]) places[side].set(index, place);
    });
    return places;
  }, [rows]);
}

/** The row that the film is at; drawn anew only when it is another. */
function usePlaying(rows: readonly Row[], film: Film): number | undefined {
  const [playing, setPlaying] = useState<number>();
  useEffect(() => {
    const look = () => setPlaying(rowAt(rows, film.time.get()));
    look();
    return film.time.subscribe(look);
  }, [rows, film.time]);
  return playing;
}
/** A little before a line, so that its first sound is heard. */
const LEAD_S = 0.3;
const NEW_LINE_S = 2;

function useEdits(
  work: Work,
  row: Row | undefined,
  { film, choose }: { film: Film; choose: (chosen: Chosen) => void },
) {
  const take = ({ settings, at }: Changed, joins?: string) => {
    work.set(settings, joins);
    if (at >= 0) choose({ side: 'proposed', index: at });
  };
  const index = row?.proposed[0]?.index;
  return {
    edit: (edit: Edit) => index !== undefined && work.canEdit && take(edited(work, index, edit), `line ${index}`),
    readsRight: () => {
      const [cue] = row?.proposed ?? [];
      if (cue && work.canEdit && cue.confidence !== undefined) take(edited(work, cue.index, cue));
    },
    remove: () => index !== undefined && work.canEdit && take(removed(work, index)),
    keep: () => {
      const [cue] = row?.current ?? [];
      if (!cue || !work.canEdit) return;
      const { timing } = work.settings;
      take(
        added(
          work,
          {
            start: Math.max(0, moved(timing, cue.start * 1000) / 1000),
            end: Math.max(0.001, moved(timing, cue.end * 1000) / 1000),
            text: cue.text,
          },
          [cue.index],
        ),
      );
    },
    add: () =>
      work.canEdit &&
      take(added(work, { start: film.time.get(), end: film.time.get() + NEW_LINE_S, text: 'New line' })),
  };
}

function anchorFor(work: Work, row: Row, time: number): { at: number; offset: number } {
  const { settings, previewed } = work;
  const [cue] = row.proposed;
  // A line that is paired tells its time before; of another it is reckoned back.
  const paired = settings.source.kind === 'installed' && row.kind !== 'beside' ? row.current[0] : undefined;
  const at = Math.round(
    paired ? paired.start * 1000 : unmoved(settings.timing, startOf(row) * 1000, previewed?.alignment, cue?.index ?? 0),
  );
  return { at, offset: Math.round(time * 1000) - at };
}

export function useBench(work: Work, film: Film, acts: Acts): Bench {
  const { rows } = work;
  const view = useMemo(() => createStore<View>(whole(film.duration)), [film.duration]);
  const [filter, setFilter] = useState<Filter>('all');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Chosen>();
  const [panel, setPanel] = useState<Panel>(work.inspected.current ? 'timing' : 'source');
  const [isFollowing, setFollowing] = useState(false);
  const [isHelp, setHelp] = useState(false);
  const [reveal, setReveal] = useState<Bench['reveal']>();
  const shown = useMemo(() => shownRows(rows, filter, search), [rows, filter, search]);
  const places = usePlaces(rows);
  const place = chosen && places[chosen.side].get(chosen.index);
  const row = place === undefined ? undefined : rows[place];
  const playing = usePlaying(rows, film);
  useEffect(() => {
    if (isFollowing && film.isPlaying && playing !== undefined) setReveal({ place: playing, isFocus: false });
  }, [isFollowing, film.isPlaying, playing]);
  const latest = useRef({ rows, film });
  latest.current = { rows, film };
  const choose = useCallback((to: number) => {
    const { rows: all, film: shownFilm } = latest.current;
    const next = all[to];
    setChosen(idOf(next));
    setReveal({ place: to, isFocus: false });
    // While it plays, looking about does not disturb it.
    if (!shownFilm.isPlaying) shownFilm.seek(startOf(next));
  }, []);
  const open = useCallback((to: number) => {
    choose(to);
    openLine(setPanel);
  }, []);
  const anchor = (of: Row, time: number): void => {
    const next = anchored(work.settings.timing, anchorFor(work, of, time));
    if (typeof next === 'string') return toast({ message: next, isError: true });
    setPanel('timing');
    return work.set((now) => ({ ...now, timing: next }));
  };
  const edits = useEdits(work, row, { film, choose: setChosen });
  const bench: Bench = {
    view,
    filter,
    setFilter,
    search,
    setSearch,
    shown,
    place,
    row,
    playing,
    reveal,
    panel,
    setPanel,
    isFollowing,
    setFollowing,
    isHelp,
    setHelp,
    choose,
    open,
    ...edits,
    chooseCue: (side, index) => {
      const to = places[side].get(index);
      if (to === undefined) return;
      setChosen(idOf(rows[to]));
      setReveal({ place: to, isFocus: false });
    },
    toLine: () => place !== undefined && setReveal({ place, isFocus: true }),
    playLine: () =>
      row &&
      film.playPart(Math.max(0, startOf(row) - LEAD_S), (row.proposed[0] ?? row.current[0])?.end ?? startOf(row)),
    anchorAt: (time) => (row ? anchor(row, time) : toast({ message: 'Choose a line in the list first' })),
    moveLine: (index, time) => {
      const moving = rows[places.proposed.get(index) ?? -1];
      if (!moving) return;
      setChosen(idOf(moving));
      anchor(moving, time);
    },
  };
  useKeys({ work, film, acts, bench, setReveal, setChosen });
  return bench;
}

/** Brings the line's panel and puts the focus into its text once it is there. */
function openLine(setPanel: (panel: Panel) => void): void {
  setPanel('line');
  setTimeout(() => document.querySelector<HTMLElement>('[data-line-text]')?.focus(), 30);
}

interface KeyNeeds {
  work: Work;
  film: Film;
  acts: Acts;
  bench: Bench;
  setReveal: (reveal: Bench['reveal']) => void;
  setChosen: (chosen: Chosen | undefined) => void;
}
function useKeys(needs: KeyNeeds): void {
  const now = useRef(needs);
  now.current = needs;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || target.closest('dialog, [role="menu"]') || document.querySelector('dialog[open]'))
        return;
      const isTyping =
        target.isContentEditable ||
        /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
        (target instanceof HTMLInputElement && !/^(checkbox|radio|button|file)$/.test(target.type));
      const action = actionOf(event, {
        isTyping,
        isOnControl: target.closest('button, a[href], summary, input') !== null,
      });
      if (!action) return;
      event.preventDefault();
      act(action, now.current);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** The next place among those on show, from the chosen one on. */
function go({ bench, work, setChosen, setReveal, film }: KeyNeeds, to: number | undefined): void {
  if (to === undefined) return;
  const row = work.rows[to];
  setChosen(idOf(row));
  setReveal({ place: to, isFocus: true });
  if (!film.isPlaying) film.seek(startOf(row));
  if (bench.panel === 'line') bench.setPanel('line');
}
function nextOf({ bench, work }: KeyNeeds, of: Filter, by: 1 | -1): number | undefined {
  const from = bench.place ?? (by > 0 ? -1 : work.rows.length);
  for (let at = from + by; at >= 0 && at < work.rows.length; at += by) {
    const row = work.rows[at];
    if (row && isIn(row, of) && indexIn(bench.shown, at) >= 0) return at;
  }
  return undefined;
}
const NONE: Readonly<Record<'changed' | 'warned' | 'unsure', string>> = {
  changed: 'No further line is changed',
  warned: 'No further line has a warning',
  unsure: 'No further line is uncertain',
};

function move(needs: KeyNeeds, action: Extract<Action, { do: 'row' | 'edge' | 'next' }>): void {
  const { shown, place } = needs.bench;
  if (action.do === 'next') {
    const to = nextOf(needs, action.of, action.by);
    if (to === undefined) toast({ message: NONE[action.of] });
    return go(needs, to);
  }
  if (action.do === 'edge') return go(needs, action.to === 'first' ? shown[0] : shown[shown.length - 1]);
  const at = place === undefined ? -1 : indexIn(shown, place);
  return go(needs, shown[Math.min(shown.length - 1, Math.max(0, at < 0 ? 0 : at + action.by))]);
}

function act(action: Action, needs: KeyNeeds): void {
  const { work, film, acts, bench } = needs;
  const { settings, set } = work;
  const [cue] = bench.row?.proposed ?? [];
  switch (action.do) {
    case 'row':
    case 'edge':
    case 'next':
      return move(needs, action);
    case 'toggle':
      return film.toggle();
    case 'seek':
      return film.seek(film.time.get() + action.by);
    case 'playLine':
      return bench.playLine();
    case 'shift': {
      const timing = shiftedBy(settings.timing, action.by);
      announce(
        timing.kind === 'offset'
          ? `Shift ${shiftText(timing.ms)}`
          : timing.kind === 'anchors'
            ? `Anchors ${shiftText(action.by)}`
            : 'No shift',
      );
      return set({ ...settings, timing });
    }
    case 'align':
      return set({ ...settings, timing: settings.timing.kind === 'auto' ? { kind: 'none' } : { kind: 'auto' } });
    case 'anchor':
      return bench.anchorAt(film.time.get());
    case 'edit':
      return bench.row ? openLine(bench.setPanel) : undefined;
    case 'toLine':
      return bench.toLine();
    case 'right':
      return bench.readsRight();
    case 'setStart':
      return cue
        ? bench.edit({ start: film.time.get(), end: Math.max(cue.end, film.time.get() + 0.2), text: cue.text })
        : undefined;
    case 'setEnd':
      return cue && film.time.get() > cue.start
        ? bench.edit({ start: cue.start, end: film.time.get(), text: cue.text })
        : undefined;
    case 'apply':
      return void acts.apply();
    case 'undo':
    case 'redo':
      return work[action.do]();
    case 'search':
      return document.querySelector<HTMLElement>('[data-line-search]')?.focus();
    case 'follow':
      return bench.setFollowing(!bench.isFollowing);
    case 'zoom':
      return bench.view.set(zoomed(bench.view.get(), action.by, film.time.get(), film.duration));
    case 'help':
      return bench.setHelp(true);
  }
}
