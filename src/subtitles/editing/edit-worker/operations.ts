/**
 * The operations of the workbench: everything that reads, changes, compares or writes a whole subtitle. Pure: takes and
 * returns plain data, in this process and in the worker.
 */
import type { z } from 'zod';
import type { SubtitlePreview } from '../../../contract/subtitles/views.ts';
import { type SubtitleWarning, warningsInReply } from '../../../contract/subtitles/warnings.ts';
import type { UnappliedAlignment } from '../../../cues/align/types.ts';
import { changeCues, type Cue, inOrder, type SubtitleDocument, toSrt, toVtt } from '../../../cues/index.ts';
import { type SubtitleSummary, inspectionOf } from '../inspect.ts';
import { prepareChange, type PreparedChange, propose, type Proposal, type ChangeRequest } from '../propose.ts';
import { parseCurrent, type ChangeSource, type SubtitleBytes } from '../sources.ts';
import type { CurrentSubtitleData } from '../current-subtitle.ts';
import { yieldToEventLoop, viewOfCues } from '../view.ts';

export interface InspectJob {
  summary: SubtitleSummary;
  subtitle: CurrentSubtitleData;
  text?: SubtitleBytes | undefined;
}
export interface PreviewJob extends ChangeRequest {
  summary: SubtitleSummary;
}
export interface WriteJob {
  subtitle: CurrentSubtitleData;
  text: SubtitleBytes;
  format: 'srt' | 'vtt';
}
/** Moves the cues of the current subtitle. */
export interface MoveJob {
  subtitle: CurrentSubtitleData;
  text: SubtitleBytes;
  alignment: UnappliedAlignment;
}
/** The part of a proposal that is installed, without what only the preview shows. */
export interface InstallableProposal extends Omit<Proposal, 'document' | 'rows' | 'confidence' | 'source'> {
  source: Pick<ChangeSource, 'isInPlace' | 'delivered' | 'method' | 'alignment' | 'from'>;
  /** Number of cues. */
  cues: number;
}
/** Cues that are compared with the video, in order of time. */
export interface CuesToCompare {
  cues: readonly Cue[];
  /** Whether they are the cues of the current subtitle, and not of another text. */
  isOwn: boolean;
}

export async function inspectSubtitle({ summary, subtitle, text }: InspectJob): ReturnType<typeof inspectionOf> {
  return inspectionOf({ summary, subtitle, current: text && (await parseCurrent(subtitle, text)) });
}

export async function cuesToCompare(trying: ChangeRequest): Promise<CuesToCompare & { prepared: PreparedChange }> {
  const prepared = await prepareChange(trying);
  const { kind, document } = prepared.source;
  return { cues: inOrder(document.cues), isOwn: kind === 'edit' || kind === 'text', prepared };
}

export async function proposeChange(trying: ChangeRequest): Promise<InstallableProposal> {
  const {
    document,
    rows: _rows,
    confidence: _confidence,
    source: { isInPlace, delivered, method, alignment, from },
    ...rest
  } = await propose(trying, trying.prepared ?? (await prepareChange(trying)));
  return {
    ...rest,
    cues: document.cues.length,
    source: {
      isInPlace,
      ...(delivered && { delivered }),
      ...(method && { method }),
      ...(alignment && { alignment }),
      ...(from && { from }),
    },
  };
}

export async function previewChange({ summary, ...trying }: PreviewJob): Promise<z.input<typeof SubtitlePreview>> {
  const { subtitle, synced } = trying;
  const prepared = trying.prepared ?? (await prepareChange(trying));
  const proposal = await propose(trying, prepared);
  await yieldToEventLoop();
  const { encoding } = trying.asked;
  const chosen = encoding === undefined || encoding === 'auto' ? undefined : { bad: prepared.source.bad };
  const seen = await inspectionOf({ summary, subtitle, current: prepared.current, chosen });
  await yieldToEventLoop();
  const side = await viewOfCues(proposal.document.cues, subtitle.file.info?.duration, proposal.confidence);
  const alignment = synced?.view ?? proposal.source.alignment;
  return {
    ...seen,
    ...warningsInReply([
      ...prepared.warnings,
      ...seen.warningReasons,
      ...proposal.applied.map((values): SubtitleWarning => ({ reason: 'applied', values: { ...values } })),
    ]),
    file: proposal.relative,
    changes: proposal.isChange,
    proposed: { format: proposal.document.format, ...side },
    comparison: proposal.rows,
    ...(alignment && { alignment }),
  };
}

export async function moveCues({ subtitle, text, alignment }: MoveJob): Promise<SubtitleDocument> {
  const { document } = await parseCurrent(subtitle, text);
  return alignment.outcome === 'moved'
    ? changeCues(document, { timing: { alignment }, language: subtitle.tag }).document
    : document;
}

export async function writeSubtitle({ subtitle, text, format }: WriteJob): Promise<Uint8Array> {
  const { document } = await parseCurrent(subtitle, text);
  return Buffer.from(format === 'vtt' ? toVtt(document) : toSrt(document));
}
