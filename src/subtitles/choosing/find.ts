/**
 * Asks all providers at once and says what each of them brought or why not.
 *
 * Fifteen seconds in total. An offer that nothing can better ends the other searches. A provider's failure is a row in
 * the answer and never an exception; only a cancelled signal is thrown.
 */
import {
  type Ask,
  CALL_TIMEOUT,
  type Candidate,
  type Provider,
  ProviderFault,
  type ProviderName,
} from '../providers/provider.ts';
import { isExact } from './choose.ts';
import { score } from './score.ts';

export interface Search {
  candidates: Candidate[];
  answers: { provider: ProviderName; offered: number; fault?: ProviderFault; stopped?: true }[];
}

/** Offers of one provider that are looked at. The best come first everywhere, and reading names takes its time. */
const MOST_LOOKED_AT = 200;

/** `providers` are those that are configured and not paused. */
export async function findCandidates(providers: readonly Provider[], ask: Ask, signal: AbortSignal): Promise<Search> {
  signal.throwIfAborted();
  const enough = new AbortController();
  const timeout = AbortSignal.timeout(CALL_TIMEOUT);
  const any = AbortSignal.any([signal, enough.signal, timeout]);
  const candidates: Candidate[] = [];
  const answers = await Promise.all(
    providers.map(async (provider): Promise<Search['answers'][number]> => {
      try {
        const offers = (await provider.search(ask, any)).slice(0, MOST_LOOKED_AT);
        candidates.push(...offers);
        if (offers.some((offer) => isExact(score(offer, ask)))) enough.abort();
        return { provider: provider.name, offered: offers.length };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProviderFault) return { provider: provider.name, offered: 0, fault: error };
        if (enough.signal.aborted) return { provider: provider.name, offered: 0, stopped: true };
        if (timeout.aborted)
          return {
            provider: provider.name,
            offered: 0,
            fault: new ProviderFault('unavailable', 'the provider did not answer in time'),
          };
        throw error;
      }
    }),
  );
  return { candidates, answers };
}
