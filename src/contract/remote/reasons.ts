/** Reasons of failures of remote access, and of trusted HTTPS at home. */
import type { ReasonTable } from '../kernel/failure.ts';

export const remoteReasons = {
  invalid: {
    'address-not-private':
      'The address is neither a private IPv4 address nor a name at home that leads to exactly one.',
    'name-not-allowed': 'The name is not a subdomain (`dns_a`), or not a full name in lower case (`dns_b`).',
    'token-not-allowed': 'The token has other characters or another length than those of the DNS provider.',
    'token-missing': 'No token is saved for this DNS provider, so one has to be given.',
    'terms-not-accepted': 'Accept the terms of the certificate authority first.',
  },
  conflict: {
    'remote-access-closed': 'The server does not listen for remote access now.',
    'proof-behind-gateway': 'The gateway takes the handshakes, so the server cannot answer this check.',
    'https-off': 'The server does not answer over HTTPS (`tls.enabled`).',
    'remote-access-on': 'Remote access is on (`remote.mode`), which has its own certificate.',
  },
  throttled: { 'too-many-proofs': 'Remote access can be checked at most four times a day.' },
} as const satisfies ReasonTable;
