/** Kinds of failure with the status of each, and the form of the tables that declare reasons. */

/** Every kind of failure, and the status that it becomes. */
export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  precondition: 412,
  large: 413,
  unsupported: 415,
  range: 416,
  expectation: 417,
  misdirected: 421,
  throttled: 429,
  head: 431,
  internal: 500,
  unavailable: 503,
} as const;
export type FailureKind = keyof typeof STATUS;

/**
 * Reasons by the kind of failure that they belong to: a code in kebab case, and a sentence for the API document.
 * A code is in one table only and has one kind, so a program that knows the reason knows the kind and the status.
 */
export type ReasonTable = { readonly [K in FailureKind]?: Readonly<Record<string, string>> };
