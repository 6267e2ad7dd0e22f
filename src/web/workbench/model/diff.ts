/** Which words of two texts differ. Pure; lines of subtitles are short, so the plain table of common parts will do. */
export interface DiffWord {
  text: string;
  isOther: boolean;
}
/** More words than this are not compared: the whole counts as other. */
const MAX_WORDS = 120;

/** Pieces of a text, its spaces among them. */
const wordsOf = (text: string): string[] => text.split(/(\s+)/).filter((word) => word !== '');

export function differing(before: string, after: string): { before: DiffWord[]; after: DiffWord[] } {
  const a = wordsOf(before);
  const b = wordsOf(after);
  if (a.length > MAX_WORDS || b.length > MAX_WORDS)
    return { before: [{ text: before, isOther: true }], after: [{ text: after, isOther: true }] };
  const longest = commonLengths(a, b);
  const left: DiffWord[] = [];
  const right: DiffWord[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      left.push({ text: a[i++] ?? '', isOther: false });
      right.push({ text: b[j++] ?? '', isOther: false });
    } else if (j >= b.length || (i < a.length && (longest[i + 1]?.[j] ?? 0) >= (longest[i]?.[j + 1] ?? 0)))
      left.push({ text: a[i++] ?? '', isOther: true });
    else right.push({ text: b[j++] ?? '', isOther: true });
  }
  return { before: joined(left), after: joined(right) };
}

function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row)
        row[j] = a[i] === b[j] ? (table[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

/** Neighbours of one kind as one piece. */
function joined(words: readonly DiffWord[]): DiffWord[] {
  const out: DiffWord[] = [];
  for (const word of words) {
    const last = out[out.length - 1];
    if (last && last.isOther === word.isOther) last.text += word.text;
    else out.push({ ...word });
  }
  return out;
}
