/** Interface of the DNS providers: the two services that hold the name of a household. */
import type { Net } from '../../lib/net.ts';
import type { Clock } from '../../lib/clock.ts';

export interface DnsProvider {
  /** The full name that it changes. */
  readonly name: string;
  /** Publishes one text at `_acme-challenge` of the name, in place of what is there. Leaves the addresses alone. */
  setTxt(text: string, signal?: AbortSignal): Promise<void>;
  /** Removes that text. Leaves the addresses alone. */
  clearTxt(signal?: AbortSignal): Promise<void>;
  /** Lets the name lead to an IPv4 address; without one, to the address from which the provider is asked. */
  setAddress(address?: string, signal?: AbortSignal): Promise<void>;
}

export interface DnsProviderNeeds {
  provider: 'dns_a' | 'dns_b';
  /** dns_a: a label of its zone. dns_b: a full name. */
  domain: string;
  token: string;
  net: Net;
  clock: Clock;
  /** Address of the API, where it is not the service itself. */
  api?: string | undefined;
  /** Waits before a request that the limits of the service do not allow yet. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}
