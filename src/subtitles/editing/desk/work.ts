/**
 * The reckoning of the workbench: everything that reads, changes, compares or writes a whole subtitle. Pure: plain data
 * in, plain data out, the same in this process and in the helper.
 */
import type { z } from 'zod';
import type { SubtitlePreview } from '../../../contract/subtitles/workbench.ts';
import type { UnappliedAlignment } from '../../../cues/align/types.ts';
import { changeCues, type Cue, inOrder, type SubtitleDocument, toSrt, toVtt } from '../../../cues/index.ts';
import { type Head, inspection } from '../inspect.ts';
import { begin, type Begun, propose, type Proposal, type Trying } from '../propose.ts';
import { readCurrent, type Source, type Text } from '../sources.ts';
import type { Spot } from '../standing.ts';
import { breathe, sideInTurns } from '../view.ts';

export interface Looking {
  head: Head;
  spot: Spot;
  text?: Text | undefined;
}
export interface Previewing extends Trying {
  head: Head;
}
export interface Writing {
  spot: Spot;
  text: Text;
  format: 'srt' | 'vtt';
}
/** Cues that are to be moved. */
export interface Moving {
  spot: Spot;
  text: Text;
  alignment: UnappliedAlignment;
}
/** A proposal as it is installed: without what only people look at. */
export interface Outcome extends Omit<Proposal, 'document' | 'rows' | 'confidence' | 'source'> {
  source: Pick<Source, 'isInPlace' | 'delivered' | 'method'>;
  /** How many cues it has. */
  cues: number;
}
/** The cues that are compared with the video, in order of time. */
export interface Comparing {
  cues: readonly Cue[];
  /** They are those of what is there, and not of something that is brought. */
  isOwn: boolean;
}

export async function inspected({ head, spot, text }: Looking): ReturnType<typeof inspection> {
  return inspection({ head, spot, current: text && (await readCurrent(spot, text)) });
}

export async function compared(trying: Trying): Promise<Comparing & { begun: Begun }> {
  const begun = await begin(trying);
  const { kind, document } = begun.source;
  return { cues: inOrder(document.cues), isOwn: kind === 'edit' || kind === 'text', begun };
}

export async function proposed(trying: Trying): Promise<Outcome> {
  const {
    document,
    rows: _rows,
    confidence: _confidence,
    source: { isInPlace, delivered, method },
    ...rest
  } = await propose(trying, trying.begun ?? (await begin(trying)));
  return {
    ...rest,
    cues: document.cues.length,
    source: { isInPlace, ...(delivered && { delivered }), ...(method && { method }) },
  };
}

export async function previewed({ head, ...trying }: Previewing): Promise<z.input<typeof SubtitlePreview>> {
  const { spot, synced } = trying;
  const begun = trying.begun ?? (await begin(trying));
  const proposal = await propose(trying, begun);
  await breathe();
  const seen = await inspection({ head, spot, current: begun.current });
  await breathe();
  const side = await sideInTurns(proposal.document.cues, spot.file.info?.duration, proposal.confidence);
  const alignment = synced?.view ?? proposal.source.alignment;
  return {
    ...seen,
    warnings: [...begun.warnings, ...seen.warnings, ...proposal.notes],
    file: proposal.relative,
    changes: proposal.isChange,
    proposed: { format: proposal.document.format, ...side },
    comparison: proposal.rows,
    ...(alignment && { alignment }),
  };
}

export async function moved({ spot, text, alignment }: Moving): Promise<SubtitleDocument> {
  const { document } = await readCurrent(spot, text);
  return alignment.outcome === 'moved'
    ? changeCues(document, { timing: { alignment }, language: spot.tag }).document
    : document;
}

export async function wrote({ spot, text, format }: Writing): Promise<Uint8Array> {
  const { document } = await readCurrent(spot, text);
  return Buffer.from(format === 'vtt' ? toVtt(document) : toSrt(document));
}
