/** The types of what the parts of the workbench share. */
import type { Reply } from '../../data/query.ts';
import type { Store } from '../../lib/store.ts';
import type { Drafting } from '../../parts/subtitles/draft/use-draft.ts';
import type { WorkbenchFilm } from '../film/use-film.ts';
import type { LineEdit } from '../model/edit.ts';
import type { WorkbenchCue, LineComparison, Tally } from '../model/rows.ts';
import type { ChosenRole, WorkbenchSettings } from '../model/settings.ts';
import type { WaveformView } from '../waveform/geometry.ts';
import type { LineId, Places, Selection, SelectionChange } from './selection.ts';
import type { Steps } from './steps.ts';

export type Inspection = Reply<'workbench', 'inspect'>;

export type PreviewResult = Reply<'workbench', 'preview'>;

export interface Comparison {
  rows: readonly LineComparison[];
  /** Proposed cues in order, or the installed ones if nothing is changed. */
  proposed: readonly WorkbenchCue[];
  current: readonly WorkbenchCue[];
  tally: Tally;
}

export interface InstalledSubtitle {
  inspected: Inspection;
  /** Set when the file was changed by something else. */
  notice: string | undefined;
  dismissNotice: () => void;
  /** Continues from the result of applying or restoring. */
  adopt: (next: Inspection, settings: WorkbenchSettings) => void;
  /** Reads the installed subtitle again. Resolves to true if it has changed. */
  reread: () => Promise<boolean>;
}

export interface PreviewState {
  /** Undefined if nothing is changed, and before the first reply. */
  reply: PreviewResult | undefined;
  isWaiting: boolean;
  error: string | undefined;
  retry: () => void;
  /** Why the settings cannot be applied. */
  blocked: string | undefined;
}

export interface SessionLines extends Comparison {
  /** False while the rows are not those of the settings yet. */
  canEdit: boolean;
}

export interface WorkbenchSession {
  id: string;
  /** The part of a film in several files that is edited. */
  part: number | undefined;
  language: string;
  /** The file of the language that is edited. Undefined: the first one. */
  role: ChosenRole | undefined;
  installed: InstalledSubtitle;
  steps: Steps;
  preview: PreviewState;
  lines: SessionLines;
  isDirty: boolean;
}

export interface ApplyActions {
  apply: () => Promise<void>;
  restore: () => Promise<void>;
  isBusy: boolean;
}

/** The selection with what follows from it and the rows. */
export interface CurrentSelection extends Selection {
  /** Places of the rows that pass the filter and the search, in order. */
  shown: readonly number[];
  places: Places;
  /** Place of the chosen row. */
  place: number | undefined;
  row: LineComparison | undefined;
  /** Place of the row that the film is at. */
  playing: number | undefined;
}

/** Elements that commands move the focus to. */
export interface FocusTargets {
  search: { current: HTMLInputElement | null };
  lineText: { current: HTMLTextAreaElement | null };
  /** Focuses the list's current row and scrolls the list into view. */
  list: { current: (() => void) | null };
  /** Set while the text of a line should take the focus as soon as it is rendered. */
  isTextWanted: { current: boolean };
}

export interface Commands {
  /** Chooses the row at a place. */
  choose: (place: number) => void;
  chooseCue: (side: LineId['side'], index: number) => void;
  /**
   * Opens the panel of the chosen line with the focus in its text, after choosing the row at `place` if it is given.
   */
  openText: (place?: number) => void;
  /** Moves the focus to the chosen row. */
  focusLine: () => void;
  edit: (edit: LineEdit) => void;
  /** Marks the uncertain words of the chosen line as correct. */
  acceptWords: () => void;
  remove: () => void;
  /** Adds a line back that the settings leave out. */
  restoreLine: () => void;
  add: () => void;
  playLine: () => void;
  /** Sets an anchor: the chosen line starts at this second. */
  anchorAt: (time: number) => void;
  /** Sets an anchor for a proposed cue. */
  moveCue: (index: number, time: number) => void;
}

export interface WorkbenchState {
  session: WorkbenchSession;
  item: Reply<'subtitles', 'item'> | undefined;
  film: WorkbenchFilm;
  /** Part of the film that the waveform shows. */
  view: Store<WaveformView>;
  selection: CurrentSelection;
  select: (change: SelectionChange) => void;
  commands: Commands;
  apply: ApplyActions;
  drafting: Drafting;
  focus: FocusTargets;
}
