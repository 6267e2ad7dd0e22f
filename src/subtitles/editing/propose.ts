/**
 * What a change would make: the proposed document and its bytes, where they would go, which cue became which, and what
 * was done in words. Nothing is written. The same proposal is previewed and applied.
 */
import type { z } from 'zod';
import type { Change, ComparisonRow } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { type Changed, type Changes, change, convert, type Cue, inOrder, type Row, readText, type SubtitleDocument, type Timing, toSrt, unpaired } from '../engine/index.ts';
import { type Over, type Role, sidecarName } from '../install.ts';
import type { Origin } from '../store/lineage.ts';
import { type Current, type Kind, type Source, sourceOf, type SourceNeeds } from './sources.ts';
import type { Standing } from './standing.ts';
import { sync, type Synced, type SyncNeeds } from './sync.ts';
import { breathe } from './view.ts';

export interface ProposeNeeds extends SourceNeeds, SyncNeeds {
  /** Files of that provider may not be changed. */
  isAsDelivered(source: string): boolean;
}

export interface Proposal {
  kind: Kind;
  document: SubtitleDocument;
  rows: z.input<typeof ComparisonRow>[];
  /** What was done, a sentence each. */
  notes: string[];
  synced?: Synced;
  source: Source;
  /** By index of the proposed cues. */
  confidence?: (number | undefined)[];
  bytes: Buffer;
  /** Below the library. */
  relative: string;
  format: string;
  language: string;
  role: Role;
  over?: Over;
  origin: Origin;
  isChange: boolean;
}

export async function propose(needs: ProposeNeeds, standing: Standing, { asked, current }: { asked: Change; current: Current | undefined }, signal: AbortSignal): Promise<Proposal> {
  const source = await sourceOf(needs, standing, { asked, current }, signal);
  if (source.isInPlace && needs.isAsDelivered(standing.source)) throw new Failure('conflict', 'the terms of the provider of this subtitle do not allow changing its file; another file can replace it');
  const synced = asked.automaticSync === true ? await sync(needs, standing, { cues: inOrder(source.document.cues), isOwn: source.kind === 'edit' || source.kind === 'text' }, signal) : undefined;
  const changed = change(source.document, changesOf(asked, { synced, language: standing.tag }));
  await breathe();
  const target = targetOf(standing, { source, role: asked.role, current });
  const document = target.isRewritten ? readText(toSrt(changed.document), 'srt') : changed.document;
  const bytes = Buffer.from(convert(document, document.format));
  await breathe();
  const isPaired = source.isPaired && document === changed.document;
  return {
    kind: source.kind, document, source, bytes, ...target,
    rows: (isPaired ? changed.rows : unpaired(current ? inOrder(current.document.cues) : [], document.cues)).map(rowOf),
    notes: changed.notes,
    ...(synced && { synced }),
    ...(source.confidence && document === changed.document && { confidence: confidenceOf(source.confidence, changed) }),
    origin: source.kind === 'import' ? 'imported' : source.kind === 'draft' ? 'draft' : 'edited',
    isChange: isChangeOf({ standing, source, current, document, bytes, relative: target.relative, isConverted: asked.encoding !== undefined }),
  };
}

const rowOf = ({ kind, current, proposed }: Row): z.input<typeof ComparisonRow> => ({ kind, ...(current && { current }), ...(proposed && { proposed }) });

function changesOf(asked: Change, { synced, language }: { synced: Synced | undefined; language: string }): Changes {
  const timing = timingOf(asked, synced);
  const { removeCredits, mergeRepeated, removeHearingImpaired, fixCommonErrors, fixOverlaps } = asked;
  const rules = { removeCredits, mergeRepeated, removeHearingImpaired, fixCommonErrors, fixOverlaps };
  return { ...(Object.fromEntries(Object.entries(rules).filter(([, is]) => is === true)) as Changes), ...(timing && { timing }), language };
}

function timingOf({ offsetMilliseconds, anchors, framerate }: Change, synced: Synced | undefined): Timing | undefined {
  if (offsetMilliseconds !== undefined) return { offset: offsetMilliseconds };
  if (anchors) return { anchors: anchors.map(({ atMilliseconds, offsetMilliseconds: offset }) => ({ at: atMilliseconds, offset })) };
  if (framerate) return { framerate };
  return synced?.alignment.outcome === 'moved' ? { alignment: synced.alignment } : undefined;
}

/** Each proposed cue is as sure as the least sure of those that it was made from. */
const confidenceOf = (of: readonly number[], { rows, document }: Changed): (number | undefined)[] => {
  const all: (number | undefined)[] = document.cues.map(() => undefined);
  for (const { current = [], proposed = [] } of rows) {
    const least = current.reduce<number | undefined>((lowest, index) => (of[index] === undefined ? lowest : Math.min(lowest ?? 1, of[index])), undefined);
    for (const index of proposed) all[index] = least;
  }
  return all;
};

interface Target {
  relative: string;
  format: string;
  language: string;
  role: Role;
  over?: Over;
  /** In another format than the document has. */
  isRewritten: boolean;
}

/** Where the proposed document goes, and what it takes the place of. */
function targetOf({ file, installed, track, tag, language, role: had }: Standing, { source, role: wished, current }: { source: Source; role: Role | undefined; current: Current | undefined }): Target {
  const role = wished ?? (track ? had : 'normal');
  const { format } = source.document;
  // A file of several languages stays as it is, and what becomes of one of them stands beside it.
  const isShared = current?.document.warnings.some(({ code }) => code === 'more-languages') === true;
  if (!source.isInPlace || !track || isShared) {
    // A variant that stands for its language is another one's text: it stays.
    const isReplaced = installed !== undefined && !isShared && (track?.language === undefined || track.language === language);
    const named = source.isInPlace ? tag : language;
    return { relative: sidecarName(file.relative, named, role), format: 'srt', language: named, role, isRewritten: format !== 'srt', ...(isReplaced && { over: overOf(installed, { language: tag, role: had }) }) };
  }
  // Inside a video there are two kinds of text: what has styles stays so.
  const inside = format === 'ass' || format === 'ssa' ? 'ass' : 'srt';
  const extension = installed ? installed.relative.slice(installed.relative.lastIndexOf('.') + 1) : inside;
  const relative = installed && role === had ? installed.relative : sidecarName(file.relative, tag, role, extension);
  return { relative, format: extension.toLowerCase(), language: tag, role, isRewritten: !installed && inside === 'srt' && format !== 'srt', ...(installed && { over: overOf(installed, { language: tag, role: had }) }) };
}

const overOf = ({ relative, content }: NonNullable<Standing['installed']>, { language, role }: { language: string; role: Role }): Over => ({ relative, content, language, role });

interface Compared {
  standing: Standing;
  source: Source;
  current: Current | undefined;
  document: SubtitleDocument;
  bytes: Buffer;
  relative: string;
  /** A character set was named, so that the file is wanted in UTF-8. */
  isConverted: boolean;
}

/** Whether anything would be other than it is. A file that is only written in another way is not. */
function isChangeOf({ standing: { installed }, source, current, document, bytes, relative, isConverted }: Compared): boolean {
  if (!installed || installed.relative !== relative) return true;
  if (installed.bytes.equals(bytes)) return false;
  if (source.kind !== 'edit' || !source.isPaired || !current) return true;
  const before = inOrder(current.document.cues);
  const after = document.cues;
  return (isConverted && current.encoding !== 'utf-8') || before.length !== after.length || before.some((cue, n) => !isSame(cue, after[n]));
}

const isSame = (a: Cue, b: Cue | undefined): boolean => b !== undefined && a.start === b.start && a.end === b.end && (a.spans === b.spans || JSON.stringify(a.spans) === JSON.stringify(b.spans));
