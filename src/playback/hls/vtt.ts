/**
 * Cuts WebVTT into segments. Reads only what our own writer makes, piece by piece as it comes, and writes each cue into
 * every segment that it touches, as RFC 8216 asks (section 3.5).
 */

export interface HlsCue {
  /** Seconds. */
  start: number;
  end: number;
  /** The cue as it is written, without the empty line after it. */
  text: string;
}

export interface CueReader {
  /** Styles and regions, which each segment repeats. */
  head: readonly string[];
  cues: readonly HlsCue[];
  push(text: string): void;
  end(): void;
}

/** Our writer makes none of this length. */
const MAX_BLOCK_CHARACTERS = 1024 * 1024;
const TIMING = /^(\d{2,4}):(\d\d):(\d\d)\.(\d{3}) --> (\d{2,4}):(\d\d):(\d\d)\.(\d{3})/m;
const seconds = ([hours, minutes, rest, milliseconds]: readonly string[]): number =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(rest) + Number(milliseconds) / 1000;

export function createCueReader(): CueReader {
  const head: string[] = [];
  const cues: HlsCue[] = [];
  let rest = '';
  const take = (block: string): void => {
    const timing = TIMING.exec(block);
    if (timing) cues.push({ start: seconds(timing.slice(1, 5)), end: seconds(timing.slice(5, 9)), text: block });
    else if (/^(STYLE|REGION)\b/.test(block)) head.push(block);
  };
  return {
    head,
    cues,
    push: (text) => {
      const blocks = (rest + text.replaceAll('\r', '')).split(/\n{2,}/);
      rest = blocks.pop() ?? '';
      if (rest.length > MAX_BLOCK_CHARACTERS) rest = '';
      for (const block of blocks) take(block);
    },
    end: () => {
      take(rest.trimEnd());
      rest = '';
    },
  };
}

/** A clock of MPEG-2 counts 90,000 a second in 33 bits. */
const CLOCK = 90_000;
const CLOCK_WRAPS_AT = 2 ** 33;

export interface CueSegment {
  head: readonly string[];
  cues: readonly HlsCue[];
  /** Seconds on the part's own timeline; the last segment of a part has no end. */
  from: number;
  to: number;
  /** Start of the part on the timeline of the film. */
  partStart: number;
}

/** Writes a segment. Times are those of the part, and the map says where it begins. */
export function cueSegment({ head, cues, from, to, partStart }: CueSegment): string {
  const map = `X-TIMESTAMP-MAP=MPEGTS:${Math.round(partStart * CLOCK) % CLOCK_WRAPS_AT},LOCAL:00:00:00.000`;
  const touching = cues.filter(({ start, end }) => start < to && (end > from || start >= from));
  return [`WEBVTT\n${map}`, ...head, ...touching.map(({ text }) => text)].map((block) => `${block}\n\n`).join('');
}
