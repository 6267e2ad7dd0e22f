/** Compares folders of the server by their paths. */

/** Returns whether one absolute path lies inside the other; false where they are the same folder. */
export function overlaps(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => `${path.trim().replace(/\/+/g, '/').replace(/\/$/, '')}/`) as [
    string,
    string,
  ];
  return a !== b && (a.startsWith(b) || b.startsWith(a));
}
