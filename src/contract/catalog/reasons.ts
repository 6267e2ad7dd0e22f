/** Reasons of failures of the catalogue: libraries, items and what a Profile watched. */
import type { ReasonTable } from '../kernel/failure.ts';

export const catalogReasons = {} as const satisfies ReasonTable;
