/** Messages between the server and the helper process that reads media files. */
import type { FontPlace } from './matroska/fonts.ts';
import type { ClusterKey, ClusterQuestion } from './matroska/segment.ts';
import type { PacketQuestion } from './stream/types.ts';
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
  | { is: 'fonts'; file: AskedFile }
  | { is: 'segment'; file: AskedFile; question: ClusterQuestion }
  | { is: 'keyframe'; file: AskedFile; question: Pick<ClusterQuestion, 'scale' | 'end' | 'tracks'>; key: ClusterKey }
  | { is: 'packets'; file: AskedFile; question: PacketQuestion }
  /** A step of a walk through the whole file. `walk` names it; a process holds one walk at a time. */
  | { is: 'walk'; file: AskedFile; walk: number; isFirst: boolean; bytes: number };

export type MediaAnswer =
  | { index: IndexData }
  | { fonts: FontPlace[] }
  | { segment: SegmentSamples[] }
  /** How far a walk is, from 0 to 1. */
  | { progress: number }
  /** The file is not understood; the reason is for the log. */
  | { refused: string }
  /** `lost`: the process that held the walk was replaced. */
  | { failed: 'changed' | 'unreadable' | 'lost' };
