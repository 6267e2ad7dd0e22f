/**
 * A reporter of node:test for many tests and one reader: a line for each failure with its cause, and at the
 * end one line for the program that counts. It knows no colours and no marks, so that a log reads well.
 */
import type { TestEvent } from 'node:test/reporters';

/** What the counting program looks for; everything behind it is one JSON object. */
export const COUNTS = '#counts ';

interface Failed {
  name: string;
  file?: string;
  line?: number;
  details: { type?: string; duration_ms: number; error: Error & { cause?: unknown; failureType?: string } };
}

async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let counts: { tests: number; passed: number; skipped: number; todo: number } | undefined;
  let early = 0;
  for await (const event of events) {
    // A file passes in its own name only when it ended before it could report a test.
    if (event.type === 'test:pass' && event.data.name === event.data.file) {
      early++;
      yield `not ok: ${event.data.name} ended before its tests did\n\n`;
    }
    if (event.type === 'test:fail') yield failure(event.data as unknown as Failed);
    if (event.type === 'test:summary' && event.data.file === undefined) counts = event.data.counts;
    if ((event.type === 'test:stdout' || event.type === 'test:stderr') && event.data.message.trim() !== '') yield event.data.message;
  }
  if (counts) yield `${COUNTS}${JSON.stringify({ passed: counts.passed - early, failed: counts.tests - counts.passed - counts.skipped - counts.todo + early, skipped: counts.skipped + counts.todo })}\n`;
}

function failure({ name, file, line, details: { error, type } }: Failed): string {
  // A test that fails only because one inside it did has been told already.
  if (error.failureType === 'subtestsFailed') return '';
  const cause = error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : typeof error.cause === 'string' ? error.cause : error.message;
  return `not ok: ${name}${type === 'suite' ? ' (suite)' : ''}\n  at ${file ?? '?'}:${line ?? '?'}\n${cause.replaceAll(/^/gm, '  ')}\n\n`;
}

export { reporter as default };
