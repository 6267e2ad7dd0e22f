/** Lets the name follow the address of the connection: sent at the start and every ten minutes. */
import type { Log } from '../../lib/log.ts';
import { RemoteFault, type RemoteFaultCode } from '../fault.ts';
import type { DnsProvider } from './types.ts';

export interface AddressUpdates {
  /** Why the last update failed, or undefined. */
  fault(): RemoteFaultCode | undefined;
  start(): void;
  close(): Promise<void>;
}

const EVERY_MS = 600_000;

export function createAddressUpdates({
  provider,
  log,
  everyMs = EVERY_MS,
}: {
  provider: Pick<DnsProvider, 'setAddress'>;
  log: Log;
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
    sending ??= send().finally(() => (sending = undefined));
  };
  return {
    fault: () => fault,
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
