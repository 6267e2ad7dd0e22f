/** Says reasons that the server sends with their values. */

type Words = Readonly<Record<string, ((values: object) => string | undefined) | undefined>>;

/**
 * Returns a reason in the words of a table. Undefined without a table, as in English, which the server says itself, and
 * for a reason that the table does not have: a server that was updated while the dashboard stayed open may know more.
 */
export const sayReason = (
  table: object | undefined,
  given: { reason: string; values: object } | undefined,
): string | undefined => given && (table as Words | undefined)?.[given.reason]?.(given.values);
