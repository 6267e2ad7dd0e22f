/**
 * Shapes that the parts of the markers share. Times are seconds on the timeline of the version, whose parts follow each
 * other.
 */
import type { MarkerKind, MarkerSource } from '../../contract/playback/markers.ts';

export interface FoundMarker {
  kind: MarkerKind;
  start: number;
  end: number;
  source: MarkerSource;
  state: 'published' | 'suggested';
  /** Confidence of the analysis, 0 to 1. */
  confidence?: number;
  label?: string;
}
