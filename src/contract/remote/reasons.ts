/** Reasons of failures of access from outside, and of trusted HTTPS at home. */
import type { ReasonTable } from '../kernel/failure.ts';

export const remoteReasons = {
  invalid: {
    'address-not-private': 'The address is no private IPv4 address, and no name at home that leads to exactly one.',
    'terms-not-accepted': 'The terms of the certificate authority have to be accepted first.',
  },
  conflict: {
    'https-off': 'The server does not answer over HTTPS (`tls.enabled`).',
    'remote-access-on': 'Access from outside is on (`remote.mode`), which has its own certificate.',
  },
} as const satisfies ReasonTable;
