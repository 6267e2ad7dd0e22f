/**
 * Runs what failed once more, alone: after everything else of the run has ended, one after the other. What passes then
 * is flaky: it is named with both outputs and counted in a separate line, and the run succeeds. With `STRICT=1` it is a
 * failure. A flake is a defect of the product or of the test, and its cause is mended before anything else.
 *
 * Files that failed in one process and passed alone are run in one process once more. If they pass, that was chance; if
 * not, one disturbs another every time, and they remain a failure.
 *
 * If more than MAX_FAILURES failed, none is run again: a broken product is no flake, and would be tested twice.
 */
import { attempt, type Failure, say } from './files.ts';

const MAX_FAILURES = 10;
const isStrict = process.env['STRICT'] === '1';

/** Returns how many more passed and failed than were counted before, and how many were flaky. */
export async function runAgain(
  failures: readonly Failure[],
): Promise<{ passed: number; failed: number; flaky: number }> {
  const more = { passed: 0, failed: 0, flaky: 0 };
  if (failures.length > MAX_FAILURES) {
    say(`${failures.length} files failed, more than ${MAX_FAILURES}: none is run again\n`);
    return more;
  }
  for (const failure of failures) {
    say(`once more, alone: ${failure.files.join(' ')}\n`);
    const again = await attempt(failure);
    if (again.failed > 0) {
      say(again.output);
      continue;
    }
    for (const test of failure.tests) say(`flaky: ${test}\n`);
    say(`the first run, next to others:\n${failure.output}the second run, alone:\n${again.output}`);
    more.flaky++;
    more.passed += again.passed - failure.passed;
    more.failed -= isStrict ? failure.failed - 1 : failure.failed;
  }
  return more;
}
