/**
 * The certificate of one name: ordered when there is none, renewed in time, and changed while the server runs.
 *
 * off (no provider) → waiting (for the terms) → ordering → issued → renewing; failing until `retryAt`. The server sends
 * the authority no request before the terms are accepted. It compares the clock every 30 seconds in place of a long
 * timer, so that a machine that slept, or whose clock was corrected, acts by its new time.
 */
import { Failure } from '../../lib/failure.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import type { DnsProvider } from '../dns/types.ts';
import { RemoteFault, type RemoteFaultCode } from '../fault.ts';
import type { Certificates, CertificateStatus } from '../types.ts';
import { AcmeProblem } from './acme.ts';
import { createKeptCertificate, MAX_RETRY_MS } from './kept.ts';
import { createRenewer, type CertificatePlace } from './renewer.ts';

export interface CertificateNeeds extends CertificatePlace {
  /** Left out: off. */
  provider: DnsProvider | undefined;
  isTermsAccepted(): boolean;
  /** Whether an Owner has just changed its settings, so that what failed with the earlier ones holds nothing back. */
  isChanged?: boolean;
  /** Milliseconds between two looks at the clock. */
  tickMs?: number;
}

const FIRST_RETRY_MS = 300_000;
const TICK_MS = 30_000;
/** Two instances on the same folder, such as an old and a new one at a restart, take turns. */
const folders = createKeyedLock();

export function createCertificates(needs: CertificateNeeds): Certificates {
  const { clock, log, provider, names, tickMs = TICK_MS } = needs;
  const kept = createKeptCertificate(needs);
  const listeners = new Set<() => void>();
  const stop = new AbortController();
  let failed: { code: RemoteFaultCode; retryAt: number } | undefined;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const isAccepted = (): boolean => needs.isTermsAccepted();
  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const renewer = createRenewer({ ...needs, kept, signal: stop.signal, announce });
  const isValid = (): boolean => renewer.valid() !== undefined;
  const stateNow = (): CertificateStatus['state'] => {
    if (!provider) return 'off';
    if (!isAccepted()) return 'waiting';
    if (renewer.isTrying()) return isValid() ? 'renewing' : 'ordering';
    if (failed) return 'failing';
    return isValid() ? 'issued' : 'ordering';
  };

  const attempt = async (from: DnsProvider): Promise<void> => {
    const before = await kept.attempts();
    if (before.retry && before.retry.at > clock.now()) {
      failed = { code: before.retry.code, retryAt: before.retry.at };
      return;
    }
    try {
      await renewer.renew(from);
      failed = undefined;
      if (before.failures > 0) await kept.saveAttempts({ failures: 0, orders: (await kept.attempts()).orders });
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof AcmeProblem && error.type === 'accountDoesNotExist') await kept.forgetAccount();
      const fault = faultOf(error, log);
      const backOff = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(before.failures, 10));
      const retryAt = clock.now() + Math.min(MAX_RETRY_MS, Math.max(backOff, fault.retryAfterMs ?? 0));
      failed = { code: fault.code, retryAt };
      log.warn('remote.certificate.failed', { reason: fault.code });
      const { orders } = await kept.attempts();
      await kept
        .saveAttempts({ failures: before.failures + 1, retry: { at: retryAt, code: fault.code }, orders })
        .catch(() => {});
    } finally {
      renewer.stopTrying();
    }
  };
  const isHeldBack = (): boolean => {
    const now = clock.now();
    return failed !== undefined && failed.retryAt > now && failed.retryAt <= now + MAX_RETRY_MS;
  };
  const tick = (): void => {
    if (working || !provider || !isAccepted() || stop.signal.aborted || isHeldBack()) return;
    working = folders
      .run(needs.folder, async () => {
        if (!isValid()) await renewer.load();
        await attempt(provider);
      })
      .catch((error: unknown) => log.fault('remote.certificate.broken', error))
      .finally(() => (working = undefined));
  };

  return {
    current: renewer.valid,
    status: () => ({
      state: stateNow(),
      names,
      ...renewer.shown(),
      ...(failed && { reason: failed.code, retryAt: failed.retryAt }),
      termsAccepted: isAccepted(),
    }),
    changed: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start: async () => {
      if (timer || !provider || stop.signal.aborted) return;
      timer = setInterval(tick, tickMs).unref();
      await kept.open();
      if (needs.isChanged === true) await kept.forgetFailures();
      await renewer.load();
      announce();
      tick();
    },
    close: async () => {
      clearInterval(timer);
      stop.abort();
      await working;
    },
  };
}

function faultOf(error: unknown, log: Log): Pick<RemoteFault, 'code' | 'retryAfterMs'> {
  if (error instanceof RemoteFault) return error;
  const code = error instanceof Failure ? 'storage-failed' : error instanceof AcmeProblem ? 'ca-refused' : 'unexpected';
  if (code === 'unexpected') log.fault('remote.certificate.broken', error);
  return { code, retryAfterMs: undefined };
}
