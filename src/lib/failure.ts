/** The error that a caller is meant to see. Anything else that is thrown is a bug: it is logged and becomes 500. */
import type { FailureMembers, FailureReason, ReasonOf } from '../contract/failures.ts';
import type { FailureKind } from '../contract/kernel/failure.ts';

type Details<R> = FailureMembers & { reason: R };
/** A reason has one kind, so each kind takes only its own reasons. */
type Arguments = {
  [K in FailureKind]: [kind: K, message: string, details: Details<ReasonOf<K>>, options?: ErrorOptions | undefined];
}[FailureKind];

/**
 * A failure with its kind, which decides the status, and its reason, by which programs decide. The message is for a
 * person: a lower-case sentence fragment without a path, a secret or an echo of the input.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly reason: FailureReason;
  /** The documented members of the error body next to `error` and `reason`. */
  readonly members: FailureMembers;

  constructor(...[kind, message, details, options]: Arguments) {
    super(message, options);
    const { reason, ...members } = details;
    this.name = 'Failure';
    this.kind = kind;
    this.reason = reason;
    this.members = members;
  }
}

/** Returns the same failure with another message or further members, and with the first one as its cause. */
export function restated(
  failure: Failure,
  { message = failure.message, ...more }: FailureMembers & { message?: string },
): Failure {
  const { kind, reason, members } = failure;
  // The kind and the reason were checked against each other when the failure was made.
  return new Failure(...([kind, message, { reason, ...members, ...more }, { cause: failure }] as unknown as Arguments));
}

/** Whether an error is a failure with one of these reasons. */
export const failedFor = (error: unknown, ...reasons: readonly FailureReason[]): error is Failure =>
  error instanceof Failure && reasons.includes(error.reason);

/** Returns `value`, or fails as missing: `found(store.item(id), 'no such item', 'no-such-item')`. */
export function found<T>(value: T | null | undefined, message: string, reason: ReasonOf<'missing'>): T {
  if (value === null || value === undefined) throw new Failure('missing', message, { reason });
  return value;
}
