/** Parses a Retry-After header. */

/**
 * Milliseconds to wait (RFC 9110 §10.2.3: seconds or an HTTP date), between 0 and `mostMs` (an hour unless
 * said otherwise); null when there is no header or it makes no sense.
 */
export function retryAfterMs(header: string | undefined, now: number, mostMs = 3_600_000): number | null {
  const text = header?.trim() ?? '';
  const wait = /^\d{1,10}$/.test(text)
    ? Number(text) * 1000
    : /^[A-Z][a-z]{2}/.test(text)
      ? Date.parse(text) - now
      : NaN;
  return Number.isNaN(wait) ? null : Math.min(mostMs, Math.max(0, wait));
}
