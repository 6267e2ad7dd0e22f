/** Replies to what never becomes a request of the framework: bytes that cannot be read, and unknown expectations. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { API } from '../contract/kernel/surface.ts';
import { Failure } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { wordFailure } from './failures.ts';
import { securityHeaders } from './headers.ts';

export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const failure = new Failure('expectation', 'only 100-continue can be expected', {
    reason: 'expectation-unknown',
  });
  const { status, headers, body } = unframed(failure);
  response.writeHead(status, { ...headers, connection: 'close' });
  response.end(body);
}

/** A reply that the framework takes no part in. No surface is known, so it is worded as in the API. */
function unframed(failure: Failure) {
  const { status, headers, body = '' } = wordFailure(API, failure);
  return { status, headers: { ...securityHeaders(API, false), 'x-request-id': newId(), ...headers }, body };
}

function unreadable(code: string | undefined): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Failure('timeout', 'the request took too long', { reason: 'request-timeout' });
  return code === 'HPE_HEADER_OVERFLOW'
    ? new Failure('head', 'the head of the request is too large', { reason: 'head-too-large' })
    : new Failure('invalid', 'the request cannot be read', { reason: 'request-malformed' });
}

/**
 * The reply to what could not be read as a request, or did not arrive in time. There is no response to set headers on,
 * so they are written out.
 */
export function writtenRefusal(code: string | undefined): string {
  const { status, headers: own, body } = unframed(unreadable(code));
  const headers = { ...own, 'content-length': String(body.length), connection: 'close' };
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}
