/**
 * The arithmetic of photos by day: any number of days, of which a few are drawn. Consecutive days with few photos share
 * a row. Pure: sizes in pixels in, positions out.
 */
export interface PhotoDay {
  /** `2024-07-01`. */
  date: string;
  count: number;
}

export interface DayPlace extends PhotoDay {
  /** Index of the first photo of the day in the list of all. */
  first: number;
  top: number;
  height: number;
  /** First column of the day, and how many it has: all of them unless it shares its row. */
  column: number;
  columns: number;
}

export interface DaysLayout {
  columns: number;
  /** Width and height of a photo. */
  cell: number;
  gap: number;
  /** Height of the heading of a day. */
  head: number;
  days: readonly DayPlace[];
  height: number;
  total: number;
}

export interface LayoutNeeds {
  width: number;
  leastCell: number;
  gap: number;
  head: number;
  /** Space below each day. */
  below: number;
}

/**
 * Returns the days by row. Consecutive days share one if their photos fit in it side by side and they are of one year,
 * because the scrubber leads to years.
 */
export function rowsOfDays(days: readonly PhotoDay[], columns: number): PhotoDay[][] {
  const rows: PhotoDay[][] = [];
  let [free, year] = [0, ''];
  for (const day of days) {
    const row = rows.at(-1);
    if (row && day.count <= free && day.date.slice(0, 4) === year) row.push(day);
    else {
      rows.push([day]);
      [free, year] = [columns, day.date.slice(0, 4)];
    }
    free -= day.count;
  }
  return rows;
}

export function layoutOfDays(days: readonly PhotoDay[], needs: LayoutNeeds): DaysLayout {
  const { width, leastCell, gap, head, below } = needs;
  const columns = Math.max(1, Math.floor((width + gap) / (leastCell + gap)));
  const cell = Math.max(1, (width - gap * (columns - 1)) / columns);
  let [top, first] = [0, 0];
  const placed = rowsOfDays(days, columns).flatMap((row) => {
    const lines = Math.ceil((row[0]?.count ?? 0) / columns);
    const height = head + lines * (cell + gap) - gap + below;
    let column = 0;
    const places = row.map(({ date, count }): DayPlace => {
      const place = { date, count, first, top, height, column, columns: row.length > 1 ? count : columns };
      column += count;
      first += count;
      return place;
    });
    top += height;
    return places;
  });
  return { columns, cell, gap, head, days: placed, height: top, total: first };
}

/** Returns the index of the last day that fits `isBefore`; all that fit come first. */
function lastDay(days: readonly DayPlace[], isBefore: (day: DayPlace) => boolean): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(days[middle] as DayPlace)) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
/** Returns the index of the day at a height; the last one if several share its row. */
export const dayAt = ({ days }: DaysLayout, top: number): number => lastDay(days, (day) => day.top <= top);
/** Returns the index of the day that a photo belongs to. */
export const dayOfPhoto = ({ days }: DaysLayout, index: number): number => lastDay(days, (day) => day.first <= index);

/** Photos to draw of one day: those whose rows are in view. */
export interface VisibleDay {
  day: DayPlace;
  /** Index of the first and after the last photo to draw, in the list of all. */
  from: number;
  to: number;
}

/** Returns what to draw between two heights. A day of thousands is drawn in part. */
export function visibleDays(layout: DaysLayout, top: number, bottom: number): VisibleDay[] {
  const { days, columns, cell, gap, head } = layout;
  const visible: VisibleDay[] = [];
  const step = cell + gap;
  let from = dayAt(layout, top);
  while (from > 0 && days[from - 1]?.top === days[from]?.top) from--;
  for (let at = from; at < days.length; at++) {
    const day = days[at] as DayPlace;
    if (day.top > bottom) break;
    if (day.top + day.height < top) continue;
    const inside = day.top + head;
    const rows = Math.ceil(day.count / columns);
    const firstRow = Math.min(rows, Math.max(0, Math.floor((top - inside) / step)));
    const endRow = Math.min(rows, Math.max(firstRow, Math.ceil((bottom - inside) / step)));
    visible.push({
      day,
      from: day.first + firstRow * columns,
      to: day.first + Math.min(day.count, endRow * columns),
    });
  }
  return visible;
}

/** Returns where a photo is: across its day, and down from the top of the day. */
export function photoPosition(layout: DaysLayout, day: DayPlace, index: number): { x: number; y: number } {
  const at = index - day.first;
  const step = layout.cell + layout.gap;
  return { x: (at % layout.columns) * step, y: layout.head + Math.floor(at / layout.columns) * step };
}

/** Returns where a day begins across the page, and how wide it is. */
export function dayAcross({ cell, gap }: DaysLayout, { column, columns }: DayPlace): { x: number; width: number } {
  return { x: column * (cell + gap), width: columns * (cell + gap) - gap };
}

/** A place of the scrubber: a month, or several that begin in one row. */
export interface MonthStop {
  /** `2024-07`, the latest month that begins here. */
  month: string;
  /** The earliest one; the same, unless several begin here. */
  until: string;
  top: number;
}
/** Returns where months begin, the latest first. */
export function monthsOf({ days }: DaysLayout): MonthStop[] {
  const months: MonthStop[] = [];
  for (const { date, top } of days) {
    const month = date.slice(0, 7);
    const last = months.at(-1);
    if (last?.until === month) continue;
    if (last?.top === top) last.until = month;
    else months.push({ month, until: month, top });
  }
  return months;
}
/** Returns the index of the months at a height. */
export const monthAt = (months: readonly MonthStop[], top: number): number =>
  Math.max(
    0,
    months.findLastIndex((one) => one.top <= top),
  );

/** Returns the years to write along the scrubber: those that are far enough from the one before. */
export function yearMarks(months: readonly MonthStop[], height: number, least: number): { year: string; at: number }[] {
  const marks: { year: string; at: number }[] = [];
  for (const { month, top } of months) {
    const year = month.slice(0, 4);
    const last = marks.at(-1);
    const at = height <= 0 ? 0 : top / height;
    if (last?.year !== year && (last === undefined || at - last.at >= least)) marks.push({ year, at });
  }
  return marks;
}
