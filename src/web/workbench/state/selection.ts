/** The view of the lines: the filter, the chosen line, the open panel, and which row to scroll to. A pure reducer. */
import type { LineComparison } from '../model/rows.ts';
import type { LineFilter } from '../model/rows.ts';

/** A line by its index on one side, which stays valid when the comparison changes. */
export interface LineId {
  side: 'current' | 'proposed';
  index: number;
}
export type WorkbenchPanel = 'timing' | 'cleanup' | 'source' | 'line';

export interface Selection {
  filter: LineFilter;
  search: string;
  line: LineId | undefined;
  panel: WorkbenchPanel;
  isFollowing: boolean;
  isHelpOpen: boolean;
  /** Row to scroll to. Each new object is a new request. */
  reveal: { place: number; isFocus: boolean } | undefined;
}

export type SelectionChange =
  | { type: 'filter'; filter: LineFilter }
  | { type: 'search'; text: string }
  | { type: 'showAll' }
  /** Chooses a line, and scrolls to its row if `place` is given. */
  | { type: 'choose'; line: LineId | undefined; place?: number; isFocus?: boolean }
  | { type: 'reveal'; place: number; isFocus: boolean }
  | { type: 'panel'; panel: WorkbenchPanel }
  | { type: 'follow'; isOn: boolean }
  | { type: 'help'; isOpen: boolean };

export const startSelection = (panel: WorkbenchPanel): Selection => ({
  filter: 'all',
  search: '',
  line: undefined,
  panel,
  isFollowing: false,
  isHelpOpen: false,
  reveal: undefined,
});

export function selectionReducer(selection: Selection, change: SelectionChange): Selection {
  switch (change.type) {
    case 'filter':
      return { ...selection, filter: change.filter };
    case 'search':
      return { ...selection, search: change.text };
    case 'showAll':
      return { ...selection, filter: 'all', search: '' };
    case 'choose': {
      const { line, place, isFocus = false } = change;
      return { ...selection, line, ...(place !== undefined && { reveal: { place, isFocus } }) };
    }
    case 'reveal':
      return { ...selection, reveal: { place: change.place, isFocus: change.isFocus } };
    case 'panel':
      return selection.panel === change.panel ? selection : { ...selection, panel: change.panel };
    case 'follow':
      return { ...selection, isFollowing: change.isOn };
    case 'help':
      return { ...selection, isHelpOpen: change.isOpen };
  }
}

export const lineOf = (row: LineComparison | undefined): LineId | undefined =>
  row?.current[0]
    ? { side: 'current', index: row.current[0].index }
    : row?.proposed[0]
      ? { side: 'proposed', index: row.proposed[0].index }
      : undefined;

export type Places = Readonly<Record<LineId['side'], ReadonlyMap<number, number>>>;
/** Maps the cues of both sides to the places of their rows. */
export function placesOf(rows: readonly LineComparison[]): Places {
  const places = { current: new Map<number, number>(), proposed: new Map<number, number>() };
  rows.forEach((row, place) => {
    for (const side of ['current', 'proposed'] as const)
      for (const { index } of row[side]) places[side].set(index, place);
  });
  return places;
}
