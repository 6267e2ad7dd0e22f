/** Text and times of cues as people type them, and cues as the SRT that is sent. Pure. */

export interface PlainCue {
  /** Seconds. */
  start: number;
  end: number;
  text: string;
}
const pad = (value: number, to = 2): string => String(value).padStart(to, '0');

/** Seconds as `00:01:02.345`. */
export function timeText(seconds: number, mark = '.'): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  return (
    `${pad(Math.floor(ms / 3_600_000))}:${pad(Math.floor(ms / 60_000) % 60)}:${pad(Math.floor(ms / 1000) % 60)}` +
    `${mark}${pad(ms % 1000, 3)}`
  );
}
const TIME = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,6})(?:[.,](\d{1,3}))?$/;
/** Reads `1:02:03.5`, `2:03,5` or `123.5`; undefined when it is no time. */
export function parseTime(text: string): number | undefined {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [, hours, minutes, seconds = '0', part = ''] = found;
  if (minutes !== undefined && (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)))
    return undefined;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds) + Number(part.padEnd(3, '0')) / 1000;
}

/** A cue's text without blank lines: in SRT a blank line would end it. */
export const normalText = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
    .join('\n');

/** Sorts cues as a reader returns them: by start, then by end. */
export const sortedCues = <C extends PlainCue>(cues: readonly C[]): C[] =>
  [...cues].sort((a, b) => a.start - b.start || a.end - b.end);

export const srtOf = (cues: readonly PlainCue[]): string =>
  cues
    .map(
      ({ start, end, text }, at) =>
        `${at + 1}\n${timeText(start, ',')} --> ${timeText(end, ',')}\n${normalText(text)}\n`,
    )
    .join('\n');

/** A span of milliseconds with its sign: "+2.350 s", "−0.040 s". */
export function shiftText(ms: number): string {
  const rounded = Math.round(ms);
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '';
  return `${sign}${(Math.abs(rounded) / 1000).toFixed(3)} s`;
}

/** Marks of SRT left out: what is searched, compared and read aloud. */
export const plainOf = (text: string): string => text.replace(/<\/?[a-z][^<>]{0,200}>/gi, '');
