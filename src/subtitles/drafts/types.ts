/** Shapes that drafts, the methods of making them and the editing of subtitles share. */
import type { z } from 'zod';
import type { PlayableFile, Subject } from '../../catalog/index.ts';
import type { Given } from '../../contract/kernel/endpoint.ts';
import type { SubtitlesFinding } from '../../contract/subtitles/findings.ts';
import type { SubtitleDraft, workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { Root } from '../../lib/files.ts';
import type { SubtitleDocument } from '../../cues/index.ts';

/** A draft as a reply says it. */
export type DraftReply = z.input<typeof SubtitleDraft>;
export type DraftMethod = NonNullable<SubtitleDraft['method']>;
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
  /** By index of the cues. */
  confidence?: (number | null)[];
  alignment?: SubtitleDraft['alignment'];
  /** The fingerprint of the installed subtitle that it was made from. */
  of?: string;
  /** What people should know of it. */
  notes: string[];
}
export type DraftWork = (working: DraftRun) => Promise<DraftContent>;
/** Fails as `conflict` when it cannot work. */
export type DraftMaker = (about: DraftTarget, signal: AbortSignal) => Promise<DraftWork>;

/** A finished draft, as a change takes it up. */
export interface FinishedDraft {
  document: SubtitleDocument;
  method: DraftMethod;
  /** How sure each cue is, 0 to 1, by index; left out where nothing was recognised. */
  confidence?: readonly number[];
  alignment?: DraftReply['alignment'];
  /** Made from the installed subtitle with this fingerprint. */
  of?: string;
}

export interface Drafts {
  /** The newest draft of an item, in a language where one is named. */
  read(asked: Given<typeof endpoints.draft>): Promise<DraftReply>;
  /** Fails as `conflict` when another is being made, a tool is missing, or nothing fits. */
  start(asked: Given<typeof endpoints.startDraft>): Promise<DraftReply>;
  cancel(asked: Given<typeof endpoints.startDraft>): Promise<DraftReply>;
  /**
   * Fails as `missing` when there is no such draft of this item, as `conflict` when it is not finished or the video's
   * bytes changed.
   */
  finished(id: string, draft: string, language: string): Promise<FinishedDraft>;
  /** What is wrong with what drafts need, for diagnostics. */
  findings(): Promise<SubtitlesFinding[]>;
  /** Settles what a killed process left. */
  recover(): Promise<void>;
  close(): Promise<void>;
}
