/** Reasons of failures of access from outside, and of trusted HTTPS at home. */
import type { ReasonTable } from '../kernel/failure.ts';

export const remoteReasons = {
  invalid: {
    'address-not-private': 'The address is no private IPv4 address, and no name at home that leads to exactly one.',
    'name-not-allowed': 'The name is no subdomain (`dns_a`), or no full name in lower case (`dns_b`).',
    'token-not-allowed': 'The token has other characters or another length than those of the DNS provider.',
    'token-missing': 'No token is saved for this DNS provider, so one has to be given.',
    'terms-not-accepted': 'The terms of the certificate authority have to be accepted first.',
  },
  conflict: {
    'remote-access-closed': 'The server does not listen for access from outside now.',
    'proof-behind-gateway': 'The gateway takes the handshakes, so the server cannot answer this check.',
    'https-off': 'The server does not answer over HTTPS (`tls.enabled`).',
    'remote-access-on': 'Access from outside is on (`remote.mode`), which has its own certificate.',
  },
  throttled: { 'too-many-proofs': 'Access from outside is checked four times a day at most.' },
} as const satisfies ReasonTable;
