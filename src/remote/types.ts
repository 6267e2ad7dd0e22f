/** Certificates as the rest of remote access sees them. */

/** A certificate that is ready to be served. */
export interface ServedCertificate {
  /** Private key in PEM. */
  key: string;
  /** The certificate and its intermediates in PEM. */
  chain: string;
  names: readonly string[];
  /** Milliseconds since the epoch. */
  notAfter: number;
}

export interface CertificateStatus {
  state: 'off' | 'waiting' | 'ordering' | 'issued' | 'renewing' | 'failing';
  names: readonly string[];
  notAfter?: number;
  /** When the next attempt is made. */
  retryAt?: number;
  /** Code of the cause. */
  reason?: string;
  termsUrl?: string;
  termsAccepted: boolean;
}

/** The certificates of the public name, or of the trusted name at home. */
export interface Certificates {
  current(): ServedCertificate | undefined;
  status(): CertificateStatus;
  /** Calls `listener` after each change. Returns a function that ends that. */
  changed(listener: () => void): () => void;
  start(): Promise<void>;
  close(): Promise<void>;
}
