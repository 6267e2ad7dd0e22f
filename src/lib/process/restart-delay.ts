/** Growing pauses between starts of a helper's children that fail. */

export interface RestartDelay {
  /** Whether a pause is under way. */
  readonly isWaiting: boolean;
  /** Records a child that never became ready, and begins a pause. Returns how many have failed in a row. */
  noteFailure(): number;
  /** Records a child that became ready. */
  noteSuccess(): void;
  cancel(): void;
}

const FIRST_MS = 200;
const LONGEST_MS = 5000;

/** `restart` is called at the end of each pause. */
export function createRestartDelay(restart: () => void): RestartDelay {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    get isWaiting() {
      return timer !== undefined;
    },
    noteFailure: () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = undefined;
          restart();
        },
        Math.min(LONGEST_MS, FIRST_MS * 2 ** failures),
      );
      failures += 1;
      return failures;
    },
    noteSuccess: () => void (failures = 0),
    cancel: () => clearTimeout(timer),
  };
}
