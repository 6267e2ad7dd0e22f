/**
 * How a bench says what it measured: one call a figure. By hand it prints a line; under `npm run bench` it
 * also hands the row to the runner, which prints one table at the end.
 */
export interface Row {
  /** Subject of the measurement. */
  what: string;
  /** The figure with its unit, for people. */
  figure: string;
  /** Target, and whether it was reached; left out for reference values. */
  aim?: string;
  met?: boolean;
  /** Bottleneck, or the way of measuring. */
  note?: string;
}

/** Rows begin with this on standard output. */
export const MARK = '@row ';

export function report(row: Row): void {
  if (process.env['BENCH_ROWS'] === '1') process.stdout.write(`${MARK}${JSON.stringify(row)}\n`);
  else
    process.stdout.write(
      `${row.what}: ` +
        `${row.figure}${row.aim === undefined ? '' : ` (aim ${row.aim}: ${row.met === true ? 'met' : 'short'})`}` +
        `${row.note === undefined ? '' : ` — ${row.note}`}\n`,
    );
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which that share of the values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
