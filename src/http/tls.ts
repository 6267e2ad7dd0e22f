/**
 * TLS of a listener: protocol versions, suites, and the certificate of each handshake.
 *
 * The certificate is looked up at each handshake by the name that the client asks for. A renewed one is in use from the
 * next handshake on, and connections that are open stay so.
 */
import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext, type TLSSocket, type TlsOptions } from 'node:tls';

export interface ServerCertificate {
  /** Private key in PEM. */
  key: string;
  /** The certificate and its intermediates in PEM. */
  cert: string;
}

export interface ServerCertificates {
  /**
   * Certificate for clients that name no host, or one that has no other. Left out: their handshakes end, and a stranger
   * who goes through addresses does not learn the name.
   */
  own?: ServerCertificate | undefined;
  /** Returns the certificate of a host, in lower case. It is the same object as long as it is the same certificate. */
  of?: ((host: string) => ServerCertificate | undefined) | undefined;
  /** Returns the certificate for a validation by TLS-ALPN-01 of a host. Left out: such handshakes are refused. */
  challengeOf?: ((host: string) => ServerCertificate | undefined) | undefined;
}

/**
 * TLS 1.3 as it is; of TLS 1.2 only ephemeral key exchange with authenticated encryption. A client cannot ask for a
 * second handshake.
 */
const PROTOCOL = {
  minVersion: 'TLSv1.2',
  ciphers: [
    ...['AES_128_GCM_SHA256', 'AES_256_GCM_SHA384', 'CHACHA20_POLY1305_SHA256'].map((name) => `TLS_${name}`),
    ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].flatMap((name) => [
      `ECDHE-ECDSA-${name}`,
      `ECDHE-RSA-${name}`,
    ]),
  ].join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

const contexts = new WeakMap<ServerCertificate, SecureContext>();

function contextOf(certificate: ServerCertificate): SecureContext {
  const { key, cert } = certificate;
  const context = contexts.get(certificate) ?? createSecureContext({ ...PROTOCOL, key, cert });
  contexts.set(certificate, context);
  return context;
}

export function secureOptions({ own, of: certificateOf, challengeOf }: ServerCertificates): TlsOptions {
  const challenged = new WeakMap<object, SecureContext>();
  return {
    ...PROTOCOL,
    ...(own && { key: own.key, cert: own.cert }),
    ...(challengeOf ? { ALPNCallback: answering(challengeOf, challenged) } : { ALPNProtocols: ['http/1.1'] }),
    ...(certificateOf && {
      // Node calls it on the socket, which its types do not say.
      SNICallback(this: unknown, host: string, done: (error: Error | null, context?: SecureContext) => void) {
        const challenge = challenged.get(this as object);
        const certificate = certificateOf(host.toLowerCase()) ?? own;
        if (challenge) done(null, challenge);
        else if (certificate) done(null, contextOf(certificate));
        else done(new Error('no certificate for this name'));
      },
    }),
  };
}

/**
 * Chooses the protocol of a handshake. One of a validation gets the certificate of its challenge, and its connection is
 * ended: nothing is said on it. In TLS 1.3 the name is looked at afterwards, in TLS 1.2 it was before.
 */
const answering = (
  challengeOf: NonNullable<ServerCertificates['challengeOf']>,
  challenged: WeakMap<object, SecureContext>,
): TlsOptions['ALPNCallback'] =>
  function choose(this: unknown, { servername, protocols }) {
    const certificate = protocols.includes(VALIDATION) ? challengeOf(servername.toLowerCase()) : undefined;
    if (!certificate) return protocols.find((protocol) => protocol === 'http/1.1');
    const socket = this as TLSSocket;
    const context = contextOf(certificate);
    challenged.set(socket, context);
    socket.setKeyCert(context);
    socket.once('secure', () => void socket.end());
    return VALIDATION;
  };
const VALIDATION = 'acme-tls/1';
