/**
 * Installs the candidate that a person chose, after the same checks as a fetch, or makes a draft of it.
 *
 * The person may overrule a low score and a missing confirmation of the timing, and the subtitle is then marked as
 * unverified. A file that is unreadable, incomplete, in another language, for another video or out of time is always
 * refused. A file that this server did not write is replaced only if the request names its fingerprint, because
 * then its caller has seen it. The language is frozen, so that no upgrade replaces what a person chose.
 */
import { evidenceOf } from '../../contract/subtitles/evidence-reasons.ts';
import type { Actor, Evidence } from '../../contract/subtitles/states.ts';
import { Failure } from '../../lib/failure.ts';
import type { Drafts } from '../drafts/types.ts';
import { checkDownload, examiningOf } from '../choosing/check.ts';
import { isProviderWide } from '../choosing/back-off.ts';
import { MIN_SCORE } from '../choosing/score.ts';
import {
  type CurrentSubtitle,
  type CurrentSubtitleNeeds,
  loadCurrentSubtitle,
  pickTrack,
} from '../editing/current-subtitle.ts';
import { contentHash } from '../history/preserved.ts';
import type { ReplacedFile } from '../install/install.ts';
import { checkedTracks } from '../inventory/item.ts';
import type { SubtitleRole } from '../store/tables.ts';
import { type DownloadedFile, ProviderFault, type SubtitleProvider } from '../providers/provider.ts';
import type { SearchTarget } from '../providers/provider-set.ts';
import { createAudioCheck } from './audio-check.ts';
import { type CandidateList, type ListedCandidate, mayBeChosen, verdictOf } from './candidate-lists.ts';
import type { CandidateNeeds } from './list-candidates.ts';
import { type FetchTarget, refuseChanged, refuseReadOnly, requireReadable } from './preconditions.ts';
import { type FoundSubtitle, foundOf, providersFailing, secondsUntil } from './search.ts';

export interface ChoosingNeeds extends CandidateNeeds {
  catalog: CurrentSubtitleNeeds['catalog'];
  languages: CurrentSubtitleNeeds['languages'];
  drafts: Pick<Drafts, 'offer'>;
}

export interface ChooseRequest {
  about: SearchTarget;
  candidate: string;
  fingerprint?: string | undefined;
  by?: Actor | undefined;
}

/** A candidate that is chosen, with all that is known about it. */
interface ChosenCandidate {
  ready: FetchTarget;
  list: CandidateList;
  listed: ListedCandidate;
  provider: SubtitleProvider;
}

const refusedFailure = (error: string): Failure =>
  new Failure('unavailable', `this subtitle cannot be used: ${error}`, { reason: 'candidate-refused' });

async function findChosen(needs: ChoosingNeeds, { about, candidate }: ChooseRequest): Promise<ChosenCandidate> {
  const ready = await requireReadable(needs, about);
  const list = needs.candidates.last(about, ready.file);
  const listed = list?.candidates.find(({ id }) => id === candidate);
  const provider = needs.providers.configured().find(({ name }) => name === listed?.scored.candidate.provider);
  if (!list || !listed || !provider)
    throw new Failure('missing', 'no such candidate, or its list has expired: list the candidates again', {
      reason: 'no-such-candidate',
    });
  return { ready, list, listed, provider };
}

export interface DraftOfCandidate {
  role: SubtitleRole;
  source: string;
  score: number;
  match: 'unverified';
  evidence: Evidence[];
  draftId: string;
}

/** Makes a draft of a candidate, which is reviewed in the workbench. Installs nothing. */
export async function openCandidate(
  needs: ChoosingNeeds,
  request: ChooseRequest,
  signal: AbortSignal,
): Promise<DraftOfCandidate> {
  const chosen = await findChosen(needs, request);
  const { listed, list, ready, provider } = chosen;
  if (provider.asDelivered)
    throw new Failure(
      'forbidden',
      'the terms of the provider of this subtitle do not allow changing its file; it can be installed as it is',
      { reason: 'change-not-permitted' },
    );
  if (listed.tried?.reason === 'unreadable') throw refusedFailure(listed.tried.error);
  const downloaded = await downloadChosen(needs, chosen, signal);
  const document = await needs.reader
    .document(examiningOf(downloaded.bytes, { name: downloaded.name, ask: list.ask }), signal)
    .catch((error: unknown) => {
      if (!(error instanceof Failure && error.kind === 'invalid')) throw error;
      listed.tried = { reason: 'unreadable', error: error.message };
      throw refusedFailure(error.message);
    });
  if (document.cues.length === 0) {
    listed.tried = { reason: 'too-few', error: 'the subtitle has no text' };
    throw refusedFailure('the subtitle has no text');
  }
  const { candidate, score, evidence, conflicts } = listed.scored;
  const [release = candidate.title ?? list.ask.title] = candidate.releases;
  const from = {
    source: provider.name,
    candidate: candidate.id,
    score: conflicts.length > 0 ? 0 : Math.round(score),
    evidence: evidence.map((one) => ({ ...one })),
  };
  const draftId = await needs.drafts.offer(
    { item: ready.about.item, language: ready.about.language },
    { document, from, notes: [{ reason: 'made-for', values: { release } }] },
    signal,
  );
  const { source, evidence: why, score: points } = from;
  return { role: ready.about.role, source, score: points, match: 'unverified', evidence: why, draftId };
}

/** A checked candidate, with the file that it replaces and the last check before it is written. */
export interface CheckedChoice {
  ready: FetchTarget;
  found: FoundSubtitle;
  over: ReplacedFile | undefined;
  check(): Promise<void>;
}

/** Downloads and checks a candidate. Throws if it cannot be used, or if it would replace a user's own file. */
export async function checkChosen(
  needs: ChoosingNeeds,
  request: ChooseRequest,
  signal: AbortSignal,
): Promise<CheckedChoice> {
  const chosen = await findChosen(needs, request);
  const { listed, ready } = chosen;
  const { item, language } = ready.about;
  await refuseReadOnly(ready);
  const verdict = verdictOf(listed, await needs.installing.refusals(item, language));
  if (verdict && !mayBeChosen(verdict)) throw refusedFailure(verdict.error);
  // The role is only certain once the text is known, and a download may cost quota.
  const { hearingImpaired } = listed.scored.candidate;
  const expected = ready.about.role !== 'normal' ? ready.about.role : hearingImpaired === true ? 'sdh' : 'normal';
  replacedBy(await loadCurrentSubtitle(needs, item, { language, role: expected }), request);
  const found = await checkFile(needs, chosen, await downloadChosen(needs, chosen, signal), signal);
  const current = await loadCurrentSubtitle(needs, item, { language, role: found.role });
  const over = replacedBy(current, request);
  if (over && over.content === contentHash(found.bytes))
    throw new Failure('conflict', 'this subtitle is already installed', { reason: 'not-needed' });
  return {
    ready,
    found: {
      ...found,
      evidence: [...found.evidence, evidenceOf('chosen', 0, { reason: 'chosen', values: {} })],
    },
    over,
    check: async () => {
      const now = await refuseChanged(needs, ready);
      const tracks = await checkedTracks(needs, now.subject, now.file);
      const meant = pickTrack(tracks, { language, role: found.role }, needs.languages()[0]);
      if (meant?.relative !== current.track?.relative)
        throw new Failure('conflict', 'the subtitle was changed in the meantime: load it again', {
          reason: 'subtitle-changed',
        });
    },
  };
}

/** Returns the file that the candidate replaces. Throws if it is the user's own, and the request does not name it. */
function replacedBy(
  { installed, row, track, tag, role, fingerprint }: CurrentSubtitle,
  { about, fingerprint: seen }: ChooseRequest,
): ReplacedFile | undefined {
  // A variant that covers this language is a different text, so it stays.
  if (!installed || (track?.language !== undefined && track.language !== about.language)) return undefined;
  if (seen !== undefined && seen !== fingerprint)
    throw new Failure('conflict', 'the subtitle was changed in the meantime: load it again', {
      reason: 'subtitle-changed',
    });
  // There is nothing to see in a file that cannot be read.
  const isOwn = (!row || row.origin === 'own') && track?.unreadable === undefined;
  if (seen === undefined && isOwn)
    throw new Failure('conflict', 'the current subtitle is your own file: look at it before it is replaced', {
      reason: 'own-subtitle',
    });
  return { relative: installed.relative, content: installed.content, language: tag, role };
}

/** Returns the bytes of a candidate, which are kept. A download that a person asked for has no daily budget. */
async function downloadChosen(
  needs: ChoosingNeeds,
  { ready: { about }, list, listed, provider }: ChosenCandidate,
  signal: AbortSignal,
): Promise<DownloadedFile> {
  if (listed.downloaded) return listed.downloaded;
  const { providers, nextRetry } = await needs.providers.reachable();
  if (!providers.includes(provider))
    throw providersFailing('this provider may not be asked again yet', secondsUntil(needs, nextRetry));
  const { candidate } = listed.scored;
  await needs.providers.mayDownload(provider.name, false);
  try {
    const downloaded = await provider.download(candidate, list.ask, signal);
    needs.candidates.keepDownload(listed, downloaded);
    await needs.providers.worked(provider.name, about);
    return downloaded;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProviderFault)) throw error;
    await needs.providers.failed(provider.name, error, about);
    if (isProviderWide(error.kind)) {
      const retry = (await needs.providers.reachable()).nextRetry;
      throw providersFailing(error.message, secondsUntil(needs, retry));
    }
    listed.tried = { reason: error.kind === 'hostile' ? 'unreadable' : 'download', error: error.message };
    if (error.content !== undefined)
      await remember(needs, about, { listed, content: error.content, why: error.message });
    throw refusedFailure(error.message);
  }
}

async function checkFile(
  needs: ChoosingNeeds,
  { ready, list: { ask }, listed, provider }: ChosenCandidate,
  downloaded: DownloadedFile,
  signal: AbortSignal,
): Promise<FoundSubtitle> {
  const { scored } = listed;
  const checked = await checkDownload(
    downloaded,
    {
      ask,
      scored,
      isChosen: true,
      asDelivered: provider.asDelivered,
      verify: createAudioCheck(needs, ready).verify,
      reader: needs.reader,
    },
    signal,
  );
  if (!checked.accepted) {
    listed.tried = { reason: checked.reason, error: checked.detail };
    if (checked.isForGood)
      await remember(needs, ready.about, { listed, content: contentHash(downloaded.bytes), why: checked.detail });
    throw refusedFailure(checked.detail);
  }
  const found = foundOf({ scored, downloaded, checked }, { providers: [provider], ask });
  return Math.min(scored.score, checked.score) < MIN_SCORE ? { ...found, match: 'unverified' } : found;
}

/** Records that this content does not fit the video, so that no search downloads it again. */
const remember = (
  { installing, clock }: ChoosingNeeds,
  { item, language }: SearchTarget,
  { listed, content, why: reason }: { listed: ListedCandidate; content: string; why: string },
): Promise<void> => {
  const { provider, id: candidate } = listed.scored.candidate;
  return installing.refuse({ item, language, provider, candidate, content, reason, at: clock.now() });
};
