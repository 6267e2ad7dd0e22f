/**
 * Bringing cues to the video by themselves: to the timing of a text track inside it where there is one, because that
 * is exact, or else to the speech of its audio. Weak evidence moves nothing, and says so.
 */
import type { z } from 'zod';
import type { AlignmentView } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { baseLanguage } from '../../lib/languages.ts';
import type { Log } from '../../lib/log.ts';
import type { Track } from '../store/rows.ts';
import type { Alignment } from '../../cues/align/types.ts';
import type { Cue } from '../../cues/index.ts';
import { tracksIn } from '../inventory/item.ts';
import type { Speech } from '../../speech/index.ts';
import type { Reader } from '../worker/types.ts';
import type { Embedded } from './embedded.ts';
import type { Standing } from './standing.ts';

export interface SyncNeeds {
  speech: Pick<Speech, 'align' | 'alignToCues'>;
  embedded: Embedded;
  reader: Pick<Reader, 'cues'>;
  log: Log;
}
type AlignmentReply = z.input<typeof AlignmentView>;
export interface Synced {
  alignment: Alignment;
  view: AlignmentReply;
}

/** `isOwn`: the cues are those of the track that is there, which then says nothing about itself. */
export async function sync(
  needs: SyncNeeds,
  standing: Standing,
  { cues, isOwn }: { cues: readonly Cue[]; isOwn: boolean },
  signal: AbortSignal,
): Promise<Synced> {
  const byText = await fromText(needs, standing, { cues, isOwn }, signal);
  if (byText && byText.alignment.outcome !== 'refused') return byText;
  try {
    const alignment = await needs.speech.align(
      { file: standing.file, root: standing.root, language: standing.tag },
      cues,
      { signal },
    );
    return { alignment, view: viewOf(alignment, 'speech') };
  } catch (error) {
    // Without sound that can be read, what the text said is the answer.
    if (byText && error instanceof Failure && error.kind === 'conflict') return byText;
    throw error;
  }
}

async function fromText(
  { embedded, reader, speech, log }: SyncNeeds,
  { subject, file, root, tag, track }: Standing,
  { cues, isOwn }: { cues: readonly Cue[]; isOwn: boolean },
  signal: AbortSignal,
): Promise<Synced | undefined> {
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

/** A text track inside the video whose times are those of all that is said: in this language, or in any. */
export function referenceIn(tracks: readonly Track[], language: string, own: Track | undefined): Track | undefined {
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
  ...(alignment.outcome === 'refused' && { reason: alignment.sentence }),
  reference,
  ratio: alignment.ratio,
  segments: alignment.segments.map(({ from, to, offset }) => ({ from, to, offsetMilliseconds: Math.round(offset) })),
  evidence: alignment.evidence.map(({ kind, detail, points }) => ({ kind, detail, points })),
});
