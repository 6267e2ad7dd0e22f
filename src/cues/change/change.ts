/**
 * Applies changes to a document. Returns the changed document, which cue became which, and the changes in words. Timing
 * comes first, then the clean-up rules in the order of `clean/clean.ts`.
 *
 * Promises: pure; does not modify the given document; linear except for sorting by time. The cues of the result are in
 * order of time (`inOrder`), and so are the indexes of the rows on both sides. An ASS or SSA script is passed along:
 * its writer changes only the lines whose cue changed.
 */
import type { SubtitleDocument } from '../cue.ts';
import { inOrder } from '../cue.ts';
import { type AppliedNote, clean, type CleanRules } from '../clean/clean.ts';
import { ordered, rowsOf, type CuePiece, type ChangeRow } from './rows.ts';
import { retime, type Timing } from './timing.ts';

export interface Changes extends CleanRules {
  timing?: Timing | undefined;
  /** Language of the text, a BCP 47 tag: a correct form in one language is a mistake in another. */
  language?: string | undefined;
}

export interface ChangeResult {
  document: SubtitleDocument;
  /** Indexes are into `inOrder(given.cues)` and into `document.cues`. */
  rows: ChangeRow[];
  /** One sentence for each kind of change; empty if nothing changed. */
  notes: string[];
  /** The same notes with the rule and the number of cues. */
  applied: readonly AppliedNote[];
}

/**
 * Applies the changes. Throws `Failure('invalid')` if a time would pass 36 hours or the anchors contradict each other.
 */
export function changeCues(document: SubtitleDocument, changes: Changes): ChangeResult {
  const current = inOrder(document.cues);
  const applied: AppliedNote[] = [];
  const moved = changes.timing ? retime(current, changes.timing) : { cues: current, clamped: 0 };
  if (changes.timing) {
    const count = moved.cues.filter((cue, n) => cue.start !== current[n]?.start || cue.end !== current[n]?.end).length;
    applied.push({ rule: 'moved', count, message: count === 0 ? 'No cue had to move.' : `${cues(count)} moved.` });
  }
  if (moved.clamped > 0) {
    const begin = moved.clamped === 1 ? 'begins' : 'begin';
    applied.push({
      rule: 'startedAtZero',
      count: moved.clamped,
      message: `${cues(moved.clamped)} would have begun before the video and now ${begin} at 0.`,
    });
  }
  const given: CuePiece[] = moved.cues.map((cue, index) => ({ cue, from: [index] }));
  const cleaned = clean(given, changes, changes.language ?? document.language);
  applied.push(...cleaned.applied);
  const pieces = ordered(cleaned.pieces);
  return {
    document: { ...document, cues: pieces.map((piece) => piece.cue) },
    rows: rowsOf(current.length, pieces),
    notes: applied.map(({ message }) => message),
    applied,
  };
}

const cues = (count: number): string => (count === 1 ? '1 cue' : `${count} cues`);
