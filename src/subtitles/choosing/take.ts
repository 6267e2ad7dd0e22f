/**
 * Downloads the chosen candidates in turn until one is accepted.
 *
 * A candidate that cannot be accepted whatever is in it is never downloaded, since that would cost quota for nothing.
 * A provider that failed as a whole is not asked again in the same run.
 */
import { createHash } from 'node:crypto';
import { type Ask, type Downloaded, type Provider, ProviderFault } from '../providers/provider.ts';
import type { Reader } from '../worker/types.ts';
import { isProviderWide } from './back-off.ts';
import { type Checked, check, type Verify } from './check.ts';
import { isAcceptableUnverified } from './choose.ts';
import type { Scored } from './evidence.ts';

export interface Refused {
  scored: Scored;
  reason: string;
  fault?: ProviderFault;
  /**
   * SHA-256 of delivered bytes that are permanently wrong for this video. Left out when they may be right another time.
   */
  content?: string;
}
export interface Taken {
  accepted?: { scored: Scored; downloaded: Downloaded; checked: Extract<Checked, { accepted: true }> };
  /** Candidates that were tried and refused, in order. */
  refused: Refused[];
}

/** Comparing with the video's speech. */
export interface Ear {
  /** Whether there is speech to compare with; found out once, when it is first worth knowing. */
  canHear(signal: AbortSignal): Promise<boolean>;
  verify: Verify;
}

export interface TakeNeeds {
  providers: readonly Provider[];
  ask: Ask;
  /** Counts the download against the day's budget; false when there is none left. Called right before each download. */
  mayDownload(scored: Scored): Promise<boolean>;
  /** Whether bytes of this SHA-256 were refused before. */
  isRefusedContent(content: string): Promise<boolean>;
  /** Left out: only a strong match is taken, as unverified. */
  ear?: Ear;
  reader?: Pick<Reader, 'examine'>;
  /** The last word on what has passed all checks: why it is not wanted all the same. */
  unwanted?(accepted: NonNullable<Taken['accepted']>, content: string): string | undefined;
}

export const UNVERIFIED = 'only a strong release match is taken while the timing is unverified';

export async function takeFirst(best: readonly Scored[], needs: TakeNeeds, signal: AbortSignal): Promise<Taken> {
  const refused: Refused[] = [];
  const failed = new Set<string>();
  for (const scored of best) {
    signal.throwIfAborted();
    const provider = needs.providers.find(({ name }) => name === scored.candidate.provider);
    if (!provider || failed.has(provider.name)) continue;
    // Only the ear can accept it, so it must be able to hear.
    if (!isAcceptableUnverified(scored) && !(await needs.ear?.canHear(signal))) {
      refused.push({ scored, reason: UNVERIFIED });
      continue;
    }
    if (!(await needs.mayDownload(scored))) {
      refused.push({ scored, reason: 'the automatic downloads of this day are used up' });
      failed.add(provider.name);
      continue;
    }
    try {
      const downloaded = await provider.download(scored.candidate, needs.ask, signal);
      const outcome = await judge(scored, { downloaded, provider }, needs, signal);
      if ('accepted' in outcome) return { accepted: outcome.accepted, refused };
      refused.push(outcome);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFault)) throw error;
      refused.push({
        scored,
        reason: error.message,
        fault: error,
        ...(error.content !== undefined && { content: error.content }),
      });
      if (isProviderWide(error.kind)) failed.add(provider.name);
    }
  }
  return { refused };
}

async function judge(
  scored: Scored,
  { downloaded, provider }: { downloaded: Downloaded; provider: Provider },
  needs: TakeNeeds,
  signal: AbortSignal,
): Promise<Refused | Required<Pick<Taken, 'accepted'>>> {
  const content = createHash('sha256').update(downloaded.bytes).digest('hex');
  if (await needs.isRefusedContent(content)) return { scored, reason: 'this content was refused before', content };
  const checked = await check(
    downloaded,
    {
      ask: needs.ask,
      scored,
      asDelivered: provider.asDelivered,
      ...(needs.ear && { verify: needs.ear.verify }),
      ...(needs.reader && { reader: needs.reader }),
    },
    signal,
  );
  if (!checked.accepted) return { scored, reason: checked.detail, ...(checked.isForGood && { content }) };
  const accepted = { scored, downloaded, checked };
  const unwanted = needs.unwanted?.(accepted, content);
  return unwanted === undefined ? { accepted } : { scored, reason: unwanted };
}
