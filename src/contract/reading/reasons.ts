/** Reasons of failures of reading books. */
import type { ReasonTable } from '../kernel/failure.ts';

export const readingReasons = {
  missing: {
    'no-such-part': 'The item has no such part, page or file.',
  },
  throttled: {
    'too-many-book-questions': 'This Profile asks too much about books at once; Retry-After says when to ask again.',
  },
  conflict: {
    'book-unreadable': 'The file of the book is damaged, or cannot be read safely.',
    'book-encrypted': 'The book is protected with a password, or by rights management.',
    'not-in-parts': 'A book of this format is not read in parts of this sort.',
  },
} as const satisfies ReasonTable;
