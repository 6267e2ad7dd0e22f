/** Shapes that the parts of remote access share: certificates, and the server that is opened for it. */
import type { RemoteFaultCode } from './fault.ts';

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

/** The same as TLS takes it. */
export interface TlsCertificate {
  key: string;
  cert: string;
}

export interface CertificateStatus {
  state: 'off' | 'waiting' | 'ordering' | 'issued' | 'renewing' | 'failing';
  names: readonly string[];
  notAfter?: number;
  /** When it has a third of its life left, by which it should have been renewed. */
  dueAt?: number;
  /** When the next attempt is made. */
  retryAt?: number;
  /** Code of the cause. */
  reason?: RemoteFaultCode;
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

/** Parts of a server for remote access. */
export interface PublicServerNeeds {
  /** The listener: of this server, or behind a gateway that proves itself by a token. */
  listener: { host: string; noteOutside(): void } & ({ kind: 'public' } | { kind: 'gateway'; token: string });
  /** Looks up the certificate of each handshake by the name that the client asks for. Left out behind a gateway. */
  tls?: {
    of(host: string): TlsCertificate | undefined;
    /** The same for a validation by TLS-ALPN-01. */
    challengeOf(host: string): TlsCertificate | undefined;
  };
}

/** A server that listens once, at an address or at a socket. */
export interface PublicServer {
  listen(at: { host: string; port: number } | { path: string }): Promise<{ port: number } | string | null>;
  close(graceMs?: number): Promise<void>;
}
