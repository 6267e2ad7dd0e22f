/** The form of a finding, and of the tables that declare the codes of findings. */
import type { z } from 'zod';

/** A cause as a code with values. */
type Cause = { reason: string; values: Readonly<Record<string, string | number>> };
/** A value of the sentence of a finding, for clients that have their own words. */
type FindingValue = z.ZodType<string | number | boolean | Cause | undefined>;

/** Codes in kebab case, each with a sentence for the API document and the values that the finding carries. */
export type FindingTable = Readonly<Record<string, FindingRow>>;
interface FindingRow {
  readonly summary: string;
  readonly values?: Readonly<Record<string, FindingValue>>;
  /** Days before `until`, one of the values, on which Owners are notified: something expires then. */
  readonly expires?: readonly number[];
}

type ValuesOf<Row> = Row extends { readonly values: infer Shape extends Readonly<Record<string, FindingValue>> }
  ? z.output<z.ZodObject<Shape>>
  : Readonly<Record<string, never>>;

/** A finding with one of the codes of a table, and the values of that code. */
export type FindingOf<Table extends FindingTable> = {
  [Code in keyof Table & string]: {
    level: 'ok' | 'warning' | 'error';
    code: Code;
    /** A name, a setting or a feature. */
    subject: string;
    sentence: string;
    values: ValuesOf<Table[Code]>;
    /** The setting that changes it. */
    setting?: string | undefined;
  };
}[keyof Table & string];
