/** Reasons of failures of supporters. */
import type { ReasonTable } from '../kernel/failure.ts';

export const supporterReasons = {
  invalid: { 'supporter-key-unknown': 'The key is not recognised, or no longer.' },
  unavailable: {
    'supporter-unreachable': 'The service that recognises supporters gives no usable reply now. Try again later.',
  },
} as const satisfies ReasonTable;
