/** Reasons of failures of running the server: its health, its database and the commands of its machine. */
import type { ReasonTable } from '../kernel/failure.ts';

export const opsReasons = {
  missing: {
    'no-database': 'There is no database in the data folder.',
  },
  unavailable: { 'not-ready': 'The server has not finished its start.' },
} as const satisfies ReasonTable;
