/** Reasons of failures of running the server: its health, its database and the commands of its machine. */
import type { ReasonTable } from '../kernel/failure.ts';

export const opsReasons = {
  missing: {
    'no-database': 'There is no database in the data folder.',
  },
  conflict: {
    'restart-running': 'A restart is already running.',
    'restart-held': 'A task runs that must not be interrupted; `error` names it.',
    'restart-refused': 'The configuration has a fault with which the server could not start; `error` says which.',
  },
  unavailable: {
    'not-ready': 'The server has not finished its start.',
    'restart-unavailable': 'The server cannot restart itself.',
  },
} as const satisfies ReasonTable;
