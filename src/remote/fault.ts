/** Why a certificate cannot be obtained, or a name not be changed: a code, and never the text of a peer. */

const REMOTE_FAULTS = {
  'clock-wrong': 'the clock of this machine differs from the one of the certificate authority by days',
  'ca-unreachable': 'the certificate authority does not answer',
  'ca-broken': 'the certificate authority replied something that is not ACME',
  'ca-refused': 'the certificate authority refused the request',
  'ca-limited': 'the certificate authority accepts no further requests for now',
  'name-refused': 'the certificate authority issues no certificate for this name',
  'proof-refused': 'the certificate authority did not find the proof at the name',
  'proof-late': 'the name servers did not show the proof within three minutes',
  'certificate-unfit': 'the certificate does not fit its key, its name or the date',
  'orders-used-up': 'as many certificates were ordered within the hour as are allowed',
  'dns-refused': 'the DNS provider does not accept the token for this name',
  'dns-unreachable': 'the DNS provider does not answer',
  'dns-broken': 'the DNS provider replied something unexpected',
  'dns-limited': 'the DNS provider accepts no further requests for now',
  'storage-failed': 'the certificate cannot be kept on the disk',
  unexpected: 'something went wrong in the server; its log has the details',
} as const;
export type RemoteFaultCode = keyof typeof REMOTE_FAULTS;
export const REMOTE_FAULT_CODES = Object.keys(REMOTE_FAULTS) as [RemoteFaultCode, ...RemoteFaultCode[]];

/**
 * A failure with its code. It has no cause: errors of the HTTP client hold addresses, and the address of one DNS
 * provider has the token in it.
 */
export class RemoteFault extends Error {
  readonly code: RemoteFaultCode;
  /** Milliseconds after which the peer may be asked again, if it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(code: RemoteFaultCode, retryAfterMs?: number | null) {
    super(REMOTE_FAULTS[code]);
    this.name = 'RemoteFault';
    this.code = code;
    this.retryAfterMs = retryAfterMs ?? undefined;
  }
}

/** Parses JSON of a peer; undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
