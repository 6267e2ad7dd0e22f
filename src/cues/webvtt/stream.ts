/**
 * Converts WebVTT or SRT in pieces to safe WebVTT in pieces, so that the first cues reach a player before the last ones
 * are extracted. The output equals that of `toVtt` except for two things that need the whole document: cues keep their
 * order, and colours become the nearest of WebVTT's eight.
 */
import { Failure } from '../../lib/failure.ts';
import type { Cue } from '../cue.ts';
import { lineFeed } from '../formats/lines.ts';
import { srtParser } from '../formats/read-srt.ts';
import { cueList, LIMITS } from '../limits.ts';
import { vttParser } from './parse.ts';
import { cueBlock, nearestColor, STANDARD_STYLE } from './write.ts';

export interface VttStream {
  /**
   * Accepts the next piece of text (cut anywhere) and returns the WebVTT that is ready, perhaps ''. Throws
   * `Failure('invalid')` over a limit.
   */
  push(text: string): string;
  /** Ends the input and returns the rest. */
  end(): string;
}

/**
 * The header is sent with the first piece. A cue is sent when the text after it shows that it is complete: a blank line
 * in WebVTT, the next cue's times in SRT. The header cannot contain regions by then, so a cue that names one gets the
 * default position.
 */
export function createVttStream(options: { from: 'srt' | 'vtt' }): VttStream {
  let out: string[] = [`WEBVTT\n\n${STANDARD_STYLE}`];
  let taken = 0;
  const count = cueList();
  const none: ReadonlySet<string> = new Set();
  let pending = 0;
  const cue = (each: Cue): void => {
    pending = 0;
    // Only counted: a stream keeps no text.
    const counted = count.add({ start: each.start, end: each.end, spans: [] });
    if (counted) out.push(cueBlock({ ...each, end: counted.end }, nearestColor, none));
  };
  const parser = options.from === 'srt' ? srtParser({ cue }) : vttParser({ cue });
  const line = (text: string): void => {
    // A blank line ends every block of WebVTT; in SRT the next times do.
    pending = text === '' && options.from === 'vtt' ? 0 : pending + text.length + 1;
    if (pending > LIMITS.cue)
      throw new Failure('invalid', 'a cue of the subtitle is longer than 64 KiB', { reason: 'subtitle-over-limit' });
    parser.line(text);
  };
  const nul = options.from === 'vtt' ? '\ufffd' : '';
  const feed = lineFeed((text) => line(text.includes('\0') ? text.replaceAll('\0', nul) : text));
  const ready = (): string => {
    const text = out.join('');
    out = [];
    return text;
  };
  return {
    push(text) {
      taken += text.length;
      if (taken > LIMITS.bytes)
        throw new Failure('invalid', 'the subtitle is larger than 4 MiB', { reason: 'subtitle-over-limit' });
      feed.push(text);
      return ready();
    },
    end() {
      feed.end();
      parser.end();
      return ready();
    },
  };
}
