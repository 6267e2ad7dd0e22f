/** Cues and their quality as people are shown them: seconds, marks of SRT, warnings by name. Pure. */
import type { z } from 'zod';
import type { CueView, QualityView } from '../../contract/subtitles/workbench.ts';
import { type Cue, inOrder, markedText, measure, type Quality, type Warning } from '../../cues/index.ts';

type CueReply = z.input<typeof CueView>;
type QualityReply = z.input<typeof QualityView>;

const seconds = (ms: number): number => Math.max(0, ms) / 1000;

/** So many cues are made in one turn. */
const AT_ONCE = 2_000;

interface Side {
  cues: CueReply[];
  quality: QualityReply;
}

/**
 * Returns cues in order of time, which is what indexes count, and their quality. `duration` of the video in seconds,
 * where known. Others get their turns in between.
 */
export async function sideInTurns(
  cues: readonly Cue[],
  duration: number | undefined,
  confidence?: readonly (number | undefined)[],
): Promise<Side> {
  const ordered = inOrder(cues);
  const quality = measure(ordered, duration === undefined ? undefined : duration * 1000);
  const views: CueReply[] = [];
  for (let from = 0; from < ordered.length; from += AT_ONCE) {
    if (ordered.length > AT_ONCE) await breathe();
    ordered
      .slice(from, from + AT_ONCE)
      .forEach((cue, n) => views.push(viewOf(cue, from + n, { quality, confidence: confidence?.[from + n] })));
  }
  return { cues: views, quality: qualityView(quality) };
}

/** Others take their turns between two long steps. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function viewOf(
  cue: Cue,
  index: number,
  { quality, confidence }: { quality: Quality; confidence: number | undefined },
): CueReply {
  return {
    index,
    start: seconds(cue.start),
    end: seconds(cue.end),
    text: markedText(cue.spans),
    warnings: [...(quality.warnings.get(index) ?? [])],
    ...(confidence !== undefined && { confidence: Math.min(1, Math.max(0, confidence)) }),
  };
}

function qualityView({
  cues,
  first,
  last,
  speed,
  overlaps,
  longestLine,
  longestGap,
  coverage,
  warnings,
}: Quality): QualityReply {
  return {
    cues,
    ...(first !== undefined && { first: seconds(first) }),
    ...(last !== undefined && { last: seconds(last) }),
    medianSpeed: speed.median,
    fastSpeed: speed.p95,
    overlaps,
    longestLine,
    longestGap: seconds(longestGap),
    ...(coverage !== undefined && { coverage }),
    warnings: warnings.size,
  };
}

const MOST_TOLD = 50;

/** What reading a file said, in words: which line, and what was the matter. */
export function told(warnings: readonly Warning[]): string[] {
  const first = warnings
    .slice(0, MOST_TOLD)
    .map(({ line, message }) => (line > 0 ? `Line ${line}: ${message}.` : `${message}.`));
  return warnings.length > MOST_TOLD ? [...first, `${warnings.length - MOST_TOLD} more like these.`] : first;
}
