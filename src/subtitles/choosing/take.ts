/**
 * Downloads the chosen candidates in turn until one is accepted.
 *
 * A candidate that cannot be accepted whatever is in it is never downloaded, since that would cost quota for nothing.
 * A provider that failed as a whole is not asked again in the same run.
 */
import { type Ask, type Downloaded, type Provider, ProviderFault } from '../providers/provider.ts';
import { isProviderWide } from './back-off.ts';
import { type Checked, check, type Verify } from './check.ts';
import type { Scored } from './evidence.ts';

export interface Taken {
  accepted?: { scored: Scored; downloaded: Downloaded; checked: Extract<Checked, { accepted: true }> };
  /** What was tried and not taken, in order. */
  refused: { scored: Scored; reason: string; fault?: ProviderFault }[];
}

export interface TakeNeeds {
  providers: readonly Provider[];
  ask: Ask;
  /** Counts the download against the day's budget; false when there is none left. Called right before each download. */
  mayDownload(scored: Scored): Promise<boolean>;
  /** Whether an Owner refused these bytes before. */
  isRefusedContent(downloaded: Downloaded): Promise<boolean>;
  /** Compares the cues with the video's speech. Left out: only a strong match is taken, as unverified. */
  verify?: Verify;
}

export async function takeFirst(best: readonly Scored[], needs: TakeNeeds, signal: AbortSignal): Promise<Taken> {
  const refused: Taken['refused'] = [];
  const failed = new Set<string>();
  for (const scored of best) {
    signal.throwIfAborted();
    const provider = needs.providers.find(({ name }) => name === scored.candidate.provider);
    if (!provider || failed.has(provider.name)) continue;
    if (!needs.verify && scored.match === 'weak') {
      refused.push({ scored, reason: 'only a strong release match is taken while the timing is unverified' });
      continue;
    }
    if (!(await needs.mayDownload(scored))) {
      refused.push({ scored, reason: 'the automatic downloads of this day are used up' });
      failed.add(provider.name);
      continue;
    }
    try {
      const downloaded = await provider.download(scored.candidate, needs.ask, signal);
      if (await needs.isRefusedContent(downloaded)) {
        refused.push({ scored, reason: 'this content was refused before' });
        continue;
      }
      const checked = await check(downloaded, { ask: needs.ask, scored, ...(needs.verify ? { verify: needs.verify } : {}) }, signal);
      if (checked.accepted) return { accepted: { scored, downloaded, checked }, refused };
      refused.push({ scored, reason: checked.detail });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFault)) throw error;
      refused.push({ scored, reason: error.message, fault: error });
      if (isProviderWide(error.kind)) failed.add(provider.name);
    }
  }
  return { refused };
}
