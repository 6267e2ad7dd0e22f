/**
 * A new text for a line that has marks of its own: what the text keeps from its old beginning and end stays as it
 * was written, marks and all, and so do the marks around what changed. For writers that give back what they read.
 *
 * Promises: linear; says nothing about what the result means: who writes it reads it again first.
 */

/**
 * A line as written, and which part of it each character of its plain text is. What lies between the parts is marks.
 */
export interface MarkedLine {
  raw: string;
  plain: string;
  /** For each UTF-16 unit of `plain`, from where to where it stands in `raw`. */
  from: readonly number[];
  to: readonly number[];
}

/** In a longer text nothing is searched for. */
const LONGEST = 1_000;

/**
 * Ways to write `text` instead, the likelier first: they differ in where the marks go that stood within what changed.
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
  // Something went on both sides of what is left.
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
