/**
 * Texts for people as a reason with values, so that a client can use its own words. A table has a function for each
 * reason that makes the English text; its parameter is what a text of this reason carries.
 */
import { z } from 'zod';
import { about } from './describe.ts';

type Texts = Readonly<Record<string, (values: never) => string>>;
type ValuesOf<Text extends Texts[string]> =
  Parameters<Text> extends [infer Values] ? Values : Readonly<Record<string, never>>;
/** A reason of a table, with its values. */
export type ReasonText<Table extends Texts> = {
  [Reason in keyof Table]: { reason: Reason; values: ValuesOf<Table[Reason]> };
}[keyof Table];

/** Returns the schema of the reasons of a table. The example is one of them. */
export function reasonTextSchema<Table extends Texts>(
  texts: Table,
  { id, description, example }: { id: string; description: string; example: ReasonText<Table> },
): z.ZodType<ReasonText<Table>, ReasonText<Table>> {
  const shape = z.strictObject({
    reason: z
      .enum(Object.keys(texts) as [string, ...string[]])
      .meta(about('Code of what is said.', String(example.reason))),
    values: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta(about('Numbers and names in it.', example.values as Record<string, string | number>)),
  });
  // The type is narrower than the shape: which values there are depends on the reason.
  return shape.meta({ id, description }) as unknown as z.ZodType<ReasonText<Table>, ReasonText<Table>>;
}

/** Returns the text of a reason in the language of a table. */
export const textOfReason = <Table extends Texts>(texts: Table, { reason, values }: ReasonText<Table>): string =>
  (texts[reason] as (values: unknown) => string)(values);
