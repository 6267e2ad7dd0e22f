/**
 * Searches providers for a subtitle: asks all of them at once, downloads the best three candidates in turn, and checks
 * each before it is accepted. What the calls showed about the providers and which downloads were wrong is recorded,
 * whatever the outcome.
 */
import { subtitleFormat } from '../../cues/index.ts';
import { missingText, type MissingReason } from '../../contract/subtitles/missing-reasons.ts';
import type { Evidence } from '../../contract/subtitles/states.ts';
import type { Clock } from '../../lib/clock.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import { chooseCandidates, type CandidateChoice, isExact } from '../choosing/choose.ts';
import type { ScoredCandidate } from '../choosing/evidence.ts';
import { findCandidates, type ProviderSearch } from '../choosing/find.ts';
import { downloadFirstAccepted, type DownloadResult } from '../choosing/download.ts';
import type { InstallRequest } from '../install/install.ts';
import type { SearchTarget, ProviderSet } from '../providers/provider-set.ts';
import { contentHash } from '../history/preserved.ts';
import type { Candidate, ProviderQuery, SubtitleProvider } from '../providers/provider.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';
import type { CandidateLists } from './candidate-lists.ts';
import { queryFor } from './query.ts';
import type { FetchTarget } from './preconditions.ts';
import { createAudioCheck, type AudioCheckNeeds } from './audio-check.ts';

export interface SearchNeeds extends AudioCheckNeeds {
  clock: Clock;
  inventory: Pick<InventoryStore, 'searched'>;
  installing: InstallingStore;
  providers: ProviderSet;
  candidates: Pick<CandidateLists, 'keep'>;
  /** Called after a search has ended. */
  changed(id: string): Promise<void>;
}

export type FoundSubtitle = Pick<
  InstallRequest,
  'role' | 'format' | 'bytes' | 'source' | 'match' | 'evidence' | 'candidate' | 'delivered' | 'notes'
> & { score: number };

/** The current subtitle, which an upgrade would replace. */
export interface ReplaceableSubtitle {
  /** Whether it is the user's own file, which only an exact match may replace. */
  isOwn: boolean;
  role: InstallRequest['role'];
  format: string;
  /** Minimum score of the new subtitle. */
  minScore: number;
  isVerified: boolean;
  /** Ids of the current subtitle and of its predecessors at their providers. */
  candidates: readonly { provider: string; id: string }[];
  /** SHA-256 of everything that was ever installed here, as delivered and as written. */
  contents: ReadonlySet<string>;
}

export interface SearchRequest {
  ready: FetchTarget;
  isAutomatic: boolean;
  replaceable?: ReplaceableSubtitle;
}

/** Whether a failed search had no candidate at all, and not only untrusted ones. */
export const isEmptyHanded = (error: unknown): boolean => failedFor(error, 'none-offered');

/**
 * Returns the first acceptable subtitle. Throws `Failure('unavailable')` with the reason: no provider configured or
 * one that waits for a restart, no trusted candidate, or failing providers.
 */
export async function searchProviders(
  needs: SearchNeeds,
  { ready, isAutomatic, replaceable }: SearchRequest,
  signal: AbortSignal,
): Promise<FoundSubtitle> {
  const { about } = ready;
  const { item, language } = about;
  needs.providers.requireOne();
  const { providers, nextRetry } = await needs.providers.usable(about, isAutomatic);
  if (providers.length === 0)
    throw providersFailing('the subtitle providers cannot be searched again yet', secondsUntil(needs, nextRetry));
  const ask = await queryFor({ ...ready, wanted: about });
  const search = await findCandidates(providers, ask, signal);
  const refusals = await needs.installing.refusals(about.item, about.language);
  const isRejected = ({ provider, id }: Candidate) =>
    [
      ...refusals.map((one) => ({ provider: one.provider, id: one.candidate })),
      ...(replaceable?.candidates ?? []),
    ].some((one) => one.provider === provider && one.id === id);
  const choice = withoutHopeless(chooseCandidates(search.candidates, ask, isRejected), replaceable);
  const contents = new Set(refusals.flatMap(({ content }) => content ?? []));
  const result = await downloadFirstAccepted(
    choice.best,
    {
      providers,
      ask,
      audioCheck: createAudioCheck(needs, ready, isAutomatic),
      reader: needs.reader,
      mayDownload: ({ candidate }) => needs.providers.mayDownload(candidate.provider, isAutomatic),
      isRefusedContent: async (content) => contents.has(content),
      ...(replaceable && {
        unwanted: (accepted, content) => reasonNotBetter(replaceable, foundOf(accepted, { providers, ask }), content),
      }),
    },
    signal,
  );
  for (const { scored, reason, content } of result.refused) {
    const { provider, id: candidate } = scored.candidate;
    if (content !== undefined)
      await needs.installing.refuse({ item, language, provider, candidate, content, reason, at: needs.clock.now() });
  }
  // A person whose fetch is refused can choose from what was found, without another search.
  if (!isAutomatic)
    needs.candidates.keep({
      about,
      file: ready.file,
      ask,
      answers: search.answers,
      scored: choice.scored,
      refused: result.refused,
    });
  await recordProviderStates(needs, { about, search, result });
  const isPartial = providers.length < needs.providers.configured().length;
  if (!result.accepted)
    return failSearch(needs, { about, search, choice, result, isPartial, isUpgrade: replaceable !== undefined });
  return foundOf(result.accepted, { providers, ask });
}

export const secondsUntil = ({ clock }: Pick<SearchNeeds, 'clock'>, until: number | undefined): number | undefined =>
  until === undefined ? undefined : Math.max(1, Math.ceil((until - clock.now()) / 1000));
export const providersFailing = (sentence: string, seconds: number | undefined): Failure =>
  new Failure('unavailable', sentence, {
    reason: 'providers-failing',
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  });

/** Removes candidates that cannot become good enough, so that they are not downloaded. */
function withoutHopeless(choice: CandidateChoice, replaceable: ReplaceableSubtitle | undefined): CandidateChoice {
  if (!replaceable) return choice;
  const isWorthIt = (one: ScoredCandidate): boolean =>
    replaceable.isOwn ? isExact(one) : one.score >= replaceable.minScore;
  return { ...choice, best: choice.best.filter(isWorthIt) };
}

/** Returns why a found subtitle must not replace the current one; undefined if it may. */
function reasonNotBetter(replaceable: ReplaceableSubtitle, found: FoundSubtitle, content: string): string | undefined {
  if (replaceable.contents.has(content) || replaceable.contents.has(contentHash(found.bytes)))
    return 'this subtitle was installed here before';
  // A user's own file keeps its name. A fetched file may be replaced by one with another role or format.
  if (replaceable.isOwn && !hasSameName(replaceable, found))
    return 'its role or format differs from the current subtitle';
  if (found.role === 'sdh' && replaceable.role !== 'sdh')
    return 'it is for the hard of hearing, and the current subtitle is not';
  if (found.score < replaceable.minScore) return 'it is not clearly better than the current subtitle';
  if (replaceable.isVerified && found.match !== 'verified')
    return 'its timing is less certain than that of the current subtitle';
  return undefined;
}

/** Whether a found subtitle gets the same file name as the one it replaces. */
export const hasSameName = (
  replaceable: Pick<ReplaceableSubtitle, 'role' | 'format'>,
  found: Pick<FoundSubtitle, 'role' | 'format'>,
): boolean => found.role === replaceable.role && found.format === replaceable.format;

/** Returns a checked download as it is installed. */
export function foundOf(
  { scored, downloaded, checked }: NonNullable<DownloadResult['accepted']>,
  { providers, ask }: { providers: readonly SubtitleProvider[]; ask: ProviderQuery },
): FoundSubtitle {
  const isAsDelivered = providers.find(({ name }) => name === scored.candidate.provider)?.asDelivered === true;
  const moved = checked.evidence.find(({ why }) => why?.reason === 'moved')?.why;
  return {
    role: ask.forced === true ? 'forced' : checked.hearingImpaired ? 'sdh' : 'normal',
    format: isAsDelivered ? subtitleFormat(checked.format).extensions[0] : 'srt',
    bytes: isAsDelivered ? downloaded.bytes : Buffer.from(checked.srt),
    source: scored.candidate.provider,
    candidate: scored.candidate.id,
    delivered: downloaded.bytes,
    score: Math.round(checked.score),
    match: checked.isVerified ? 'verified' : 'unverified',
    evidence: checked.evidence.map((one): Evidence => ({ ...one })),
    ...(moved?.reason === 'moved' && { notes: [{ reason: 'moved-to-fit', values: moved.values }] }),
    ...(checked.isCut && { notes: [{ reason: 'cut', values: {} }] }),
  };
}

/**
 * Records what the calls showed about the providers. A provider that replied but could not deliver has failed, and is
 * paused for longer each time.
 */
async function recordProviderStates(
  { providers }: SearchNeeds,
  { about, search, result }: { about: SearchTarget; search: ProviderSearch; result: DownloadResult },
): Promise<void> {
  const faults = new Map(
    result.refused.flatMap(({ scored, fault }) => (fault ? [[scored.candidate.provider, fault] as const] : [])),
  );
  if (result.accepted) faults.delete(result.accepted.scored.candidate.provider);
  for (const { provider, fault: silent, stopped } of search.answers) {
    const fault = silent ?? faults.get(provider);
    if (fault) await providers.failed(provider, fault, about);
    else if (!stopped) await providers.worked(provider, about);
  }
}

interface FailedSearch {
  about: SearchTarget;
  search: ProviderSearch;
  choice: CandidateChoice;
  result: DownloadResult;
  /** Whether some configured providers were not asked. */
  isPartial: boolean;
  /** Whether this was an upgrade of an existing subtitle. */
  isUpgrade: boolean;
}

async function failSearch(
  needs: SearchNeeds,
  { about, search, choice, result, isPartial, isUpgrade }: FailedSearch,
): Promise<never> {
  const faults = [...search.answers, ...result.refused].flatMap(({ fault }) => fault ?? []);
  // As long as one provider failed, an empty result proves nothing.
  const isIncomplete = faults.length > 0 || isPartial;
  const hasNoReply =
    search.answers.every(({ fault }) => fault !== undefined) ||
    (result.refused.length > 0 && result.refused.every(({ fault }) => fault !== undefined));
  const [fault] = faults;
  const why: MissingReason = !hasNoReply
    ? reasonOf(choice, { result, isUpgrade, isIncomplete })
    : fault
      ? { reason: 'provider-failed', values: { fault: fault.kind, message: fault.message } }
      : { reason: 'no-answer', values: {} };
  const sentence = missingText(why);
  const outcome = isIncomplete ? 'failed' : choice.offered === 0 ? 'nothing' : 'refused';
  if (!isUpgrade) {
    // If no provider replied, the item stays due. If some replied, it is paused, so that those are not asked again at
    // once because of the others. The pause is recorded before the unsuccessful search, so that a crash in between
    // leaves no item that is never due.
    if (!hasNoReply) await needs.providers.ended(about, outcome === 'failed' ? 'blocked' : outcome);
    await needs.inventory.searched(about.item, about, { at: needs.clock.now(), outcome, why });
    await needs.changed(about.item);
  }
  if (!hasNoReply)
    throw new Failure('unavailable', sentence, { reason: choice.offered === 0 ? 'none-offered' : 'none-trusted' });
  const { nextRetry } = await needs.providers.usable(about);
  throw providersFailing(sentence, secondsUntil(needs, nextRetry));
}

function reasonOf(
  choice: CandidateChoice,
  { result, isUpgrade, isIncomplete }: { result: DownloadResult; isUpgrade: boolean; isIncomplete: boolean },
): MissingReason {
  if (choice.offered === 0) return { reason: isIncomplete ? 'none-offered-by-some' : 'none-offered', values: {} };
  const first = result.refused.find(({ fault }) => !fault);
  return first
    ? {
        reason: 'refused',
        values: { code: first.code, message: first.reason, ...(first.refusal && { refusal: first.refusal }) },
      }
    : { reason: isUpgrade ? 'nothing-better' : 'no-good-match', values: {} };
}
