/**
 * Aligns cues with the video: with a text track inside it if there is one, because that is exact, else with the speech
 * of its audio. Weak evidence moves nothing and is reported.
 */
import { TIMING_REFUSALS } from '../../contract/subtitles/evidence-reasons.ts';
import type { z } from 'zod';
import type { AlignmentView } from '../../contract/subtitles/views.ts';
import { Failure } from '../../lib/failure.ts';
import { baseLanguage } from '../../lib/languages.ts';
import type { Log } from '../../lib/log.ts';
import type { InventoryTrack } from '../store/rows.ts';
import type { Alignment } from '../../cues/align/types.ts';
import type { Cue } from '../../cues/index.ts';
import { tracksIn } from '../inventory/item.ts';
import type { Speech } from '../../speech/index.ts';
import type { SubtitleReader } from '../worker/types.ts';
import type { EmbeddedTexts } from './embedded.ts';
import type { CurrentSubtitle } from './current-subtitle.ts';

export interface SyncNeeds {
  speech: Pick<Speech, 'align' | 'alignToCues'>;
  embedded: EmbeddedTexts;
  reader: Pick<SubtitleReader, 'cues'>;
  log: Log;
}
type AlignmentReply = z.input<typeof AlignmentView>;
export interface SyncResult {
  alignment: Alignment;
  view: AlignmentReply;
}

/**
 * Aligns cues with the video. `isOwn`: the cues are those of the current subtitle, which is then not compared with
 * itself.
 */
export async function sync(
  needs: SyncNeeds,
  current: CurrentSubtitle,
  { cues, isOwn }: { cues: readonly Cue[]; isOwn: boolean },
  signal: AbortSignal,
): Promise<SyncResult> {
  const textResult = await alignWithText(needs, current, { cues, isOwn }, signal);
  if (textResult && textResult.alignment.outcome !== 'refused') return textResult;
  try {
    const alignment = await needs.speech.align(
      { file: current.file, root: current.root, language: current.tag },
      cues,
      { signal },
    );
    return { alignment, view: viewOf(alignment, 'speech') };
  } catch (error) {
    // The audio cannot be read, so the result of the text track counts.
    if (textResult && error instanceof Failure && error.kind === 'conflict') return textResult;
    throw error;
  }
}

async function alignWithText(
  { embedded, reader, speech, log }: SyncNeeds,
  { subject, file, root, tag, track }: CurrentSubtitle,
  { cues, isOwn }: { cues: readonly Cue[]; isOwn: boolean },
  signal: AbortSignal,
): Promise<SyncResult | undefined> {
  const reference = referenceIn(tracksIn(subject, file), tag, isOwn ? track : undefined);
  if (!reference) return undefined;
  try {
    const text = await reader.cues(await embedded.read({ file, root, track: reference }, signal), signal);
    const alignment = await speech.alignToCues(cues, text, { signal });
    return { alignment, view: viewOf(alignment, 'embedded') };
  } catch (error) {
    signal.throwIfAborted();
    log.fault('subtitles.track-unread', error, { item: subject.id });
    return undefined;
  }
}

/** Returns a text track inside the video that covers all speech: in this language, or else in any. */
export function referenceIn(
  tracks: readonly InventoryTrack[],
  language: string,
  own: InventoryTrack | undefined,
): InventoryTrack | undefined {
  const fitting = tracks.filter(
    (one) =>
      one.source === 'embedded' &&
      !one.picture &&
      !one.commentary &&
      one.role !== 'forced' &&
      (own?.source !== 'embedded' || one.stream !== own.stream),
  );
  return (
    fitting.find((one) => one.language !== undefined && baseLanguage(one.language) === baseLanguage(language)) ??
    fitting[0]
  );
}

const viewOf = (alignment: Alignment, reference: AlignmentReply['reference']): AlignmentReply => ({
  outcome: alignment.outcome,
  ...(alignment.outcome === 'refused' && { reason: TIMING_REFUSALS[alignment.refusal], why: alignment.refusal }),
  reference,
  ratio: alignment.ratio,
  segments: alignment.segments.map(({ from, to, offset }) => ({ from, to, offsetMilliseconds: Math.round(offset) })),
  evidence: alignment.evidence.map((one) => ({ ...one })),
});
