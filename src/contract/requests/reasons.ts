/** Reasons of failures of requests. */
import type { ReasonTable } from '../kernel/failure.ts';

export const requestReasons = {
  invalid: {
    'request-incomplete': 'Words are needed to ask for a title, and an item or minutes to approve a request.',
  },
  forbidden: { 'requests-viewers-only': 'Only Viewers ask; an Owner changes what is allowed.' },
  missing: { 'no-such-request': 'There is no such request.' },
  conflict: {
    'already-asked': 'The same has already been requested, and is not answered yet.',
    'too-many-requests': 'The Profile has as many open requests as it can have; wait for answers, or withdraw one.',
    'time-not-limited': 'The Profile has neither viewing hours nor a limited time, so it needs no more.',
    'request-closed': 'The request has already been answered or withdrawn.',
    'request-still-hidden': 'The libraries of the Profile do not include the item; change them first.',
  },
  throttled: { 'asked-too-often': 'The Profile has asked too often; Retry-After says when it may ask again.' },
} as const satisfies ReasonTable;
