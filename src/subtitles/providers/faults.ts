/** What the providers' answers have in common when something is wrong, and how that looks as a state of health. */
import type { Clock } from '../../lib/clock.ts';
import type { Answer } from './outbound.ts';
import { type FaultFacts, type FaultKind, type Health, ProviderFault } from './provider.ts';
import { known, retryAfter, time } from './wire.ts';

const SENTENCES: Record<FaultKind, string> = {
  'bad-credentials': 'the provider refuses the credentials',
  quota: "the provider's allowance is used up",
  'rate-limited': 'the provider asks for fewer requests',
  'not-found': 'the provider does not have this subtitle',
  gone: 'the link of the provider has expired',
  'payment-required': "the provider's plan does not include this",
  unavailable: 'the provider is not working',
  hostile: 'the answer of the provider must not be used',
};

export const fault = (kind: FaultKind, facts: FaultFacts = {}, sentence = SENTENCES[kind]): ProviderFault =>
  new ProviderFault(kind, sentence, facts);

/**
 * What an answer says about waiting. Reset headers come with every answer, good ones too, so they count only when
 * nothing is left; Retry-After is meant whenever it is there.
 */
export function waitFacts(answer: Answer, clock: Clock): FaultFacts {
  const now = clock.now();
  const reset = answer.header('x-ratelimit-remaining') === '0' ? time(answer.header('x-ratelimit-reset')) : undefined;
  return known({ retryAfter: retryAfter(answer.header('retry-after'), now), resetAt: believable(reset, now) });
}

/** A reset in the past or over a month away is not believed. */
export const believable = (resetAt: number | undefined, now: number): number | undefined =>
  resetAt !== undefined && resetAt > now && resetAt < now + 31 * 86_400_000 ? resetAt : undefined;

/** Runs a test of the credentials and says how it went. Only a cancelled signal is thrown. */
export async function healthFrom(
  test: () => Promise<{ remaining?: number; resetAt?: number }>,
  signal: AbortSignal,
): Promise<Health> {
  try {
    const { remaining, resetAt } = await test();
    return { state: remaining === 0 ? 'limited' : 'connected', ...known({ remaining, resetAt }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProviderFault)) throw error;
    const isLimit = error.kind === 'quota' || error.kind === 'rate-limited';
    const facts = { lastError: error.message, fault: error.kind, ...known({ resetAt: error.resetAt }) };
    return {
      state: isLimit ? 'limited' : 'unavailable',
      ...facts,
      ...(error.kind === 'quota' ? { remaining: 0 } : {}),
    };
  }
}
