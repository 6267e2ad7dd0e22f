/** Queries that are built once: building a query costs ten times as much as running it. */

/** Builds a query at its first use. */
export const once = <Q>(build: () => Q): (() => Q) => {
  let built: Q | undefined;
  return () => (built ??= build());
};

/** Builds a query for each fifty ids of a list. The list is filled up with ids that no row has. */
export const byFifties = <Q>(
  build: (ids: readonly string[]) => Q,
): ((ids: readonly string[]) => { query: Q; values: readonly string[] }) => {
  const built = new Map<number, Q>();
  return (ids) => {
    const size = Math.ceil(ids.length / 50) * 50;
    const values = [...ids, ...Array<string>(size - ids.length).fill('')];
    let query = built.get(size);
    if (query === undefined) built.set(size, (query = build(values)));
    return { query, values };
  };
};
