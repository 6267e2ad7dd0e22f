/**
 * Failures of accelerators on films. An accelerator that failed is not used until it has passed a test; the last
 * failure of each is kept to be shown.
 */
import type { HardwareFault } from '../../contract/playback/trial-reasons.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { AcceleratorName } from '../plan/types.ts';
import { faultReason, hardwareFault, trialText } from './reasons.ts';
import type { FilmFailure } from './types.ts';

export interface FilmFailures {
  /** Accelerators that failed since their last test, and why. */
  readonly failed: ReadonlyMap<AcceleratorName, HardwareFault>;
  readonly last: ReadonlyMap<AcceleratorName, FilmFailure>;
  /** Records a failure. Returns false if the accelerator had failed already since its last test. */
  note(accelerator: AcceleratorName, error: unknown): boolean;
  /** Forgets that an accelerator failed, or all of them, because they were tested. */
  clear(accelerator: AcceleratorName | undefined): void;
}

export function createFilmFailures({
  clock,
  log,
}: {
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}): FilmFailures {
  const failed = new Map<AcceleratorName, HardwareFault>();
  const last = new Map<AcceleratorName, FilmFailure>();
  return {
    failed,
    last,
    note: (accelerator, error) => {
      if (failed.has(accelerator)) return false;
      const fault = hardwareFault(error);
      last.set(accelerator, { at: clock.now(), fault });
      failed.set(accelerator, fault);
      log.warn('hardware.failed', { accelerator, why: trialText(faultReason(fault)) });
      return true;
    },
    clear: (accelerator) => {
      if (accelerator === undefined) failed.clear();
      else failed.delete(accelerator);
    },
  };
}
