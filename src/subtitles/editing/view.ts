/** Views of cues and their quality for the workbench: seconds, SRT marks, warnings by name. Pure. */
import type { z } from 'zod';
import type { CueView, QualityView } from '../../contract/subtitles/views.ts';
import type { SubtitleWarning } from '../../contract/subtitles/warnings.ts';
import { type Cue, inOrder, markedText, measureQuality, type Quality, type Warning } from '../../cues/index.ts';

type CueReply = z.input<typeof CueView>;
type QualityReply = z.input<typeof QualityView>;

const seconds = (ms: number): number => Math.max(0, ms) / 1000;

/** Number of cue views made before other work gets a turn. */
const CUES_PER_TURN = 2_000;

interface CuesWithQuality {
  cues: CueReply[];
  quality: QualityReply;
}

/**
 * Returns views of cues in order of time, by which they are indexed, and their quality. `duration` of the video is in
 * seconds. Yields to other work between batches.
 */
export async function viewOfCues(
  cues: readonly Cue[],
  duration: number | undefined,
  confidence?: readonly (number | undefined)[],
): Promise<CuesWithQuality> {
  const ordered = inOrder(cues);
  const quality = measureQuality(ordered, duration === undefined ? undefined : duration * 1000);
  const views: CueReply[] = [];
  for (let from = 0; from < ordered.length; from += CUES_PER_TURN) {
    if (ordered.length > CUES_PER_TURN) await yieldToEventLoop();
    ordered
      .slice(from, from + CUES_PER_TURN)
      .forEach((cue, n) => views.push(viewOf(cue, from + n, { quality, confidence: confidence?.[from + n] })));
  }
  return { cues: views, quality: qualityView(quality) };
}

/** Lets other work run between two long steps. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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

const MAX_WARNINGS = 50;

/** Returns the first defects that a parser found, and the number of the others. */
export function defectWarnings(warnings: readonly Warning[]): SubtitleWarning[] {
  const first = warnings
    .slice(0, MAX_WARNINGS)
    .map(({ code, line, message }): SubtitleWarning => ({ reason: 'defect', values: { code, line, message } }));
  return warnings.length > MAX_WARNINGS
    ? [...first, { reason: 'more-defects', values: { count: warnings.length - MAX_WARNINGS } }]
    : first;
}
