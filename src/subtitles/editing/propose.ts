/**
 * Calculates what a change would do: the proposed document and its bytes, the target file, the matching of old and new
 * cues, and sentences about what was done. Pure: takes and returns plain data, so that a large change can run in
 * another process. Preview and apply use the same proposal.
 */
import type { z } from 'zod';
import type { SubtitleChange } from '../../contract/subtitles/change.ts';
import type { ComparisonRow } from '../../contract/subtitles/views.ts';
import { UNREADABLE_CAUSES, type SubtitleWarning } from '../../contract/subtitles/warnings.ts';
import { Failure } from '../../lib/failure.ts';
import type { UnappliedAlignment } from '../../cues/align/types.ts';
import {
  type AppliedNote,
  type ChangeResult,
  type Changes,
  changeCues,
  convert,
  type Cue,
  inOrder,
  type ChangeRow,
  readText,
  type SubtitleDocument,
  type Timing,
  toSrt,
  unpaired,
} from '../../cues/index.ts';
import type { ReplacedFile } from '../install/install.ts';
import type { SubtitleRole, Origin } from '../store/tables.ts';
import { sidecarName } from '../install/sidecar-name.ts';
import {
  type ChangeInput,
  type ParsedSubtitle,
  type SourceKind,
  parseCurrent,
  type ChangeSource,
  changeSource,
  type SubtitleBytes,
} from './sources.ts';
import type { CurrentSubtitleData } from './current-subtitle.ts';
import type { SyncResult } from './sync.ts';
import { yieldToEventLoop } from './view.ts';

/** A change and everything needed to calculate it. */
export interface ChangeRequest extends ChangeInput {
  asked: SubtitleChange;
  /** The provider's terms forbid changing the installed file. */
  isAsDelivered: boolean;
  /** Result of comparing the cues with the video, if the change asked for it. */
  synced?: { alignment: UnappliedAlignment; view: SyncResult['view'] } | undefined;
  /** Why the current subtitle could not be read as text, if the change does not need it. */
  unread?: UnreadableWarning | undefined;
  /** The prepared change, if it was prepared in this process already. */
  prepared?: PreparedChange | undefined;
}

/** The parsed current subtitle and the source of a change. */
export interface PreparedChange {
  current: ParsedSubtitle | undefined;
  source: ChangeSource;
  warnings: SubtitleWarning[];
}

export interface Proposal {
  kind: SourceKind;
  document: SubtitleDocument;
  rows: z.input<typeof ComparisonRow>[];
  /** Notes about what was done: the rule, the number of cues and a sentence. */
  applied: readonly AppliedNote[];
  source: ChangeSource;
  /** Confidence of each proposed cue, by index. */
  confidence?: (number | undefined)[];
  bytes: Buffer;
  /** Path below the library's root. */
  relative: string;
  format: string;
  language: string;
  role: SubtitleRole;
  over?: ReplacedFile;
  origin: Origin;
  isChange: boolean;
}

/**
 * Parses the current subtitle and the source of the change. The current subtitle may be unreadable if the change
 * replaces it.
 */
export async function prepareChange({
  subtitle,
  text,
  asked,
  draft,
  isAsDelivered,
  unread,
}: ChangeRequest): Promise<PreparedChange> {
  const warnings = unread === undefined ? [] : [unread];
  const brings = bringsText(asked);
  const current =
    text &&
    (await parseCurrent(subtitle, text).catch((error: unknown) => {
      if (!(brings && error instanceof Failure && error.kind === 'conflict')) throw error;
      warnings.push(unreadableWarning(error));
      return undefined;
    }));
  await yieldToEventLoop();
  const source = await changeSource({ subtitle, text, asked, draft }, current);
  if (source.isInPlace && isAsDelivered)
    throw new Failure(
      'forbidden',
      'the terms of the provider of this subtitle do not allow changing its file; another file can replace it',
      { reason: 'change-not-permitted' },
    );
  return { current, source, warnings };
}

/** Whether the change starts from another text than the current subtitle. */
export const bringsText = ({ data, draftId, text }: SubtitleChange): boolean =>
  data !== undefined || draftId !== undefined || text !== undefined;

/** Returns the alignment that the written times come from: that of this change, or of its draft. */
export function alignmentOf(
  { asked, synced }: ChangeRequest,
  { source }: { source: Pick<ChangeSource, 'alignment'> },
): ChangeSource['alignment'] {
  const isMovedByHand = asked.offsetMilliseconds !== undefined || asked.anchors || asked.framerate;
  return synced?.view ?? (isMovedByHand ? undefined : source.alignment);
}

export type UnreadableWarning = Extract<SubtitleWarning, { reason: 'unreadable' }>;
/** Returns the warning of a failure to read the current subtitle. The first cause is named: it says what is wrong. */
export function unreadableWarning({ cause: first, message, reason }: Failure): UnreadableWarning {
  const named = first instanceof Failure ? first.reason : reason;
  const why = UNREADABLE_CAUSES.find((one) => one === named) ?? 'installed-unreadable';
  return { reason: 'unreadable', values: { why, message } };
}

export async function propose(
  { subtitle, text, asked, synced }: ChangeRequest,
  { current, source }: PreparedChange,
): Promise<Proposal> {
  const changed = changeCues(source.document, changesOf(asked, { synced, language: subtitle.tag }));
  await yieldToEventLoop();
  const target = targetOf(subtitle, { source, role: asked.role, current });
  const document = target.isRewritten ? readText(toSrt(changed.document), 'srt') : changed.document;
  const bytes = Buffer.from(convert(document, document.format));
  await yieldToEventLoop();
  const isPaired = source.isPaired && document === changed.document;
  return {
    kind: source.kind,
    document,
    source,
    bytes,
    ...target,
    rows: (isPaired ? changed.rows : unpaired(current ? inOrder(current.document.cues) : [], document.cues)).map(rowOf),
    applied: changed.applied,
    ...(source.confidence && document === changed.document && { confidence: confidenceOf(source.confidence, changed) }),
    origin: source.kind === 'import' ? 'imported' : source.kind === 'draft' ? 'draft' : 'edited',
    isChange: isChangeOf({
      subtitle,
      text,
      source,
      current,
      document,
      bytes,
      relative: target.relative,
      isConverted: asked.encoding !== undefined,
    }),
  };
}

const rowOf = ({ kind, current, proposed }: ChangeRow): z.input<typeof ComparisonRow> => ({
  kind,
  ...(current && { current }),
  ...(proposed && { proposed }),
});

function changesOf(
  asked: SubtitleChange,
  { synced, language }: { synced: ChangeRequest['synced']; language: string },
): Changes {
  const timing = timingOf(asked, synced);
  const { removeCredits, mergeRepeated, removeHearingImpaired, fixCommonErrors, fixOverlaps } = asked;
  const rules = { removeCredits, mergeRepeated, removeHearingImpaired, fixCommonErrors, fixOverlaps };
  return {
    ...(Object.fromEntries(Object.entries(rules).filter(([, is]) => is === true)) as Changes),
    ...(timing && { timing }),
    language,
  };
}

function timingOf(
  { offsetMilliseconds, anchors, framerate }: SubtitleChange,
  synced: ChangeRequest['synced'],
): Timing | undefined {
  if (offsetMilliseconds !== undefined) return { offset: offsetMilliseconds };
  if (anchors)
    return {
      anchors: anchors.map(({ atMilliseconds, offsetMilliseconds: offset }) => ({ at: atMilliseconds, offset })),
    };
  if (framerate) return { framerate };
  return synced?.alignment.outcome === 'moved' ? { alignment: synced.alignment } : undefined;
}

/** Returns the confidence of each proposed cue: the lowest of the cues that it was made from. */
const confidenceOf = (of: readonly number[], { rows, document }: ChangeResult): (number | undefined)[] => {
  const all: (number | undefined)[] = document.cues.map(() => undefined);
  for (const { current = [], proposed = [] } of rows) {
    const least = current.reduce<number | undefined>(
      (lowest, index) => (of[index] === undefined ? lowest : Math.min(lowest ?? 1, of[index])),
      undefined,
    );
    for (const index of proposed) all[index] = least;
  }
  return all;
};

interface Target {
  relative: string;
  format: string;
  language: string;
  role: SubtitleRole;
  over?: ReplacedFile;
  /** Whether the document is written in another format than its own. */
  isRewritten: boolean;
}

/** Returns the file that the proposal is written to, and the file that it replaces. */
function targetOf(
  { file, installed, track, tag, language, role: had }: CurrentSubtitleData,
  {
    source,
    role: wished,
    current,
  }: { source: ChangeSource; role: SubtitleRole | undefined; current: ParsedSubtitle | undefined },
): Target {
  const role = wished ?? (track ? had : 'normal');
  const { format } = source.document;
  // A file with several languages stays as it is. The changed language is written to a separate file.
  const isShared = current?.document.warnings.some(({ code }) => code === 'more-languages') === true;
  if (!source.isInPlace || !track || isShared) {
    // A variant that covers this language is a different text, so it stays.
    const isReplaced =
      installed !== undefined && !isShared && (track?.language === undefined || track.language === language);
    const named = source.isInPlace ? tag : language;
    return {
      relative: sidecarName(file.relative, named, role),
      format: 'srt',
      language: named,
      role,
      isRewritten: format !== 'srt',
      ...(isReplaced && { over: overOf(installed, { language: tag, role: had }) }),
    };
  }
  // A video contains two kinds of text. Text with styles keeps its format.
  const inside = format === 'ass' || format === 'ssa' ? 'ass' : 'srt';
  const extension = installed ? installed.relative.slice(installed.relative.lastIndexOf('.') + 1) : inside;
  const relative = installed && role === had ? installed.relative : sidecarName(file.relative, tag, role, extension);
  return {
    relative,
    format: extension.toLowerCase(),
    language: tag,
    role,
    isRewritten: !installed && inside === 'srt' && format !== 'srt',
    ...(installed && { over: overOf(installed, { language: tag, role: had }) }),
  };
}

const overOf = (
  { relative, content }: NonNullable<CurrentSubtitleData['installed']>,
  { language, role }: { language: string; role: SubtitleRole },
): ReplacedFile => ({ relative, content, language, role });

interface Compared {
  subtitle: CurrentSubtitleData;
  text: SubtitleBytes | undefined;
  source: ChangeSource;
  current: ParsedSubtitle | undefined;
  document: SubtitleDocument;
  bytes: Buffer;
  relative: string;
  /** Whether the request named a character set, so that the file is to be written as UTF-8. */
  isConverted: boolean;
}

/** Whether the result differs from the current subtitle. A file that would only be formatted differently does not. */
function isChangeOf({
  subtitle: { installed },
  text,
  source,
  current,
  document,
  bytes,
  relative,
  isConverted,
}: Compared): boolean {
  if (!installed || installed.relative !== relative) return true;
  if (text && bytes.equals(text.bytes)) return false;
  if (source.kind !== 'edit' || !source.isPaired || !current) return true;
  const before = inOrder(current.document.cues);
  const after = document.cues;
  return (
    (isConverted && current.encoding !== 'utf-8') ||
    before.length !== after.length ||
    before.some((cue, n) => !isSame(cue, after[n]))
  );
}

const isSame = (a: Cue, b: Cue | undefined): boolean =>
  b !== undefined &&
  a.start === b.start &&
  a.end === b.end &&
  (a.spans === b.spans || JSON.stringify(a.spans) === JSON.stringify(b.spans));
