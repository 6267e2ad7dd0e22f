/** The index of the preview pictures as WebVTT: each cue names a sheet and the place of the picture in it. Pure. */
import { SHEET } from './geometry.ts';
import type { PackHeader } from './pack.ts';

/** `query` follows the name of each sheet, so that a caller with a link can open it. */
export function indexOf({ width, height, columns, times, duration }: PackHeader, query: string): string {
  const cues = times.map((time, i) => {
    const [sheet, place] = [Math.floor(i / (SHEET * SHEET)), i % (SHEET * SHEET)];
    const [x, y] = [(place % columns) * width, Math.floor(place / columns) * height];
    // Before the first keyframe the first picture is shown; the last one is shown to the end.
    const end = times[i + 1] ?? Math.max(duration, time + 1);
    return `${clock(i === 0 ? 0 : time)} --> ${clock(end)}\n${sheet}.jpg${query}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function clock(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return (
    `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}` +
    `.${String(ms % 1000).padStart(3, '0')}`
  );
}
