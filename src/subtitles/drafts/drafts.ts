/** Drafts: subtitles made here from pictures or speech, to be reviewed before anything is installed. */
import type { z } from 'zod';
import type { Given } from '../../contract/endpoint.ts';
import type { Draft, workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import type { SubtitleDocument } from '../engine/index.ts';

type Reply = z.input<typeof Draft>;
/** A finished draft, as a change takes it up. */
export interface FinishedDraft {
  document: SubtitleDocument;
  method: NonNullable<Reply['method']>;
  /** How sure each cue is, 0 to 1, by index; left out where nothing was recognised. */
  confidence?: readonly number[];
  alignment?: Reply['alignment'];
}
export interface Drafts {
  read(asked: Given<typeof endpoints.draft>): Promise<Reply>;
  start(asked: Given<typeof endpoints.startDraft>): Promise<Reply>;
  cancel(asked: Given<typeof endpoints.startDraft>): Promise<Reply>;
  /** Fails as `missing` when there is no such draft of this item, as `conflict` when it is not finished or the video's bytes changed. */
  finished(id: string, draft: string, language: string): Promise<FinishedDraft>;
  /** Settles what a killed process left. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

export function createDrafts(_needs: object): Drafts {
  const later = async (): Promise<never> => {
    throw new Failure('unavailable', 'not built yet');
  };
  return { read: later, start: later, cancel: later, finished: later, recover: async () => {}, close: async () => {} };
}
