/** For tests of the clean-up: short ways to write cues. */
import { type Cue, spansOf, type SubtitleDocument } from '../cue.ts';

export const cue = (start: number, end: number, text: string): Cue => ({ start, end, spans: spansOf(text) });
export const docOf = (cues: readonly Cue[]): SubtitleDocument => ({ format: 'srt', warnings: [], cues });
