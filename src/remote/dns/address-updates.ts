/**
 * Lets the name follow an address: that of the connection, sent at the start and every ten minutes, or a fixed one,
 * sent at the start and whenever it is due. The provider learns no address before the terms are accepted.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { RemoteFault, type RemoteFaultCode } from '../fault.ts';
import type { DnsProvider } from './types.ts';

export interface AddressUpdates {
  /** Returns when the address was sent last, and why that failed; undefined before the first time. */
  last(): { at: number; fault?: RemoteFaultCode | undefined } | undefined;
  start(): void;
  /** Sends the address now, if the terms are accepted. */
  send(): void;
  close(): Promise<void>;
}

const EVERY_MS = 600_000;

export function createAddressUpdates({
  provider,
  clock,
  log,
  isTermsAccepted,
  address,
  isDue = () => true,
  sent = () => {},
  everyMs = EVERY_MS,
}: {
  provider: Pick<DnsProvider, 'setAddress'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  isTermsAccepted(): boolean;
  /** Address that the name leads to. Left out: the one from which the provider is asked. */
  address?: string;
  /** Whether to send it again, ten minutes after the last time. */
  isDue?(): boolean;
  /** Called when the provider has taken the address. */
  sent?(): void;
  everyMs?: number;
}): AddressUpdates {
  const stop = new AbortController();
  let last: ReturnType<AddressUpdates['last']>;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const send = async (): Promise<void> => {
    try {
      await provider.setAddress(address, stop.signal);
      last = { at: clock.now() };
      sent();
    } catch (error) {
      if (stop.signal.aborted) return;
      const fault = error instanceof RemoteFault ? error.code : 'unexpected';
      last = { at: clock.now(), fault };
      log.warn('remote.address.failed', { reason: fault });
    }
  };
  const begin = (): void => {
    if (!isTermsAccepted() || stop.signal.aborted) return;
    sending ??= send().finally(() => (sending = undefined));
  };
  return {
    last: () => last,
    send: begin,
    start: () => {
      if (timer || stop.signal.aborted) return;
      begin();
      timer = setInterval(() => void (isDue() && begin()), everyMs).unref();
    },
    close: async () => {
      clearInterval(timer);
      stop.abort();
      await sending;
    },
  };
}
