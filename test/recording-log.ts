/**
 * A log that keeps what callers hand to it, before it is cleaned. The log of the server hides paths, addresses and
 * fields with secret names, so a credential that a caller logs by mistake does not show in its lines.
 */
import type { Log } from '../src/lib/log.ts';

export function recordingLog(kept: string[]): Log {
  const keep = (event: string, ...rest: readonly unknown[]): void => {
    const texts = rest.map((one) =>
      one instanceof Error ? `${one.stack ?? ''} ${String(one.cause)}` : JSON.stringify(one),
    );
    kept.push([event, ...texts].join(' '));
  };
  const log: Log = {
    debug: keep,
    info: keep,
    warn: keep,
    error: keep,
    fault: keep,
    child: (fields) => (keep('child', fields), log),
  };
  return log;
}
