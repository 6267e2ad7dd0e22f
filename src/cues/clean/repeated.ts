/**
 * Removes text that is shown twice although it is said once: the same cue again without a pause, and roll-up captions,
 * in which every cue repeats the last lines of the previous one.
 *
 * Promises: no line is lost: a removed one was just shown, and the cue that showed it lasts as long as both. Speech
 * that is repeated after a pause stays.
 */
import type { CuePiece } from '../change/rows.ts';
import { plainText, type Cue } from '../cue.ts';
import { placeKeyOf } from '../quality.ts';
import type { Rule } from './types.ts';
import { editedCue, withoutLines } from './text.ts';

/** Maximum pause between two showings of the same cue (ms). */
const PAUSE = 250;
/** Maximum pause between two roll-up captions (ms). */
const ROLLING = 100;
/** Minimum number of roll-up captions in a row: a line that comes twice is speech. */
const RUN = 3;

export const mergeRepeated: Rule = (pieces, language) => {
  const rolled = unroll(pieces, language);
  const same = joinSame(rolled.pieces, language);
  return { pieces: same.pieces, touched: [...rolled.touched, ...same.touched] };
};

/** Joins cues with the same text at the same position and a short pause between them. */
const joinSame: Rule = (pieces) => {
  const join = joining();
  const last = new Map<string, { at: number; text: string }>();
  const out: CuePiece[] = [];
  const touched: number[] = [];
  for (const piece of pieces) {
    const place = `${placeKeyOf(piece.cue)}|${piece.cue.style ?? ''}|${piece.cue.speaker ?? ''}`;
    const text = shown(piece.cue);
    const before = last.get(place);
    const into = before && before.text === text && text !== '' ? out[before.at] : undefined;
    if (before && into && piece.cue.start - into.cue.end <= PAUSE) {
      out[before.at] = join(into, piece);
      for (const index of piece.from) touched.push(index);
      continue;
    }
    last.set(place, { at: out.length, text });
    out.push(piece);
  }
  return { pieces: out, touched };
};

/** Removes the lines of roll-up captions that the cue before has just shown. */
const unroll: Rule = (pieces) => {
  const join = joining();
  const carried = pieces.map((piece, n) => carriedFrom(pieces[n - 1]?.cue, piece.cue));
  const out: CuePiece[] = [];
  const touched: number[] = [];
  for (let n = 0; n < pieces.length;) {
    let to = n;
    while (to < pieces.length && (carried[to] ?? 0) > 0) to++;
    const isRolling = to - n >= RUN;
    for (; n < to; n++) roll(pieces[n], isRolling ? (carried[n] ?? 0) : 0);
    roll(pieces[n], 0);
    n++;
  }
  return { pieces: out, touched };

  function roll(piece: CuePiece | undefined, count: number): void {
    const before = out.at(-1);
    if (!piece) return;
    if (count === 0 || !before) {
      out.push(piece);
      return;
    }
    for (const index of piece.from) touched.push(index);
    const text = plainText(piece.cue.spans);
    const gone = shownLines(text)
      .slice(0, count)
      .map(({ at }) => at);
    if (gone.length < shownLines(text).length)
      out.push({
        ...piece,
        cue: editedCue(
          piece.cue,
          withoutLines(text, new Set(Array.from({ length: (gone.at(-1) ?? -1) + 1 }, (_, line) => line))),
        ),
      });
    else out[out.length - 1] = join(before, piece);
  }
};

/** Joins a piece to the one before it. The joined cue grows in place, so that a run of any length takes one pass. */
function joining(): (into: CuePiece, piece: CuePiece) => CuePiece {
  const lists = new Map<CuePiece, number[]>();
  return (into, piece) => {
    const from = lists.get(into) ?? [...into.from];
    lists.delete(into);
    for (const index of piece.from) from.push(index);
    const joined = { cue: { ...into.cue, end: Math.max(into.cue.end, piece.cue.end) }, from };
    lists.set(joined, from);
    return joined;
  };
}

/** Returns how many lines at the start of a cue end the cue right before it. */
function carriedFrom(before: Cue | undefined, cue: Cue): number {
  if (
    !before ||
    cue.start - before.end > ROLLING ||
    cue.start <= before.start ||
    placeKeyOf(before) !== placeKeyOf(cue)
  )
    return 0;
  const old = shownLines(plainText(before.spans)).slice(-4);
  const now = shownLines(plainText(cue.spans));
  for (let count = Math.min(old.length, now.length); count > 0; count--) {
    const tail = old.slice(-count);
    if (tail.every((line, n) => line.text === now[n]?.text)) return count;
  }
  return 0;
}

function shownLines(text: string): { text: string; at: number }[] {
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ text: line.trim(), at }]));
}

const shown = (cue: Cue): string =>
  shownLines(plainText(cue.spans))
    .map(({ text }) => text)
    .join('\n');
