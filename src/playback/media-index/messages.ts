/** What the server and the helper process that reads media files say to each other. */
import type { ClusterKey, ClusterQuestion } from './matroska/segment.ts';
import type { IndexData, SegmentSamples } from './types.ts';

/** The file, and the version of it that is meant. */
export interface AskedFile {
  path: string;
  /** Library folder below which no link is followed. */
  root?: string;
  size: number;
  mtimeMs: number;
  ino: number;
}

export type MediaQuestion =
  | { is: 'index'; file: AskedFile }
  | { is: 'segment'; file: AskedFile; question: ClusterQuestion }
  | { is: 'keyframe'; file: AskedFile; question: Pick<ClusterQuestion, 'scale' | 'end' | 'tracks'>; key: ClusterKey };

export type MediaAnswer =
  | { index: IndexData }
  | { segment: SegmentSamples[] }
  /** The file is not understood; the reason is for the log. */
  | { refused: string }
  | { failed: 'changed' | 'unreadable' };
