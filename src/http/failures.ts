/** Replies to failures as a surface words them, and errors of the framework as failures of ours. */
import { STATUS } from '../contract/kernel/failure.ts';
import type { Surface } from '../contract/kernel/surface.ts';
import { Failure } from '../lib/failure.ts';

/** A failure in the words of a surface. */
export interface WordedReply {
  status: number;
  /** Content type, Cache-Control and what the failure itself asks for. The security headers are not among them. */
  headers: Record<string, string>;
  /** Undefined for a surface that replies without a body. */
  body: string | undefined;
}

/** Words a failure as a surface does. The status is not the surface's to choose. */
export function wordFailure({ failure: wording }: Surface, { kind, message, reason, members }: Failure): WordedReply {
  const status = STATUS[kind];
  const unworded = { kind, status, message, reason, members };
  const body = wording.body(unworded);
  return {
    status,
    headers: {
      ...(members.retryAfterSeconds !== undefined && { 'retry-after': String(members.retryAfterSeconds) }),
      ...(kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
      'cache-control': 'no-store',
      ...(body !== undefined && { 'content-type': wording.type }),
      ...wording.headers?.(unworded),
    },
    body,
  };
}

/** Returns an error as a failure. The refusals of the framework get our words: it must not answer with its own. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { statusCode = 500 } = (error ?? {}) as { statusCode?: number };
  if (statusCode === 413)
    return new Failure('large', 'the body is larger than what is accepted here', { reason: 'body-too-large' });
  if (statusCode === 404) return new Failure('missing', 'no such resource', { reason: 'no-such-route' });
  if (statusCode >= 400 && statusCode < 500)
    return new Failure('invalid', 'the request cannot be read', { reason: 'request-malformed' });
  return new Failure('internal', 'something went wrong here', { reason: 'server-fault' });
}
