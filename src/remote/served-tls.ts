/** A certificate in the form in which handshakes take it. */
import type { ServedCertificate, TlsCertificate } from './types.ts';

/**
 * Returns a function with the present certificate. It returns the same object as long as the certificate is the same,
 * because a handshake keeps what it has made of it.
 */
export function createServedTls(certificate: () => ServedCertificate | undefined): () => TlsCertificate | undefined {
  let last: { of: ServedCertificate; tls: TlsCertificate } | undefined;
  return () => {
    const of = certificate();
    if (!of) return undefined;
    if (last?.of !== of) last = { of, tls: { key: of.key, cert: of.chain } };
    return last.tls;
  };
}
