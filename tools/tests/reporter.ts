/**
 * A reporter of node:test for many tests and one reader: a line for each failure with all that caused it, and at the
 * end one line for the program that counts. It knows no colours and no marks, so that a log reads well.
 */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** What the counting program looks for; everything behind it is one JSON object. */
export const COUNTS = '#counts ';
/** How many of the slowest files are told. */
const SLOWEST = 8;

interface Failed {
  name: string;
  file?: string;
  line?: number;
  details: { type?: string; duration_ms: number; error: Error & { cause?: unknown; failureType?: string } };
}

async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let counts: { tests: number; passed: number; skipped: number; todo: number } | undefined;
  let early = 0;
  const files: [file: string, ms: number][] = [];
  for await (const event of events) {
    // A file passes in its own name only when it ended before it could report a test.
    if (event.type === 'test:pass' && event.data.name === event.data.file) {
      early++;
      yield `not ok: ${event.data.name} ended before its tests did\n\n`;
    }
    if (event.type === 'test:fail') yield failure(event.data as unknown as Failed);
    if (event.type === 'test:summary') {
      if (event.data.file === undefined) counts = event.data.counts;
      else files.push([relative('.', event.data.file), Math.round(event.data.duration_ms)]);
    }
    if ((event.type === 'test:stdout' || event.type === 'test:stderr') && event.data.message.trim() !== '') yield event.data.message;
  }
  if (counts) yield `${COUNTS}${JSON.stringify({ passed: counts.passed - early, failed: counts.tests - counts.passed - counts.skipped - counts.todo + early, skipped: counts.skipped + counts.todo, slowest: files.sort(([, a], [, b]) => b - a).slice(0, SLOWEST) })}\n`;
}

function failure({ name, file, line, details: { error, type } }: Failed): string {
  // A test that fails only because one inside it did has been told already.
  if (error.failureType === 'subtestsFailed') return '';
  const causes = causesOf(error.cause);
  return `not ok: ${name}${type === 'suite' ? ' (suite)' : ''}\n  at ${file ?? '?'}:${line ?? '?'}\n${(causes.length > 0 ? causes.join('\n') : error.message).replaceAll(/^/gm, '  ')}\n\n`;
}

/** What was thrown, and what that was caused by in turn. */
function causesOf(error: unknown): string[] {
  const told: string[] = [];
  for (let one = error; one !== undefined && one !== null && told.length < 5; one = one instanceof Error ? one.cause : undefined) {
    const text = one instanceof Error ? (one.stack ?? one.message) : typeof one === 'string' ? one : inspect(one);
    told.push(told.length === 0 ? text : `caused by ${text}`);
  }
  return told;
}

export { reporter as default };
