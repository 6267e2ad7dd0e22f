/** Makes the client of a DNS provider. */
import { createDnsA } from './dns-a.ts';
import { createDnsB } from './dns-b.ts';
import type { DnsProvider, DnsProviderNeeds } from './types.ts';

export const createDnsProvider = (needs: DnsProviderNeeds): DnsProvider =>
  needs.provider === 'dns_a' ? createDnsA(needs) : createDnsB(needs);
