/**
 * Takes a text that somebody edited line by line back into the document that it was made from, so that what the text
 * could not say (places, styles, layers, speakers) is not lost. Pure.
 *
 * Cues are told by their times, or by their places when there are as many as before. One whose words are the same is
 * the one it was; a new one stands as it was written.
 */
import { type Cue, inOrder, markedText, type SubtitleDocument } from '../engine/index.ts';

export function carry(current: SubtitleDocument, edited: readonly Cue[]): SubtitleDocument {
  const before = inOrder(current.cues);
  const after = inOrder(edited);
  const isSameCount = before.length === after.length;
  const byTimes = new Map<string, Cue[]>();
  for (const cue of before) byTimes.set(timesOf(cue), [...(byTimes.get(timesOf(cue)) ?? []), cue]);
  const cues = after.map((cue, n) => {
    const was = isSameCount ? before[n] : byTimes.get(timesOf(cue))?.shift();
    return was ? merged(was, cue) : cue;
  });
  return { ...current, cues, warnings: [] };
}

const timesOf = ({ start, end }: Cue): string => `${start} ${end}`;

function merged(was: Cue, { start, end, spans, placement }: Cue): Cue {
  const isSaid = markedText(was.spans) === markedText(spans);
  return { ...was, start, end, spans: isSaid ? was.spans : spans, ...(placement && { placement }) };
}
