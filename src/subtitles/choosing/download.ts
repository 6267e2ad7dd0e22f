/**
 * Downloads the chosen candidates in turn until one is accepted.
 *
 * A candidate that cannot be accepted whatever is in it is never downloaded, since that would cost quota for nothing.
 * A provider that failed as a whole is not asked again in the same run.
 */
import type { TimingRefusal } from '../../contract/subtitles/evidence-reasons.ts';
import { createHash } from 'node:crypto';
import {
  type ProviderQuery,
  type DownloadedFile,
  type SubtitleProvider,
  ProviderFault,
} from '../providers/provider.ts';
import type { CandidateRefusal } from '../../contract/subtitles/missing-reasons.ts';
import type { SubtitleReader } from '../worker/types.ts';
import { isProviderWide } from './back-off.ts';
import { type CheckResult, checkDownload, type VerifyTiming } from './check.ts';
import { isAcceptableUnverified } from './choose.ts';
import type { ScoredCandidate } from './evidence.ts';

export interface RefusedCandidate {
  scored: ScoredCandidate;
  code: CandidateRefusal;
  /** Why its timing fits nowhere. */
  refusal?: TimingRefusal;
  reason: string;
  /** The delivered file, if there is one. */
  downloaded?: DownloadedFile;
  fault?: ProviderFault;
  /** SHA-256 of delivered bytes that never fit this video. Missing if they may be accepted another time. */
  content?: string;
}
export interface DownloadResult {
  accepted?: { scored: ScoredCandidate; downloaded: DownloadedFile; checked: Extract<CheckResult, { accepted: true }> };
  /** Candidates that were tried and refused, in order. */
  refused: RefusedCandidate[];
}

/** Compares subtitles with the speech of the video. */
export interface AudioCheck {
  /** Whether the video has speech to compare with. Determined once, when first needed. */
  hasSpeech(signal: AbortSignal): Promise<boolean>;
  verify: VerifyTiming;
}

export interface DownloadNeeds {
  providers: readonly SubtitleProvider[];
  ask: ProviderQuery;
  /**
   * Counts a download against the day's budget. Returns false if the budget is used up. Called right before each
   * download.
   */
  mayDownload(scored: ScoredCandidate): Promise<boolean>;
  /** Whether bytes of this SHA-256 were refused before. */
  isRefusedContent(content: string): Promise<boolean>;
  /** Default: only strong matches are accepted, as unverified. */
  audioCheck?: AudioCheck;
  reader?: Pick<SubtitleReader, 'examine'>;
  /** Returns why an accepted subtitle is not wanted, after all other checks passed. */
  unwanted?(accepted: NonNullable<DownloadResult['accepted']>, content: string): string | undefined;
}

export const NEEDS_STRONG_MATCH = 'only a strong release match is taken while the timing is unverified';

export async function downloadFirstAccepted(
  best: readonly ScoredCandidate[],
  needs: DownloadNeeds,
  signal: AbortSignal,
): Promise<DownloadResult> {
  const refused: RefusedCandidate[] = [];
  const failed = new Set<string>();
  for (const scored of best) {
    signal.throwIfAborted();
    const provider = needs.providers.find(({ name }) => name === scored.candidate.provider);
    if (!provider || failed.has(provider.name)) continue;
    // Only the audio check can accept this candidate, so there must be speech.
    if (!isAcceptableUnverified(scored) && !(await needs.audioCheck?.hasSpeech(signal))) {
      refused.push({ scored, code: 'unverified', reason: NEEDS_STRONG_MATCH });
      continue;
    }
    if (!(await needs.mayDownload(scored))) {
      refused.push({ scored, code: 'download', reason: 'the automatic downloads of this day are used up' });
      failed.add(provider.name);
      continue;
    }
    try {
      const downloaded = await provider.download(scored.candidate, needs.ask, signal);
      const outcome = await checkDownloaded(scored, { downloaded, provider }, needs, signal);
      if ('accepted' in outcome) return { accepted: outcome.accepted, refused };
      refused.push(outcome);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFault)) throw error;
      refused.push({
        scored,
        code: 'download',
        reason: error.message,
        fault: error,
        ...(error.content !== undefined && { content: error.content }),
      });
      if (isProviderWide(error.kind)) failed.add(provider.name);
    }
  }
  return { refused };
}

async function checkDownloaded(
  scored: ScoredCandidate,
  { downloaded, provider }: { downloaded: DownloadedFile; provider: SubtitleProvider },
  needs: DownloadNeeds,
  signal: AbortSignal,
): Promise<RefusedCandidate | Required<Pick<DownloadResult, 'accepted'>>> {
  const content = createHash('sha256').update(downloaded.bytes).digest('hex');
  if (await needs.isRefusedContent(content))
    return { scored, code: 'rejected', reason: 'this content was refused before', content, downloaded };
  const checked = await checkDownload(
    downloaded,
    {
      ask: needs.ask,
      scored,
      asDelivered: provider.asDelivered,
      ...(needs.audioCheck && { verify: needs.audioCheck.verify }),
      ...(needs.reader && { reader: needs.reader }),
    },
    signal,
  );
  if (!checked.accepted) {
    const { reason: code, detail: reason, refusal, isForGood } = checked;
    return { scored, code, reason, ...(refusal && { refusal }), downloaded, ...(isForGood && { content }) };
  }
  const accepted = { scored, downloaded, checked };
  const unwanted = needs.unwanted?.(accepted, content);
  return unwanted === undefined ? { accepted } : { scored, code: 'score', reason: unwanted };
}
