/**
 * Texts of the checks of remote access. Each has a reason with values, so that a client can use its own
 * words, and an English sentence made of them.
 */
import { type ReasonText, reasonTextSchema } from '../kernel/reason-texts.ts';

const day = (time: string): string => time.slice(0, 10);
const minute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** English sentences about what went wrong at the certificate authority, the DNS provider or in the server. */
export const REMOTE_FAULT_TEXTS = {
  'clock-wrong': () => 'The clock of this machine differs by days from that of the certificate authority.',
  'ca-unreachable': () => 'The certificate authority does not answer.',
  'ca-broken': () => 'The reply of the certificate authority is not valid ACME.',
  'ca-refused': () => 'The certificate authority refused the request.',
  'ca-limited': () => 'The certificate authority accepts no further requests for now.',
  'name-refused': () => 'The certificate authority issues no certificate for this name.',
  'proof-refused': () => 'The certificate authority did not find the proof at the name.',
  'proof-late': () => 'The name servers did not show the proof within three minutes.',
  'certificate-unfit': () => 'The certificate does not match its key, its name or the date.',
  'orders-used-up': () => 'No more certificates can be ordered within this hour.',
  'dns-refused': () => 'The DNS provider does not accept the token for this name.',
  'dns-unreachable': () => 'The DNS provider does not answer.',
  'dns-broken': () => 'The DNS provider sent an unexpected reply.',
  'dns-limited': () => 'The DNS provider accepts no further requests for now.',
  'storage-failed': () => 'The certificate cannot be kept on the disk.',
  unexpected: () => 'Something went wrong in the server; its log has the details.',
} as const;

/** English sentences by reason. The parameters are the values that a reason carries. */
export const REMOTE_CHECK_TEXTS = {
  'terms-accepted': () => 'The terms of the certificate authority are accepted.',
  'terms-open': () => 'The terms of the certificate authority are not accepted yet.',
  'address-sent': () => 'The name leads to the address of your connection.',
  'address-not-sent': () => 'The address of your connection has not been sent to the DNS provider yet.',
  'certificate-valid': ({ until }: { until: string }) => `The certificate is valid until ${day(until)}.`,
  'certificate-ordered': () => 'The certificate is being issued.',
  'certificate-waiting': () => 'No certificate is requested until the terms are accepted.',
  'listener-open': ({ port }: { port: number }) => `The server listens for remote access at port ${port}.`,
  'gateway-open': () => 'The server listens for the gateway at its private socket.',
  'listener-closed': () => 'The server does not listen for remote access.',
  'listener-killed': () => 'An Owner has cut off remote access.',
  'port-taken': ({ port }: { port: number }) => `Port ${port} is taken by another program.`,
  'port-forbidden': ({ port }: { port: number }) => `The user of the server may not listen at port ${port}.`,
  'listen-address-unknown': () => 'The address to listen at is not one of this machine.',
  'gateway-path-too-long': () => 'The path of the data folder is too long for a socket.',
  'listener-failed': () => 'The server cannot listen for remote access; its log has the reason.',
  'reached-from-outside': ({ at }: { at: string }) => `A device outside the home reached the server at ${minute(at)}.`,
  'not-reached-yet': () =>
    'No device outside the home has reached the server since it started. That does not mean that none can.',
  'proof-reached': ({ at }: { at: string }) =>
    `A third party has connected to the server through the public address at ${minute(at)}.`,
  'proof-not-connected': () =>
    'A third party could not connect to port 443 of the public address. The router may not forward it, or the ' +
    'internet provider lets no connection in.',
  'proof-elsewhere': () =>
    'A third party has connected to port 443 of the public address, and something other than this server answered.',
  'proof-no-address': () => 'A third party found no address behind the public name.',
  'proof-running': () => 'A third party is being asked to connect to the server.',
  'home-port-forwarded': ({ at }: { at: string }) =>
    `A request from outside came in at the home port at ${minute(at)}. The router forwards a port that it should not.`,
  'home-port-quiet': () => 'No request from outside has come in at the home port since the server started.',
  ...REMOTE_FAULT_TEXTS,
} as const;

/** Makes the sentence of every reason, in a language. */
export type RemoteCheckTexts = typeof REMOTE_CHECK_TEXTS;
export type RemoteCheckText = ReasonText<RemoteCheckTexts>;
export const RemoteCheckText = reasonTextSchema(REMOTE_CHECK_TEXTS, {
  id: 'RemoteCheckText',
  description: 'Result of a check, for a client that has its own words.',
  example: { reason: 'listener-open', values: { port: 8443 } },
});
