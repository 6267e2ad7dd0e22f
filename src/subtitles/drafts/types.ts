/** Types shared by drafts, the methods of making them, and the workbench. */
import type { z } from 'zod';
import type { PlayableFile, Subject } from '../../catalog/index.ts';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import type { DraftNote } from '../../contract/subtitles/draft-notes.ts';
import type { SubtitlesFinding } from '../../contract/subtitles/findings.ts';
import type { Evidence } from '../../contract/subtitles/states.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { DRAFT_METHODS, SubtitleDraft } from '../../contract/subtitles/views.ts';
import type { Root } from '../../lib/files.ts';
import type { SubtitleDocument } from '../../cues/index.ts';

/** A draft as the API returns it. */
export type DraftReply = z.input<typeof SubtitleDraft>;
/** Sources of a draft: a method, or a provider. */
export type DraftSource = NonNullable<SubtitleDraft['method']>;
/** Methods by which this server makes a draft. */
export type DraftMethod = (typeof DRAFT_METHODS)[number];
export interface DraftTarget {
  subject: Subject;
  file: PlayableFile;
  root: Root;
  language: string;
}
export interface DraftRun {
  /** 0 to 1. */
  progress(part: number): void;
  signal: AbortSignal;
}
export interface DraftContent {
  document: SubtitleDocument;
  words?: { cue: number; text: string; confidence: number }[];
  /** Confidence of each cue, by index. */
  confidence?: (number | null)[];
  alignment?: SubtitleDraft['alignment'];
  /** The fingerprint of the installed subtitle that it was made from. */
  of?: string;
  /** The provider's subtitle that it is. */
  from?: DraftOrigin;
  /** Warnings for the user. */
  notes: DraftNote[];
}
/** A subtitle of a provider that a person opened instead of installing it. */
export interface DraftOrigin {
  source: string;
  candidate: string;
  score: number;
  evidence: Evidence[];
}
export type DraftWork = (working: DraftRun) => Promise<DraftContent>;
/** Checks whether a draft can be made, and returns the work. Throws `Failure('conflict')` if it cannot. */
export type DraftMaker = (about: DraftTarget, signal: AbortSignal) => Promise<DraftWork>;

/** A finished draft, as the source of a change. */
export interface FinishedDraft {
  document: SubtitleDocument;
  method: DraftSource;
  /** Confidence of each cue, 0 to 1, by index. Missing if nothing was recognised. */
  confidence?: readonly number[];
  alignment?: DraftReply['alignment'];
  /** Fingerprint of the installed subtitle that it was made from, if it was. */
  of?: string;
  from?: DraftOrigin;
}

export interface Drafts {
  /** Returns the newest draft of an item, in a language if one is given. */
  read(asked: ParsedInput<typeof endpoints.draft>): Promise<DraftReply>;
  /** Starts a draft. Throws `Failure('conflict')` if another is running, a tool is missing, or no source fits. */
  start(asked: ParsedInput<typeof endpoints.startDraft>): Promise<DraftReply>;
  cancel(asked: ParsedInput<typeof endpoints.startDraft>): Promise<DraftReply>;
  /** Stores a draft that was not made here, and returns its id. Throws while another draft of the item is made. */
  offer(of: { item: string; language: string }, content: DraftContent, signal: AbortSignal): Promise<string>;
  /**
   * Returns a finished draft. Throws `Failure('missing')` if the item has no such draft, and `Failure('conflict')` if
   * it is not finished or the video's bytes changed.
   */
  finished(id: string, draft: string, language: string): Promise<FinishedDraft>;
  /** Returns problems of what drafts need, for diagnostics. */
  findings(): Promise<SubtitlesFinding[]>;
  /** Records drafts of a killed process as stopped, and removes its files. */
  recover(): Promise<void>;
  close(): Promise<void>;
}
