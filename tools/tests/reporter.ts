/**
 * A reporter of node:test: a line for each failure with all that caused it, and after each test file one line for the
 * program that counts. It knows no colours and no marks, so that a log reads well.
 */
import { readFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** Prefix that the counting program looks for, followed by one JSON object. */
export const COUNTS = '#counts ';
export interface Counts {
  /** The file, when several share the process. */
  file?: string;
  passed: number;
  failed: number;
  skipped: number;
  /** Names of the tests that failed. */
  failures: string[];
  /** CPU time of the file and of every process that it started and that has ended. */
  cpuMs: number;
}

/** Start of the name of the test that follows those of a file when several files share a process. It is not counted. */
export const END_OF_FILE = '#end of ';

interface Failed {
  name: string;
  file?: string;
  line?: number;
  details: { type?: string; duration_ms: number; error: Error & { cause?: unknown; failureType?: string } };
}

async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const line = (counts: Counts): string => `\n${COUNTS}${JSON.stringify(counts)}\n`;
  const none = () => ({ passed: 0, failed: 0, skipped: 0, failures: [] as string[] });
  let counts = none();
  let cpuBefore = 0;
  let isShared = false;
  for await (const event of events) {
    if (event.type === 'test:fail') {
      const text = failure(event.data as unknown as Failed);
      if (text !== '') counts.failures.push(event.data.name);
      yield text;
    }
    if (event.type === 'test:pass' && event.data.nesting === 0 && event.data.name.startsWith(END_OF_FILE)) {
      const cpu = cpuMs();
      yield line({ file: event.data.name.slice(END_OF_FILE.length), ...counts, cpuMs: cpu - cpuBefore });
      [counts, cpuBefore, isShared] = [none(), cpu, true];
    } else if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { skip, todo, details } = event.data;
      if (details.type === 'suite') continue;
      counts[skip !== undefined || todo !== undefined ? 'skipped' : event.type === 'test:pass' ? 'passed' : 'failed']++;
    }
    if (event.type === 'test:summary' && !isShared) {
      const { tests, passed, skipped, todo } = event.data.counts;
      const failed = tests - passed - skipped - todo;
      yield line({ passed, failed, skipped: skipped + todo, failures: counts.failures, cpuMs: cpuMs() });
    }
  }
}

const TICKS_PER_SECOND = 100;
/**
 * Reads what Linux has counted for this process and the children that it waited for; elsewhere for the process alone.
 */
export function cpuMs(): number {
  try {
    // The name in parentheses may hold spaces; the state comes after it, and the four times eleven fields later.
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND) * 1000;
  } catch {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}

function failure({ name, file, line, details: { error, type } }: Failed): string {
  // A test that fails only because of a subtest was reported already.
  if (error.failureType === 'subtestsFailed') return '';
  const causes = causesOf(error.cause);
  return (
    `not ok: ${name}${type === 'suite' ? ' (suite)' : ''}\n  at ${file ?? '?'}:${line ?? '?'}\n` +
    `${(causes.length > 0 ? causes.join('\n') : error.message).replaceAll(/^/gm, '  ')}\n\n`
  );
}

/** An error with its chain of causes. */
function causesOf(error: unknown): string[] {
  const told: string[] = [];
  for (
    let one = error;
    one !== undefined && one !== null && told.length < 5;
    one = one instanceof Error ? one.cause : undefined
  ) {
    const text = one instanceof Error ? (one.stack ?? one.message) : typeof one === 'string' ? one : inspect(one);
    told.push(told.length === 0 ? text : `caused by ${text}`);
  }
  return told;
}

export { reporter as default };
