/** The body of an error reply, and errors of the framework as failures of ours. */
import { Failure } from '../lib/failure.ts';

/** Returns the body of an error: its sentence, its reason and the documented members. */
export const errorBody = ({ message, reason, members }: Failure): object => ({
  error: message,
  ...(reason && { reason }),
  ...members,
});

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
