/**
 * Lets the name follow the address of the connection: sent at the start and every ten minutes, once the terms of the
 * certificate authority are accepted. The provider learns no address before.
 */
import type { Log } from '../../lib/log.ts';
import { RemoteFault, type RemoteFaultCode } from '../fault.ts';
import type { DnsProvider } from './types.ts';

export interface AddressUpdates {
  /** Why the last update failed, or undefined. */
  fault(): RemoteFaultCode | undefined;
  start(): void;
  /** Sends the address now, if the terms are accepted. */
  send(): void;
  close(): Promise<void>;
}

const EVERY_MS = 600_000;

export function createAddressUpdates({
  provider,
  log,
  isTermsAccepted,
  everyMs = EVERY_MS,
}: {
  provider: Pick<DnsProvider, 'setAddress'>;
  log: Log;
  isTermsAccepted(): boolean;
  everyMs?: number;
}): AddressUpdates {
  const stop = new AbortController();
  let fault: RemoteFaultCode | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const send = async (): Promise<void> => {
    try {
      await provider.setAddress(undefined, stop.signal);
      fault = undefined;
    } catch (error) {
      if (stop.signal.aborted) return;
      fault = error instanceof RemoteFault ? error.code : 'unexpected';
      log.warn('remote.address.failed', { reason: fault });
    }
  };
  const begin = (): void => {
    if (!isTermsAccepted() || stop.signal.aborted) return;
    sending ??= send().finally(() => (sending = undefined));
  };
  return {
    fault: () => fault,
    send: begin,
    start: () => {
      if (timer || stop.signal.aborted) return;
      begin();
      timer = setInterval(begin, everyMs).unref();
    },
    close: async () => {
      clearInterval(timer);
      stop.abort();
      await sending;
    },
  };
}
