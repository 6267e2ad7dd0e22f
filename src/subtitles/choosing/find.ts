/**
 * Asks all providers at once, and returns what each of them offered or why it failed.
 *
 * Takes at most fifteen seconds. An exact match ends the other searches, unless all offers are wanted. A provider's
 * failure is part of the result, never an exception; only a cancelled signal is thrown.
 */
import {
  type ProviderQuery,
  CALL_TIMEOUT_MS,
  type Candidate,
  type SubtitleProvider,
  ProviderFault,
  type ProviderName,
} from '../providers/provider.ts';
import { isExact } from './choose.ts';
import { score } from './score.ts';

export interface ProviderSearch {
  candidates: Candidate[];
  answers: { provider: ProviderName; offered: number; fault?: ProviderFault; stopped?: true }[];
}

/**
 * Maximum number of candidates of one provider that are read. Every provider sorts the best first, and parsing names
 * takes time.
 */
const MAX_CANDIDATES_READ = 200;

/**
 * Searches these providers, which are configured and not paused. `isExhaustive`: an exact match does not end the other
 * searches.
 */
export async function findCandidates(
  providers: readonly SubtitleProvider[],
  ask: ProviderQuery,
  signal: AbortSignal,
  { isExhaustive = false }: { isExhaustive?: boolean } = {},
): Promise<ProviderSearch> {
  signal.throwIfAborted();
  const foundExact = new AbortController();
  const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const any = AbortSignal.any([signal, foundExact.signal, timeout]);
  const candidates: Candidate[] = [];
  const answers = await Promise.all(
    providers.map(async (provider): Promise<ProviderSearch['answers'][number]> => {
      try {
        const offers = (await provider.search(ask, any)).slice(0, MAX_CANDIDATES_READ);
        candidates.push(...offers);
        if (!isExhaustive && offers.some((offer) => isExact(score(offer, ask)))) foundExact.abort();
        return { provider: provider.name, offered: offers.length };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProviderFault) return { provider: provider.name, offered: 0, fault: error };
        if (foundExact.signal.aborted) return { provider: provider.name, offered: 0, stopped: true };
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
