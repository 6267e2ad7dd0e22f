/**
 * Lists what the providers offer for an item in a language, with the reason why each candidate was refused. Asks all
 * providers that may be asked, and installs nothing. A list is kept for a short time (`candidate-lists.ts`), and
 * requests for the same list share one search.
 */
import type { z } from 'zod';
import type { SubtitleCandidates } from '../../contract/subtitles/candidates.ts';
import type { CandidateRefusal } from '../../contract/subtitles/missing-reasons.ts';
import { createInFlight, untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import { examiningOf } from '../choosing/check.ts';
import { findCandidates } from '../choosing/find.ts';
import { chooseCandidates } from '../choosing/choose.ts';
import { plainText, readText } from '../../cues/index.ts';
import { tracksIn } from '../inventory/item.ts';
import { installedRowOf } from '../inventory/states.ts';
import type { InventoryStore } from '../store/inventory.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { SubtitleRole } from '../store/tables.ts';
import type { RunningWork } from '../running-work.ts';
import {
  type CandidateList,
  type CandidateLists,
  type ListedCandidate,
  mayBeChosen,
  verdictOf,
} from './candidate-lists.ts';
import { type FetchTarget, languageFor, type PreconditionNeeds, requireReadable } from './preconditions.ts';
import { queryFor } from './query.ts';
import { providersFailing, type SearchNeeds, secondsUntil } from './search.ts';

type Reply = z.input<typeof SubtitleCandidates>;
type CandidateReply = Reply['items'][number];

interface CandidateQuery {
  id: string;
  /** Default: the first wanted language. */
  language?: string | undefined;
  /** Default: a regular subtitle, for which one for the hard of hearing will do. */
  role?: SubtitleRole | undefined;
}

export interface CandidateListing {
  list(asked: CandidateQuery, signal: AbortSignal): Promise<Reply>;
}

export interface CandidateNeeds extends SearchNeeds, PreconditionNeeds {
  candidates: CandidateLists;
  installing: InstallingStore;
  inventory: InventoryStore;
  running: RunningWork;
}

/** Lines of a preview, and the text from which they are read. */
const PREVIEW = { lines: 5, bytes: 4_096, characters: 300 } as const;

export function createCandidateListing(needs: CandidateNeeds): CandidateListing {
  const join = createInFlight<CandidateList>();
  return {
    list: async ({ id, language: given, role = 'normal' }, signal) => {
      const about = { item: id, language: await languageFor(needs, id, given), role };
      const ready = await requireReadable(needs, about);
      needs.providers.requireOne();
      const kept = await listToServe(needs, ready);
      const list =
        kept ??
        (await untilAborted(
          // A caller that leaves does not end the search: others may wait for it, and the list is kept.
          join(`${id} ${about.language} ${role} ${ready.file.id}`, () =>
            needs.running.run(needs.running.signal, (until) => search(needs, ready, until)),
          ),
          signal,
        ));
      return replyOf(needs, ready, list, signal);
    },
  };
}

/** Returns the kept list if it is fresh and every provider that can be asked now has answered in it. */
async function listToServe(needs: CandidateNeeds, { about, file }: FetchTarget): Promise<CandidateList | undefined> {
  const list = needs.candidates.last(about, file);
  if (!list || !needs.candidates.isFresh(list)) return undefined;
  const { providers } = await needs.providers.reachable();
  const answered = new Set(list.answers.flatMap(({ provider, stopped }) => (stopped ? [] : [provider])));
  return providers.every(({ name }) => answered.has(name)) ? list : undefined;
}

async function search(needs: CandidateNeeds, ready: FetchTarget, signal: AbortSignal): Promise<CandidateList> {
  const { about, file } = ready;
  const { providers, nextRetry } = await needs.providers.reachable();
  const earlier = needs.candidates.last(about, file);
  if (providers.length === 0) {
    if (earlier) return earlier;
    throw providersFailing('the subtitle providers cannot be searched again yet', secondsUntil(needs, nextRetry));
  }
  const ask = await queryFor({ ...ready, wanted: about });
  const { candidates, answers } = await findCandidates(providers, ask, signal, { isExhaustive: true });
  for (const { provider, fault } of answers)
    await (fault ? needs.providers.failed(provider, fault, about) : needs.providers.worked(provider));
  const faults = answers.flatMap(({ fault }) => fault ?? []);
  if (faults.length === answers.length) {
    if (earlier) return earlier;
    const retry = (await needs.providers.reachable()).nextRetry;
    throw providersFailing(faults[0]?.message ?? 'no provider answered', secondsUntil(needs, retry));
  }
  return needs.candidates.keep({ about, file, ask, answers, scored: chooseCandidates(candidates, ask).scored });
}

async function replyOf(
  needs: CandidateNeeds,
  { about, subject, file }: FetchTarget,
  list: CandidateList,
  signal: AbortSignal,
): Promise<Reply> {
  const { item, language } = about;
  const rows = (await needs.installing.filesOf([item])).filter((row) => row.language === language);
  // By its bytes: another file may have the name of one that was removed.
  const installed = tracksIn(subject, file).flatMap((track) => installedRowOf(track, rows) ?? []);
  const rejections = await needs.installing.refusals(item, language);
  const items: CandidateReply[] = [];
  for (const listed of list.candidates) {
    const { provider, id } = listed.scored.candidate;
    await readPreview(needs, list, listed, signal);
    const isAsDelivered = needs.providers.configured().find(({ name }) => name === provider)?.asDelivered === true;
    items.push({
      ...viewOf(listed, list),
      installed: installed.some((row) => row.source === provider && row.candidate === id),
      ...judged(listed, { rejections, isAsDelivered }),
    });
  }
  return {
    language,
    role: about.role,
    at: new Date(list.at).toISOString(),
    items,
    total: list.total,
    unanswered: await unansweredIn(needs, list),
  };
}

/** Refusals whose file cannot be shown in the workbench. */
const UNREADABLE = new Set<CandidateRefusal>(['unreadable']);

function judged(
  listed: ListedCandidate,
  { rejections, isAsDelivered }: { rejections: Parameters<typeof verdictOf>[1]; isAsDelivered: boolean },
): Pick<CandidateReply, 'actions' | 'refused'> {
  const refused = verdictOf(listed, rejections);
  const isOpenable = !isAsDelivered && !(refused && UNREADABLE.has(refused.reason));
  return {
    actions: [...(mayBeChosen(refused) ? ['install' as const] : []), ...(isOpenable ? ['open' as const] : [])],
    ...(refused && { refused }),
  };
}

function viewOf(
  { id, scored: { candidate, score, match, evidence }, read }: ListedCandidate,
  { ask }: CandidateList,
): Omit<CandidateReply, 'installed' | 'actions' | 'refused'> {
  const { provider, releases, title, uploader, forced, hearingImpaired } = candidate;
  const stem = ask.fileName.replace(/\.[^.]+$/, '').toLowerCase();
  return {
    id,
    provider,
    release: releases.find((name) => name.toLowerCase() === stem) ?? releases[0] ?? title ?? ask.title,
    ...(uploader !== undefined && { uploader }),
    role: forced === true ? 'forced' : hearingImpaired === true ? 'sdh' : 'normal',
    ...(read && { format: read.format }),
    score: Math.round(score),
    match,
    evidence: evidence.map((one) => ({ ...one })),
    ...(read && { preview: read.lines }),
  };
}

/** Reads the format and the first lines of a downloaded candidate, once. An unreadable file has neither. */
async function readPreview(
  { reader }: Pick<CandidateNeeds, 'reader'>,
  { ask }: CandidateList,
  listed: ListedCandidate,
  signal: AbortSignal,
): Promise<void> {
  const { downloaded, read } = listed;
  if (!downloaded || read) return;
  try {
    const { format, srt } = await reader.examine(examiningOf(downloaded.bytes, { name: downloaded.name, ask }), signal);
    const head = new TextDecoder().decode(srt.subarray(0, PREVIEW.bytes));
    // The last cue of the head may be cut.
    const cues = readText(head, 'srt').cues.slice(0, srt.byteLength > PREVIEW.bytes ? -1 : undefined);
    listed.read = {
      format,
      lines: cues.slice(0, PREVIEW.lines).map(({ start, spans }) => ({
        start: Math.max(0, start) / 1000,
        text: plainText(spans).slice(0, PREVIEW.characters),
      })),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** Returns the configured providers that are not in the list, and why. */
async function unansweredIn(needs: CandidateNeeds, { answers }: CandidateList): Promise<Reply['unanswered']> {
  const states = await needs.providers.states();
  return needs.providers.configured().flatMap(({ name }) => {
    const answer = answers.find(({ provider }) => provider === name);
    if (answer && !answer.fault && !answer.stopped) return [];
    const nextRetry = states.find((state) => state.name === name)?.nextRetry;
    return [
      {
        provider: name,
        error: answer?.fault?.message ?? 'the provider may not be asked again yet',
        ...(nextRetry !== undefined && { nextRetry }),
      },
    ];
  });
}
