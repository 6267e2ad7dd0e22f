/**
 * Merges a text that was edited line by line into the document that it was made from, so that everything the text
 * cannot express (positions, styles, layers, speakers) is kept. Pure; linear apart from sorting.
 *
 * Cues are matched by times and words, then by times. If equally many cues remain on both sides, they are matched in
 * order. A cue with the same words keeps everything. A cue with other words keeps the voices, classes and times around
 * them where the marks of the text allow it. An unmatched cue is new.
 */
import { type Cue, inOrder, markedText, plainText, reworded, type SubtitleDocument } from '../../cues/index.ts';

export function mergeEdited(current: SubtitleDocument, edited: readonly Cue[]): SubtitleDocument {
  const before = inOrder(current.cues);
  const after = inOrder(edited);
  const pairs = new Map<Cue, Cue>();
  const used = new Set<Cue>();
  const pair = (old: Cue | undefined, cue: Cue): void => {
    if (!old) return;
    pairs.set(cue, old);
    used.add(old);
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

function merged(old: Cue | undefined, cue: Cue): Cue {
  if (!old) return cue;
  const { start, end, spans, placement } = cue;
  const said = markedText(spans);
  if (markedText(old.spans) === said) return { ...old, start, end, ...(placement && { placement }) };
  // Keeps the voices and classes of the old cue around the new words, if the marked text stays the same.
  const within = reworded(old, plainText(spans));
  return {
    ...old,
    start,
    end,
    spans: markedText(within.spans) === said ? within.spans : spans,
    ...(placement && { placement }),
  };
}
