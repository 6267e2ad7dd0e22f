/** The state of trusted HTTPS at home, as an Owner reads it. */
import type { TrustedHttps } from '../../config/index.ts';
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import type { TrustedCheck, TrustedHttpsStatus } from '../../contract/remote/trusted-https.ts';
import { TRUSTED_HTTPS_TEXTS, type TrustedHttpsText } from '../../contract/remote/trusted-https-texts.ts';
import { type Clock, iso } from '../../lib/clock.ts';
import type { RemoteFaultCode } from '../fault.ts';
import type { CertificateStatus } from '../types.ts';
import type { NameFacts } from './name-check.ts';

/** Facts about one name. Times are milliseconds since the epoch. */
export interface TrustedFacts {
  value: TrustedHttps;
  name: string;
  /** Port of the listener at home. */
  port: number;
  certificate: CertificateStatus;
  /** Whether there is a certificate that is valid now. */
  isServed: boolean;
  /** When the address was sent last, and why that failed. */
  sent: { at: number; fault?: RemoteFaultCode | undefined } | undefined;
  found: NameFacts | undefined;
}

type Found = Pick<TrustedCheck, 'state' | 'text'> & { at?: number | undefined };
const plain = (reason: TrustedHttpsText['reason']): TrustedHttpsText => ({ reason, values: {} }) as TrustedHttpsText;

function address({ sent, value }: TrustedFacts): Found {
  if (!sent) return { state: 'unknown', text: plain('address-not-published') };
  return sent.fault === undefined
    ? { state: 'ok', text: { reason: 'address-published', values: { address: value.address } }, at: sent.at }
    : { state: 'failed', text: plain(sent.fault), at: sent.at };
}

function certificate({ certificate: { state, reason, notAfter }, isServed }: TrustedFacts): Found {
  if (state === 'failing' && reason !== undefined) return { state: 'failed', text: plain(reason) };
  if (isServed && notAfter !== undefined)
    return { state: 'ok', text: { reason: 'certificate-valid', values: { until: iso(notAfter) } } };
  return { state: 'unknown', text: plain('certificate-ordered') };
}

function name({ found, value }: TrustedFacts): Found {
  if (!found) return { state: 'unknown', text: plain('name-not-checked') };
  const { at, here, isPublished } = found;
  const [first] = here ?? [];
  if (here?.length === 1 && first === value.address)
    return { state: 'ok', text: { reason: 'name-leads-here', values: { address: value.address } }, at };
  if (isPublished === false) return { state: 'unknown', text: plain('name-not-shown'), at };
  if (first !== undefined)
    return { state: 'failed', text: { reason: 'name-elsewhere', values: { address: first } }, at };
  return here && isPublished === true
    ? { state: 'failed', text: { reason: 'name-dropped', values: { address: value.address } }, at }
    : { state: 'unknown', text: plain('name-unanswered'), at };
}

const CHECKS: { readonly [N in TrustedCheck['name']]: (facts: TrustedFacts) => Found } = { address, certificate, name };

/** Whether this network drops the name although it is right at the provider. */
export const isNameDropped = (facts: TrustedFacts): boolean => name(facts).text.reason === 'name-dropped';

/** Returns the state of trusted HTTPS that is set up. */
export function showTrustedHttps(
  facts: TrustedFacts,
  { isManaged, clock }: { isManaged: boolean; clock: Pick<Clock, 'now'> },
): TrustedHttpsStatus {
  const { value, name: full, port, certificate: held, isServed } = facts;
  const checks = Object.entries(CHECKS).map(([one, check]): TrustedCheck => {
    const { text, state, at = clock.now() } = check(facts);
    const sentence = textOfReason(TRUSTED_HTTPS_TEXTS, text);
    return { name: one as TrustedCheck['name'], state, sentence, text, at: iso(at) };
  });
  const isFailing = checks.some(({ state }) => state === 'failed');
  const isWaiting = !isServed || checks.some((one) => one.name === 'address' && one.state === 'unknown');
  return {
    state: isFailing ? 'failing' : isWaiting ? 'waiting' : 'ready',
    managed: isManaged,
    provider: value.provider,
    name: full,
    address: value.address,
    url: `https://${full}${port === 443 ? '' : `:${port}`}`,
    checks,
    certificate: {
      state: held.state,
      ...(held.notAfter !== undefined && { notAfter: iso(held.notAfter) }),
      ...(held.retryAt !== undefined && { retryAt: iso(held.retryAt) }),
    },
    ...(held.termsUrl !== undefined && { termsUrl: held.termsUrl }),
  };
}
