/**
 * Takes a text that somebody edited line by line back into the document that it was made from, so that what the text
 * could not say (places, styles, layers, speakers) is not lost. Pure; linear but for sorting.
 *
 * Cues are told by their times and words, then by their times; those that are left over on both sides are each
 * other's, in order, when they are as many. One whose words are the same is the one it was; one of other words keeps
 * the voices, classes and times around them, where the marks of the text allow it; a new one stands as it was written.
 */
import { type Cue, inOrder, markedText, plainText, reworded, type SubtitleDocument } from '../../cues/index.ts';

export function carry(current: SubtitleDocument, edited: readonly Cue[]): SubtitleDocument {
  const before = inOrder(current.cues);
  const after = inOrder(edited);
  const pairs = new Map<Cue, Cue>();
  const used = new Set<Cue>();
  const pair = (was: Cue | undefined, cue: Cue): void => {
    if (!was) return;
    pairs.set(cue, was);
    used.add(was);
  };
  for (const key of [(cue: Cue) => `${timesOf(cue)} ${markedText(cue.spans)}`, timesOf]) {
    const by = Map.groupBy(before.filter((cue) => !used.has(cue)).reverse(), key);
    for (const cue of after) if (!pairs.has(cue)) pair(by.get(key(cue))?.pop(), cue);
  }
  const left = before.filter((cue) => !used.has(cue));
  const fresh = after.filter((cue) => !pairs.has(cue));
  if (left.length === fresh.length) fresh.forEach((cue, n) => pair(left[n], cue));
  return { ...current, cues: after.map((cue) => merged(pairs.get(cue), cue)), warnings: [] };
}

const timesOf = ({ start, end }: Cue): string => `${start} ${end}`;

function merged(was: Cue | undefined, cue: Cue): Cue {
  if (!was) return cue;
  const { start, end, spans, placement } = cue;
  const said = markedText(spans);
  if (markedText(was.spans) === said) return { ...was, start, end, ...(placement && { placement }) };
  // Another word within the voices and classes of the old ones, where that says the same.
  const within = reworded(was, plainText(spans));
  return {
    ...was,
    start,
    end,
    spans: markedText(within.spans) === said ? within.spans : spans,
    ...(placement && { placement }),
  };
}
