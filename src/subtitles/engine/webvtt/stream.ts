/** WebVTT or SRT in pieces to safe WebVTT in pieces, so that the first cues reach a player before the last are extracted. */
import { Failure } from '../../../lib/failure.ts';

export interface VttStream {
  /** Takes the next piece of text (cut anywhere) and returns the WebVTT that is ready, perhaps ''. Fails as invalid over a limit. */
  push(text: string): string;
  /** Ends the input and returns the rest. */
  end(): string;
}

export function createVttStream(_options: { from: 'srt' | 'vtt' }): VttStream {
  throw new Failure('unavailable', 'not ready');
}
