/**
 * The one place where programs are started: bounded, without a shell, and ended for certain.
 *
 * Every program gets an argument array, a fixed environment, a private temporary folder that is removed after it, a
 * separate process group that is killed whole, limits on time, silence, output, memory, processor, open files and
 * file size, and, where the system offers them, a network namespace without any interface, `setpriv --no-new-privs`
 * and a `bwrap` sandbox that shows only the given inputs. Starts wait in one bounded queue, playback first. Failures
 * are a ProcessFailure with the reason.
 */
export { HelperFailure, ProcessFailure } from './process/failure.ts';
export type { HelperFault, ProcessFault } from './process/failure.ts';
export { createProcesses } from './process/create.ts';
export { INPUT_PATH, SECOND_INPUT_PATH } from './process/types.ts';
export type {
  Command,
  Helper,
  HelperNeeds,
  OpenInput,
  ProcessOutcome,
  Priority,
  Processes,
  ProcessesNeeds,
  RunningProcess,
  Sandbox,
  StartCommand,
} from './process/types.ts';
