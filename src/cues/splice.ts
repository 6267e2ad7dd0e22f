/**
 * Replaces the text of a line that contains marks: the beginning and the end that both texts share stay as they were
 * written, marks included, and so do the marks around the changed part. For writers that preserve the source.
 *
 * Promises: linear. The result may mean something else, so the caller reads it again before it uses it.
 */

/**
 * A line as written, and the part of it that each character of its plain text comes from. The rest of the line is
 * marks.
 */
export interface MarkedLine {
  raw: string;
  plain: string;
  /** For each UTF-16 unit of `plain`, its start and end in `raw`. */
  from: readonly number[];
  to: readonly number[];
}

/** Maximum length of a text in which remaining text is searched for. */
const LONGEST = 1_000;

/**
 * Returns possible lines with the new text, the likelier first. They differ in the position of marks that were within
 * the changed part.
 */
export function spliced(
  { raw, plain, from, to }: MarkedLine,
  text: string,
  escaped: (text: string) => string,
): string[] {
  const most = Math.min(plain.length, text.length);
  let head = 0;
  while (head < most && plain[head] === text[head]) head++;
  let tail = 0;
  while (tail < most - head && plain[plain.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  const last = plain.length - tail;
  const start = head < last ? from[head] : head > 0 ? to[head - 1] : (from[0] ?? raw.length);
  const end = head < last ? to[last - 1] : start;
  if (start === undefined || end === undefined) return [];
  const marksOf = (first: number, end: number): string => {
    const marks: string[] = [];
    for (let at = Math.max(1, first); at < end; at++) marks.push(raw.slice(to[at - 1], from[at]));
    return marks.join('');
  };
  const [before, between, inner, after] = [
    raw.slice(0, start),
    marksOf(head + 1, last),
    text.slice(head, text.length - tail),
    raw.slice(end),
  ];
  const ways = [before + between + escaped(inner) + after, before + escaped(inner) + between + after];
  // Text was removed on both sides of the remaining part.
  const kept = inner === '' || plain.length > LONGEST ? -1 : plain.slice(0, last).indexOf(inner, head);
  if (kept >= 0)
    ways.unshift(
      before +
        marksOf(head + 1, kept + 1) +
        raw.slice(from[kept], to[kept + inner.length - 1]) +
        marksOf(kept + inner.length, last) +
        after,
    );
  return [...new Set(ways)];
}
