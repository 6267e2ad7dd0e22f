/** For tests: a log that says nothing. */
import type { Log } from '../log.ts';

export const quietLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fault: () => {},
  child: () => quietLog,
};
