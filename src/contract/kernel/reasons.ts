/** Reasons of failures that any operation can meet: on the way to its handler, and in the floors below the domains. */
import { z } from 'zod';
import type { ReasonTable } from './failure.ts';

export const kernelReasons = {
  invalid: {
    'request-malformed':
      'The request line or a header cannot be accepted: the target is not a path, Host is missing, or a header ' +
      'is repeated.',
    'upgrade-expected': 'This address is for WebSockets, and the request does not ask for one.',
    'query-malformed': 'The query is not text in UTF-8.',
    'body-malformed': 'The body is not one JSON object in UTF-8, or is nested too deeply.',
    'body-unexpected': 'This operation takes no body.',
    'content-type': 'The content type of the body is not the one that this operation takes.',
    'field-unknown': 'A field is not one of those that this operation takes.',
    'field-repeated': 'A field is given more than once.',
    'field-invalid': 'A field is missing or has a value that is not allowed; `error` names it.',
    cursor: 'The cursor is not from the previous page of this list with the same query.',
    'not-a-name': 'The value cannot be the name of a file.',
    'outside-library': 'The path does not lead to a file inside a library.',
    'picture-not-readable': 'The file is not a readable picture, or it has more than 50 megapixels.',
    'picture-too-large': 'The picture is larger than 16 MiB.',
    'task-input': 'This task does not take that input.',
  },
  unauthenticated: {
    'sign-in-required': 'The request has no credentials.',
    'session-ended': 'The session has ended or was revoked; sign in again.',
    'link-invalid': 'The signed link has expired, or is for another item or purpose.',
  },
  forbidden: {
    'owner-only': 'Only an Owner may do this.',
    'key-not-allowed': 'An API key may not do this; it needs a session.',
    'scope-missing': 'The API key lacks the scope that this operation needs.',
    'step-up-required': 'Confirm the password or a code first: POST /api/v1/session/step-up.',
    'mfa-enrolment-required': 'A second factor must be enrolled before anything else.',
    'outside-viewing-window': 'The Profile may not watch at this time.',
    'away-from-home': 'The Profile may not be used away from the home network.',
    'foreign-origin': 'The request has a cookie and was made by another site.',
    'gateway-only': 'The request did not come through the gateway, which proves itself.',
  },
  missing: {
    'no-such-route': 'No operation has this address.',
    'no-such-item': 'There is no such item, or this Profile may not see it.',
    'no-such-file': 'There is no such file.',
    'no-such-task': 'There is no such task.',
    'no-copy': 'There is no verified copy of the database of that name.',
  },
  method: { 'method-not-allowed': 'This address does not take this method; Allow lists those that it takes.' },
  conflict: {
    'file-exists': 'There is a file of that name already.',
    'file-unreadable': 'The file exists and cannot be read.',
    'file-unwritable': 'The folder or file cannot be written to.',
    changed: 'The file was replaced or changed in the meantime; read it or ask for a plan again.',
    'file-too-large': 'The file is larger than what is read.',
    'not-an-ordinary-file': 'The path leads to something other than an ordinary file or folder.',
    'task-ended': 'The task has ended already.',
    'task-cancelled': 'The task was cancelled.',
    'copy-by-postgres': 'A copy of a PostgreSQL database is made with the tools of PostgreSQL.',
    locked: 'Another request is changing the same thing; try again in a moment.',
  },
  timeout: { 'request-timeout': 'The request did not arrive in time.' },
  precondition: { 'precondition-failed': 'A condition of the request, such as If-Match, does not hold.' },
  large: { 'body-too-large': 'The body is larger than what this operation takes.' },
  unsupported: {
    charset: 'The body is not in UTF-8.',
    'content-encoding': 'The body is compressed.',
  },
  range: { 'no-such-range': 'The requested range has no byte of the file.' },
  expectation: { 'expectation-unknown': 'Expect has something other than 100-continue.' },
  misdirected: { 'host-misdirected': 'Host is not that of the public address.' },
  head: { 'head-too-large': 'The head of the request is larger than 16 KiB.' },
  throttled: {
    'too-many-streams': 'This Profile has too many streams open.',
    'too-many-tasks': 'Too many tasks that this Profile started have not ended yet.',
  },
  internal: { 'server-fault': 'Something went wrong in the server; its log has the details.' },
  unavailable: {
    stopping: 'The server is stopping.',
    'request-ended': 'The request ended before its work was done.',
    'stream-ended-early': 'The source ended before everything was sent.',
    'library-offline': 'The folder of the library does not answer or cannot be reached.',
    'file-unavailable': 'The file, or this part of it, cannot be read at present.',
    'disk-full': 'There is no room left on the disk.',
    'database-damaged': 'A part of the database is damaged; diagnostics says how to go back to a sound copy.',
    'storage-failed': 'The database cannot be read or written; the log has the details.',
    'too-busy': 'Too much of this work is waiting or running already; Retry-After says when to ask again.',
    'program-missing': 'A program that this needs is not installed.',
    'program-failed': 'A program that this needs has failed or took too long.',
    'helper-failed': 'A process that reads media for the server has failed or took too long.',
    'service-unreachable': 'A service on the network does not answer, or not as it should.',
    'work-cancelled': 'The work was cancelled before it was done.',
  },
} as const satisfies ReasonTable;

/** Members that an error of any operation may have next to `error` and `reason`. */
export const kernelMembers = {
  mfaEnrollmentRequired: z
    .literal(true)
    .optional()
    .meta({ description: 'A second factor must be enrolled first.', examples: [] }),
  stepUpRequired: z
    .literal(true)
    .optional()
    .meta({ description: 'A recent proof is needed: POST /api/v1/session/step-up.', examples: [] }),
  retryAfterSeconds: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'Seconds after which the request can be sent again.', examples: [] }),
};
