/**
 * The settings of the workbench, and the request that is made from them. Pure.
 *
 * There is one source and one timing at a time, as on the server: choosing another replaces the first.
 */
import type { RequestOf } from '../../data/query.ts';
import { srtOf } from './srt.ts';
import { type TimingAnchor, isSteady, type TimingChange } from './timing.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

export const RULES = [
  'removeCredits',
  'mergeRepeated',
  'removeHearingImpaired',
  'fixCommonErrors',
  'fixOverlaps',
] as const;
export type CleanupRule = (typeof RULES)[number];

/** A cue of a text that was edited here. `current` are the cues of the installed subtitle that it came from. */
export interface EditedCue {
  /** Seconds. */
  start: number;
  end: number;
  text: string;
  current: readonly number[];
  /** Confidence of the draft. A cue that was edited or accepted has none. */
  confidence?: number | undefined;
  words?: readonly SureWord[] | undefined;
}
/** A word of a draft with how sure its reading is, 0 to 1. */
export interface SureWord {
  text: string;
  confidence: number;
}
export type LineSource =
  | { kind: 'installed' }
  | { kind: 'file'; name: string; /** Base64. */ data: string }
  | { kind: 'draft'; id: string; method: string | undefined }
  | {
      kind: 'text';
      cues: readonly EditedCue[];
      /** False where the cues came from elsewhere and claim nothing of the installed ones. */ isPaired: boolean;
    };

export interface WorkbenchSettings {
  source: LineSource;
  encoding: string;
  timing: TimingChange;
  rules: readonly CleanupRule[];
  role: ChosenRole | undefined;
}
export type ChosenRole = 'normal' | 'forced' | 'sdh';
export type PreviewRequest = Omit<RequestOf<'workbench', 'preview'>, 'id' | 'fingerprint'>;

export const FRESH: WorkbenchSettings = {
  source: { kind: 'installed' },
  encoding: 'auto',
  timing: { kind: 'none' },
  rules: [],
  role: undefined,
};

export const MAX_SHIFT = 120_000;
export const MAX_ANCHORS = 8;
/** Characters of a source in a request; the server takes no more. */
export const MAX_DATA = 1_000_000;
/** Bytes of a file that fit into that as base64. */
export const MAX_FILE = (MAX_DATA / 4) * 3;

/** True when applying would change nothing. */
export const isUntouched = ({ source, timing, rules, role, encoding }: WorkbenchSettings): boolean =>
  source.kind === 'installed' &&
  timing.kind === 'none' &&
  rules.length === 0 &&
  role === undefined &&
  encoding === 'auto';

function sourceOf(source: LineSource): Partial<PreviewRequest> {
  if (source.kind === 'file') return { data: source.data };
  if (source.kind === 'draft') return { draftId: source.id };
  return source.kind === 'text' ? { text: srtOf(source.cues) } : {};
}
function timingOf(timing: TimingChange): Partial<PreviewRequest> {
  if (timing.kind === 'offset') return { offsetMilliseconds: timing.ms };
  if (timing.kind === 'anchors')
    return { anchors: timing.anchors.map(({ at, offset }) => ({ atMilliseconds: at, offsetMilliseconds: offset })) };
  if (timing.kind === 'framerate') return { framerate: { from: timing.from, to: timing.to } };
  return timing.kind === 'auto' ? { automaticSync: true } : {};
}
/** The kind of subtitle that an address names; undefined for none. */
export const kindIn = (text: string | null): ChosenRole | undefined =>
  text === 'normal' || text === 'forced' || text === 'sdh' ? text : undefined;

/** The subtitle that is edited: a language, and the role if it has several files. */
export interface EditedSubtitle {
  language: string;
  role?: ChosenRole | undefined;
  /** Whether there is no such subtitle yet, so that one is created. */
  isMissing?: boolean;
}

/** The body of a preview or apply, without the fingerprint. A text has no encoding to choose. */
export function changeOf(
  { source, encoding, timing, rules, role: chosen }: WorkbenchSettings,
  { language, role: current, isMissing = false }: EditedSubtitle,
): PreviewRequest {
  const role = chosen ?? (isMissing ? current : undefined);
  const change: Partial<PreviewRequest> = {
    ...sourceOf(source),
    ...timingOf(timing),
    ...(encoding !== 'auto' &&
      source.kind !== 'text' &&
      source.kind !== 'draft' && { encoding: encoding as NonNullable<PreviewRequest['encoding']> }),
    ...(current !== undefined && { currentRole: current }),
    ...(role !== undefined && { role }),
  };
  for (const rule of rules) change[rule] = true;
  return { ...change, language };
}

const limited = (ms: number): number => Math.round(Math.min(MAX_SHIFT, Math.max(-MAX_SHIFT, ms)));

/** Shifts by so much more. Anchors keep their shape; what cannot be added to is replaced. */
export function shiftedBy(timing: TimingChange, ms: number): TimingChange {
  if (timing.kind === 'anchors')
    return { kind: 'anchors', anchors: timing.anchors.map(({ at, offset }) => ({ at, offset: limited(offset + ms) })) };
  return shiftTo((timing.kind === 'offset' ? timing.ms : 0) + ms);
}
export const shiftTo = (ms: number): TimingChange =>
  limited(ms) === 0 ? { kind: 'none' } : { kind: 'offset', ms: limited(ms) };

/** Two anchors closer than this are one: the later word holds. */
const SAME_PLACE_MS = 500;
/** With one more anchor, in order of time; or why it cannot be. */
export function anchored(timing: TimingChange, { at, offset }: TimingAnchor): TimingChange | string {
  const before = timing.kind === 'anchors' ? timing.anchors : [];
  const next = [
    ...before.filter((one) => Math.abs(one.at - at) > SAME_PLACE_MS),
    { at: Math.max(0, Math.round(at)), offset: limited(offset) },
  ].sort((a, b) => a.at - b.at);
  if (next.length > MAX_ANCHORS) return m.thereAreAnchorsAlreadyRemove({ maxAnchors: MAX_ANCHORS });
  if (!isSteady(next)) return m.thisAnchorWouldReverseThe;
  return { kind: 'anchors', anchors: next };
}
export function withoutAnchor(timing: TimingChange, at: number): TimingChange {
  if (timing.kind !== 'anchors') return timing;
  const anchors = timing.anchors.filter((one) => one.at !== at);
  return anchors.length === 0 ? { kind: 'none' } : { kind: 'anchors', anchors };
}
