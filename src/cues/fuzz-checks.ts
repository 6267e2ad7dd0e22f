/** Checks for the fuzz tests that hold for any document that any reader returns. */
import assert from 'node:assert/strict';
import { Failure } from '../lib/failure.ts';
import { convert } from './convert.ts';
import { plainText, type Span, type SubtitleDocument } from './cue.ts';
import { marksOf } from './hearing-impaired.ts';
import { measureQuality } from './quality.ts';
import { FORMAT_IDS } from './formats.ts';
import { toVtt } from './formats/vtt.ts';
import { readText } from './read.ts';

/** Runs a reader. Returns undefined if it refused the input; any other error is a bug and is rethrown. */
export function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return undefined;
    throw error;
  }
}

const depthOf = (spans: readonly Span[]): number =>
  spans.reduce((most, span) => Math.max(most, 'children' in span ? 1 + depthOf(span.children) : 0), 0);

/**
 * Checks that a document is sound, and that reading the output of every writer and writing it again changes nothing.
 */
export function checkDocument(document: SubtitleDocument): void {
  for (const cue of document.cues) {
    assert.ok(
      Number.isInteger(cue.start) && Number.isInteger(cue.end) && cue.start >= 0,
      `times ${cue.start} ${cue.end}`,
    );
    assert.ok(depthOf(cue.spans) <= 32);
    for (const mark of marksOf(plainText(cue.spans).replaceAll('\n', ' '), { labels: true }))
      assert.ok(mark.from < mark.to);
  }
  measureQuality(document.cues, 60_000);
  for (const target of FORMAT_IDS) {
    const once = convert(document, target);
    const again = readText(once.replaceAll('\0', ''), target);
    // The output of a second pass equals that of the first: nothing accumulates.
    if ((target !== 'ass' && target !== 'ssa') || (document.format !== 'ass' && document.format !== 'ssa'))
      assert.equal(convert(again, target), once.replaceAll('\0', ''), target);
    if (target === document.format && document.script)
      assert.equal(once, document.script.join(''), 'nothing was edited');
    if (target === 'vtt')
      assert.doesNotMatch(toVtt(document), /<(?![/]?(?:i|b|u|c|v|lang|ruby|rt)[ .>]|\d+:\d\d:\d\d\.\d{3}>)/);
  }
}
