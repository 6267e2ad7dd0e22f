/** Builds faults from replies of providers, and health states from faults. */
import type { Clock } from '../../lib/clock.ts';
import type { ProviderReply } from './outbound.ts';
import { type FaultFacts, type FaultKind, type ProviderHealth, ProviderFault } from './provider.ts';
import { definedOnly, readRetryAfter, readTime } from './fields.ts';

const SENTENCES: Record<FaultKind, string> = {
  'bad-credentials': 'the provider refuses the credentials',
  quota: "the provider's quota is used up",
  'rate-limited': 'the provider asks for fewer requests',
  'not-found': 'the provider does not have this subtitle',
  gone: 'the link of the provider has expired',
  'payment-required': "the provider's plan does not include this",
  unavailable: 'the provider is not working',
  hostile: 'the reply of the provider is unsafe',
};

export const fault = (kind: FaultKind, facts: FaultFacts = {}, sentence = SENTENCES[kind]): ProviderFault =>
  new ProviderFault(kind, sentence, facts);

/**
 * Returns when a reply allows the next call. Reset headers are part of every reply, so they count only if nothing is
 * left; Retry-After always counts.
 */
export function waitFacts(answer: ProviderReply, clock: Clock): FaultFacts {
  const now = clock.now();
  const reset =
    answer.header('x-ratelimit-remaining') === '0' ? readTime(answer.header('x-ratelimit-reset')) : undefined;
  return definedOnly({
    retryAfter: readRetryAfter(answer.header('retry-after'), now),
    resetAt: believable(reset, now),
  });
}

/** Returns a reset time unless it is in the past or more than a month ahead. */
export const believable = (resetAt: number | undefined, now: number): number | undefined =>
  resetAt !== undefined && resetAt > now && resetAt < now + 31 * 86_400_000 ? resetAt : undefined;

/** Runs a test of the credentials and returns the health. Only a cancelled signal is thrown. */
export async function healthFrom(
  test: () => Promise<{ remaining?: number; resetAt?: number }>,
  signal: AbortSignal,
): Promise<ProviderHealth> {
  try {
    const { remaining, resetAt } = await test();
    return { state: remaining === 0 ? 'limited' : 'connected', ...definedOnly({ remaining, resetAt }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProviderFault)) throw error;
    const isLimit = error.kind === 'quota' || error.kind === 'rate-limited';
    const facts = { lastError: error.message, fault: error.kind, ...definedOnly({ resetAt: error.resetAt }) };
    return {
      state: isLimit ? 'limited' : 'unavailable',
      ...facts,
      ...(error.kind === 'quota' ? { remaining: 0 } : {}),
    };
  }
}
