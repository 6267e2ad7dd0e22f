/** Failures of a stream's runs: when they were, and on which accelerators. */
import { Failure } from '../../lib/failure.ts';
import { MAX_FAILURES, type TranscodeLimits } from './types.ts';

export interface RunFailures {
  /** Accelerators that failed on this stream, with what they failed with. */
  readonly onHardware: ReadonlyMap<string, unknown>;
  /** Records a failure; without an accelerator, of software. */
  note(accelerator: string | undefined, error: unknown): void;
  /** Refuses the stream from now on for as long as after three failures. */
  refuse(): void;
  /** Whether the stream is refused, after three failures within a minute. */
  isRefused(): boolean;
  /** Returns the failure to refuse a request with. */
  refusal(): Failure;
}

export function createRunFailures(
  kind: 'video' | 'audio',
  { limits, now }: { limits: Pick<TranscodeLimits, 'failureMs'>; now(): number },
): RunFailures {
  const onHardware = new Map<string, unknown>();
  let failures: number[] = [];
  return {
    onHardware,
    note: (accelerator, error) => {
      failures.push(now());
      if (accelerator !== undefined) onHardware.set(accelerator, error);
    },
    refuse: () => {
      failures = Array.from({ length: MAX_FAILURES }, now);
    },
    isRefused: () => {
      failures = failures.filter((at) => now() - at < limits.failureMs);
      return failures.length >= MAX_FAILURES;
    },
    refusal: () =>
      new Failure('unavailable', `the ${kind} of this file cannot be converted`, {
        reason: 'cannot-decode',
        retryAfterSeconds: Math.ceil(limits.failureMs / 1000),
      }),
  };
}
