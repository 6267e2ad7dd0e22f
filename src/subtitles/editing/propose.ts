/**
 * What a change would make: the proposed document and its bytes, where they would go, which cue became which, and what
 * was done in words. Pure: it is given plain data and gives plain data, so that a large one can be made in another
 * process. The same proposal is previewed and applied.
 */
import type { z } from 'zod';
import type { SubtitleChange } from '../../contract/subtitles/change.ts';
import type { ComparisonRow } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import type { UnappliedAlignment } from '../../cues/align/types.ts';
import {
  type Changed,
  type Changes,
  change,
  convert,
  type Cue,
  inOrder,
  type Row,
  readText,
  type SubtitleDocument,
  type Timing,
  toSrt,
  unpaired,
} from '../../cues/index.ts';
import type { Over } from '../install/install.ts';
import type { Role, Origin } from '../store/tables.ts';
import { sidecarName } from '../install/sidecar-name.ts';
import { type Beginning, type Current, type Kind, readCurrent, type Source, sourceOf, type Text } from './sources.ts';
import type { Spot } from './standing.ts';
import type { Synced } from './sync.ts';
import { breathe } from './view.ts';

/** A change and all that it needs to be made. */
export interface Trying extends Beginning {
  asked: SubtitleChange;
  /** The terms of the provider forbid to change this very file. */
  isAsDelivered: boolean;
  /** Where the cues were compared with the video. */
  synced?: { alignment: UnappliedAlignment; view: Synced['view'] } | undefined;
  /** Why what stands there could not be had as text, where that does not matter. */
  unread?: string | undefined;
  /** Read already, where that was in this process. */
  begun?: Begun | undefined;
}

/** What a change begins with, read. */
export interface Begun {
  current: Current | undefined;
  source: Source;
  /** What people should know of it, in sentences. */
  warnings: string[];
}

export interface Proposal {
  kind: Kind;
  document: SubtitleDocument;
  rows: z.input<typeof ComparisonRow>[];
  /** What was done, a sentence each. */
  notes: string[];
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

/** Reads what is there and what the change begins with. What is there may be unreadable where something is brought. */
export async function begin({ spot, text, asked, draft, isAsDelivered, unread }: Trying): Promise<Begun> {
  const warnings = unread === undefined ? [] : [sentenceOf(unread)];
  const brings = bringsText(asked);
  const current =
    text &&
    (await readCurrent(spot, text).catch((error: unknown) => {
      if (!(brings && error instanceof Failure && error.kind === 'conflict')) throw error;
      warnings.push(sentenceOf(error.message));
      return undefined;
    }));
  await breathe();
  const source = await sourceOf({ spot, text, asked, draft }, current);
  if (source.isInPlace && isAsDelivered)
    throw new Failure(
      'conflict',
      'the terms of the provider of this subtitle do not allow changing its file; another file can replace it',
    );
  return { current, source, warnings };
}

/** Whether the change begins with something else than what is there. */
export const bringsText = ({ data, draftId, text }: SubtitleChange): boolean =>
  data !== undefined || draftId !== undefined || text !== undefined;

const sentenceOf = (message: string): string => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;

export async function propose({ spot, text, asked, synced }: Trying, { current, source }: Begun): Promise<Proposal> {
  const changed = change(source.document, changesOf(asked, { synced, language: spot.tag }));
  await breathe();
  const target = targetOf(spot, { source, role: asked.role, current });
  const document = target.isRewritten ? readText(toSrt(changed.document), 'srt') : changed.document;
  const bytes = Buffer.from(convert(document, document.format));
  await breathe();
  const isPaired = source.isPaired && document === changed.document;
  return {
    kind: source.kind,
    document,
    source,
    bytes,
    ...target,
    rows: (isPaired ? changed.rows : unpaired(current ? inOrder(current.document.cues) : [], document.cues)).map(rowOf),
    notes: changed.notes,
    ...(source.confidence && document === changed.document && { confidence: confidenceOf(source.confidence, changed) }),
    origin: source.kind === 'import' ? 'imported' : source.kind === 'draft' ? 'draft' : 'edited',
    isChange: isChangeOf({
      spot,
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

const rowOf = ({ kind, current, proposed }: Row): z.input<typeof ComparisonRow> => ({
  kind,
  ...(current && { current }),
  ...(proposed && { proposed }),
});

function changesOf(
  asked: SubtitleChange,
  { synced, language }: { synced: Trying['synced']; language: string },
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
  synced: Trying['synced'],
): Timing | undefined {
  if (offsetMilliseconds !== undefined) return { offset: offsetMilliseconds };
  if (anchors)
    return {
      anchors: anchors.map(({ atMilliseconds, offsetMilliseconds: offset }) => ({ at: atMilliseconds, offset })),
    };
  if (framerate) return { framerate };
  return synced?.alignment.outcome === 'moved' ? { alignment: synced.alignment } : undefined;
}

/** Each proposed cue is as sure as the least sure of those that it was made from. */
const confidenceOf = (of: readonly number[], { rows, document }: Changed): (number | undefined)[] => {
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
  role: Role;
  over?: Over;
  /** In another format than the document has. */
  isRewritten: boolean;
}

/** Where the proposed document goes, and what it takes the place of. */
function targetOf(
  { file, installed, track, tag, language, role: had }: Spot,
  { source, role: wished, current }: { source: Source; role: Role | undefined; current: Current | undefined },
): Target {
  const role = wished ?? (track ? had : 'normal');
  const { format } = source.document;
  // A file of several languages stays as it is, and what becomes of one of them stands beside it.
  const isShared = current?.document.warnings.some(({ code }) => code === 'more-languages') === true;
  if (!source.isInPlace || !track || isShared) {
    // A variant that stands for its language is another one's text: it stays.
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
  // Inside a video there are two kinds of text: what has styles stays so.
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
  { relative, content }: NonNullable<Spot['installed']>,
  { language, role }: { language: string; role: Role },
): Over => ({ relative, content, language, role });

interface Compared {
  spot: Spot;
  text: Text | undefined;
  source: Source;
  current: Current | undefined;
  document: SubtitleDocument;
  bytes: Buffer;
  relative: string;
  /** A character set was named, so that the file is wanted in UTF-8. */
  isConverted: boolean;
}

/** Whether anything would be other than it is. A file that is only written in another way is not. */
function isChangeOf({
  spot: { installed },
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
