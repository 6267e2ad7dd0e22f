/** The state of remote access, as an Owner reads it: what is in place, what is missing, and what is not known. */
import { REMOTE_CHECK_TEXTS, type RemoteCheckText } from '../contract/remote/check-texts.ts';
import type { RemoteAccess, RemoteCheck } from '../contract/remote/remote-access.ts';
import { textOfReason } from '../contract/kernel/reason-texts.ts';
import { type Clock, iso } from '../lib/clock.ts';
import type { RemoteFaultCode } from './fault.ts';
import type { PublicListenerState, PublicPlace } from './public-listener.ts';
import type { ProofState } from './proof/proof.ts';
import type { CertificateStatus } from './types.ts';

/** Facts about remote access. Times are milliseconds since the epoch. */
export interface RemoteFacts {
  url: string | undefined;
  place: PublicPlace;
  certificate: CertificateStatus;
  /** Whether there is a certificate that is valid now. */
  isServed: boolean;
  address: { at: number; fault?: RemoteFaultCode | undefined } | undefined;
  listener: PublicListenerState;
  cutAt: number | undefined;
  /** Last request from outside at the public address, and at the home port. */
  seenAt: number | undefined;
  forwardedAt: number | undefined;
  proof: ProofState;
}

type Found = Pick<RemoteCheck, 'state'> & { text: RemoteCheckText; at?: number | undefined };
const found = (state: RemoteCheck['state'], text: RemoteCheckText, at?: number): Found => ({
  state,
  text,
  at,
});
const plain = <R extends PlainReason>(reason: R): RemoteCheckText => ({ reason, values: {} }) as RemoteCheckText;
type PlainReason = {
  [R in RemoteCheckText['reason']]: Parameters<(typeof REMOTE_CHECK_TEXTS)[R]> extends [] ? R : never;
}[RemoteCheckText['reason']];

const terms = ({ certificate }: RemoteFacts): Found =>
  certificate.termsAccepted ? found('ok', plain('terms-accepted')) : found('failed', plain('terms-open'));

function address({ address: last }: RemoteFacts): Found {
  if (!last) return found('unknown', plain('address-not-sent'));
  return last.fault === undefined
    ? found('ok', plain('address-sent'), last.at)
    : found('failed', plain(last.fault), last.at);
}

function certificate({ certificate: { state, reason, notAfter }, isServed }: RemoteFacts): Found {
  if (state === 'failing' && reason !== undefined) return found('failed', plain(reason));
  if (isServed && notAfter !== undefined)
    return found('ok', { reason: 'certificate-valid', values: { until: iso(notAfter) } });
  return found('unknown', plain(state === 'waiting' ? 'certificate-waiting' : 'certificate-ordered'));
}

function listener({ listener: { isOpen, port, fault, at }, cutAt, place }: RemoteFacts): Found {
  if (cutAt !== undefined) return found('failed', plain('listener-killed'), cutAt);
  const wanted = place.kind === 'public' ? place.address.port : 0;
  if (isOpen)
    return place.kind === 'gateway'
      ? found('ok', plain('gateway-open'), at)
      : found('ok', { reason: 'listener-open', values: { port: port ?? wanted } }, at);
  if (fault === undefined) return found('failed', plain('listener-closed'), at);
  return fault === 'port-taken' || fault === 'port-forbidden'
    ? found('failed', { reason: fault, values: { port: wanted } }, at)
    : found('failed', plain(fault), at);
}

/** A device that has arrived says more than a third party, and an older result says less than the newer one. */
function reached({ seenAt, proof }: RemoteFacts): Found {
  const last = proofFound(proof);
  if (seenAt !== undefined && (last?.at ?? 0) <= seenAt)
    return found('ok', { reason: 'reached-from-outside', values: { at: iso(seenAt) } }, seenAt);
  return last ?? found('unknown', plain('not-reached-yet'));
}

/** Result of the last proof; undefined without one. Faults of the authority itself say nothing of the server. */
function proofFound({ last }: ProofState): (Found & { at: number }) | undefined {
  if (!last) return undefined;
  const { at, result } = last;
  if (result === 'reached') return { ...found('ok', { reason: 'proof-reached', values: { at: iso(at) } }), at };
  if (result === 'not-connected' || result === 'elsewhere' || result === 'no-address')
    return { ...found('failed', plain(`proof-${result}`)), at };
  return { ...found('unknown', plain(result)), at };
}

const proofState = (proof: ProofState, clock: Pick<Clock, 'now'>): RemoteAccess['proof'] => {
  const last = proof.isRunning ? { ...found('unknown', plain('proof-running')), at: clock.now() } : proofFound(proof);
  return (
    last && {
      isRunning: proof.isRunning,
      state: last.state,
      sentence: textOfReason(REMOTE_CHECK_TEXTS, last.text),
      text: last.text,
      at: iso(last.at),
    }
  );
};

const homePort = ({ forwardedAt }: RemoteFacts): Found =>
  forwardedAt === undefined
    ? found('unknown', plain('home-port-quiet'))
    : found('failed', { reason: 'home-port-forwarded', values: { at: iso(forwardedAt) } }, forwardedAt);

const CHECKS: { readonly [N in RemoteCheck['name']]: (facts: RemoteFacts) => Found } = {
  terms,
  address,
  certificate,
  listener,
  reached,
  'home-port': homePort,
};

function stateOf({ listener: { isOpen, fault }, certificate: { state }, cutAt }: RemoteFacts): RemoteAccess['state'] {
  if (cutAt !== undefined) return 'killed';
  if (isOpen) return 'open';
  return fault !== undefined || state === 'failing' ? 'failing' : 'waiting';
}

/** Returns the state of remote access that is on by the settings. */
export function showRemoteAccess(facts: RemoteFacts, clock: Pick<Clock, 'now'>): RemoteAccess {
  const { url, place, certificate: held, listener: open, seenAt, cutAt } = facts;
  const proof = proofState(facts.proof, clock);
  const { state, names, notAfter, retryAt, termsUrl, termsAccepted } = held;
  const port = place.kind === 'public' ? (open.port ?? place.address.port) : undefined;
  return {
    mode: 'https',
    state: stateOf(facts),
    ...(url !== undefined && { url }),
    gateway: place.kind === 'gateway',
    ...(port !== undefined && { port }),
    checks: Object.entries(CHECKS).map(([name, check]) => {
      const { text, at = clock.now(), ...one } = check(facts);
      const sentence = textOfReason(REMOTE_CHECK_TEXTS, text);
      return { name: name as RemoteCheck['name'], ...one, sentence, text, at: iso(at) };
    }),
    certificate: {
      state,
      names: [...names],
      ...(notAfter !== undefined && { notAfter: iso(notAfter) }),
      ...(retryAt !== undefined && { retryAt: iso(retryAt) }),
    },
    terms: { ...(termsUrl !== undefined && { url: termsUrl }), accepted: termsAccepted },
    ...(seenAt !== undefined && { seen: iso(seenAt) }),
    ...(proof && { proof }),
    ...(cutAt !== undefined && { killedAt: iso(cutAt) }),
  };
}
