/** The one error that a caller is meant to see. Anything else is a bug: it is logged and becomes 500. */
import type { FailureKind, FailureMembers } from '../contract/kernel/endpoint.ts';

export class Failure extends Error {
  readonly kind: FailureKind;
  /** The documented extra members of the error body, and nothing else. */
  readonly members: FailureMembers;

  /** `message` is a lower-case sentence fragment without a path, a secret or an echo of the input. */
  constructor(kind: FailureKind, message: string, members: FailureMembers = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Failure';
    this.kind = kind;
    this.members = members;
  }
}

/** Returns `value`, or fails as missing: `found(store.item(id), 'no such item')`. */
export function found<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new Failure('missing', message);
  return value;
}
