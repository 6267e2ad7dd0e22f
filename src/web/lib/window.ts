/**
 * The arithmetic of a grid that shows a few dozen of a hundred thousand cards. Pure: sizes in, positions
 * and ranges out, all in pixels. Every cell has the same size, so any place can be reckoned at once.
 */
export interface GridNeeds {
  /** The width of the grid. */
  width: number;
  /** How many cards there are in all. */
  total: number;
  /** A column is at least this wide. */
  leastColumn: number;
  gap: number;
  /** Height of the picture over its width: 1.5 for a poster. */
  ratio: number;
  /** The height of the words under the picture. */
  words: number;
}
export interface GridLayout {
  columns: number;
  cellWidth: number;
  cellHeight: number;
  /** From one row's top to the next one's. */
  rowStep: number;
  columnStep: number;
  rows: number;
  height: number;
}

export function gridLayoutOf({ width, total, leastColumn, gap, ratio, words }: GridNeeds): GridLayout {
  const columns = Math.max(1, Math.floor((width + gap) / (leastColumn + gap)));
  const cellWidth = Math.max(0, (width - gap * (columns - 1)) / columns);
  const cellHeight = Math.round(cellWidth * ratio + words);
  const rows = Math.ceil(total / columns);
  const rowStep = cellHeight + gap;
  return {
    columns,
    cellWidth,
    cellHeight,
    rowStep,
    columnStep: cellWidth + gap,
    rows,
    height: Math.max(0, rows * rowStep - gap),
  };
}

export interface IndexRange {
  first: number;
  /** One past the last. */
  end: number;
}
/**
 * Which cards to draw: those in view and `spare` rows before and after. `top` is how far the grid's top is above the
 * view's.
 */
export function rangeOf(
  layout: GridLayout,
  total: number,
  { top, view, spare }: { top: number; view: number; spare: number },
): IndexRange {
  const firstRow = Math.max(0, Math.floor(top / layout.rowStep) - spare);
  const endRow = Math.min(layout.rows, Math.ceil((top + view) / layout.rowStep) + spare);
  const first = Math.min(total, firstRow * layout.columns);
  return { first, end: Math.max(first, Math.min(total, endRow * layout.columns)) };
}

export const cellPositionOf = (layout: GridLayout, index: number): { x: number; y: number } => ({
  x: (index % layout.columns) * layout.columnStep,
  y: Math.floor(index / layout.columns) * layout.rowStep,
});

/** Which pages of the listing hold a range. */
export function pagesOf({ first, end }: IndexRange, size: number): number[] {
  if (end <= first) return [];
  const from = Math.floor(first / size);
  return Array.from({ length: Math.floor((end - 1) / size) - from + 1 }, (_, at) => from + at);
}

/** The card that an arrow key leads to; undefined when that would leave the grid. */
export function gridStepOf(layout: GridLayout, total: number, index: number, key: string): number | undefined {
  const column = index % layout.columns;
  const steps: Record<string, number | undefined> = {
    ArrowLeft: column > 0 ? index - 1 : undefined,
    ArrowRight: column < layout.columns - 1 && index + 1 < total ? index + 1 : undefined,
    ArrowUp: index >= layout.columns ? index - layout.columns : undefined,
    // From the last full row into a short one: to its last card.
    ArrowDown:
      Math.floor(index / layout.columns) < layout.rows - 1 ? Math.min(total - 1, index + layout.columns) : undefined,
    Home: 0,
    End: total - 1,
  };
  return steps[key];
}
