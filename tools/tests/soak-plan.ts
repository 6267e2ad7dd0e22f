/**
 * Plans the soak: every browser flow, several times, next to a load, over as many days as it takes. Pure: which flow runs
 * next, and what the results so far come to.
 *
 * A flow that failed begins its rounds again, once there is a new commit: before it, nothing was mended.
 */

/** One run of one flow. A row of the file with the results. */
export interface SoakResult {
  file: string;
  commit: string;
  /** Whether pages were slowed down and replies reordered. */
  isSlow: boolean;
  hasPassed: boolean;
  seconds: number;
  endedAt: string;
  /** Output of a run that did not pass. */
  output?: string;
}

export interface SoakGoal {
  rounds: number;
  /** How many of the rounds have slow pages. */
  slowRounds: number;
}

export interface SoakRun {
  file: string;
  isSlow: boolean;
}

/** Runs of this flow since it failed last. */
function sinceFailure(results: readonly SoakResult[], file: string): readonly SoakResult[] {
  const own = results.filter((one) => one.file === file);
  return own.slice(own.findLastIndex(({ hasPassed }) => !hasPassed) + 1);
}

function waitsForCommit(results: readonly SoakResult[], file: string, commit: string): boolean {
  const last = results.findLast((one) => one.file === file);
  return last !== undefined && !last.hasPassed && last.commit === commit;
}

/** Returns the runs that are left of a flow, those with slow pages spread over the rounds. */
function runsLeft(results: readonly SoakResult[], file: string, goal: SoakGoal): readonly SoakRun[] {
  const passed = sinceFailure(results, file);
  const slow = Math.max(0, goal.slowRounds - passed.filter(({ isSlow }) => isSlow).length);
  const plain = Math.max(0, goal.rounds - goal.slowRounds - passed.filter(({ isSlow }) => !isSlow).length);
  const every = slow === 0 ? 0 : Math.ceil((slow + plain) / slow);
  const runs = Array.from({ length: slow + plain }, (_, at) => ({ file, isSlow: every > 0 && (at + 1) % every === 0 }));
  // Rounding may leave fewer slow ones than wanted: the last rounds take them.
  let missing = slow - runs.filter(({ isSlow }) => isSlow).length;
  for (const run of runs.toReversed()) {
    if (missing === 0) break;
    if (run.isSlow) continue;
    run.isSlow = true;
    missing--;
  }
  return runs;
}

/** Returns the run that comes next: of the flow that has most left, so that all advance together. */
export function nextRun(
  results: readonly SoakResult[],
  { files, commit, goal }: { files: readonly string[]; commit: string; goal: SoakGoal },
): SoakRun | undefined {
  let next: readonly SoakRun[] = [];
  for (const file of files) {
    if (waitsForCommit(results, file, commit)) continue;
    const left = runsLeft(results, file, goal);
    if (left.length > next.length) next = left;
  }
  return next[0];
}

/** Returns a line for each flow, and whether every flow has all of its rounds. */
export function summary(
  results: readonly SoakResult[],
  { files, goal }: { files: readonly string[]; goal: SoakGoal },
): { lines: readonly string[]; isReached: boolean } {
  const rows = files.map((file) => {
    const own = results.filter((one) => one.file === file);
    const passed = sinceFailure(results, file);
    return {
      file,
      passed: passed.length,
      slow: passed.filter(({ isSlow }) => isSlow).length,
      failures: own.filter(({ hasPassed }) => !hasPassed).length,
      isReached: runsLeft(results, file, goal).length === 0,
    };
  });
  return {
    lines: rows.map(
      ({ file, passed, slow, failures }) =>
        `${String(passed).padStart(6)} ${String(slow).padStart(6)} ${String(failures).padStart(9)}  ${file}`,
    ),
    isReached: rows.length > 0 && rows.every(({ isReached }) => isReached),
  };
}
