/**
 * Edit decision lists as MPlayer and Kodi read them: a line has a start, an end and an action. Pure.
 *
 * Actions: 0 cut, 1 mute, 2 scene, 3 commercial break. Cuts and commercial breaks become commercials; the others say
 * nothing about what may be skipped. Times are seconds (`12.5`) or `hh:mm:ss.mmm`. Frame numbers (`#300`) need the
 * frame rate that the author had, so such lines are left out, as is every line that is not in order.
 */
import type { FoundMarker } from './types.ts';

/** Largest list that is read, in bytes. */
export const MAX_EDL_BYTES = 64 * 1024;
const MAX_LINES = 2_000;
const MAX_CUTS = 200;
const SKIPPED_ACTIONS: ReadonlySet<string> = new Set(['0', '3']);
const LAST_SECOND = 1_000_000;

/** Returns the commercials of a list, in the order of time and without overlaps. */
export function markersOfEdl(text: string): FoundMarker[] {
  const cuts = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/, MAX_LINES)
    .flatMap(cutOf)
    .toSorted((a, b) => a.start - b.start);
  const apart: FoundMarker[] = [];
  for (const cut of cuts) {
    const last = apart.at(-1);
    if (last && cut.start <= last.end) last.end = Math.max(last.end, cut.end);
    else apart.push({ ...cut, kind: 'commercial', source: 'sidecar', state: 'published' });
    if (apart.length > MAX_CUTS) return [];
  }
  return apart;
}

function cutOf(line: string): { start: number; end: number }[] {
  const [from, to, action, ...more] = line.trim().split(/[ \t]+/, 5);
  // A fourth word is a comment that some programs write.
  if (from === undefined || to === undefined || action === undefined || more.length > 1 || !SKIPPED_ACTIONS.has(action))
    return [];
  const [start, end] = [secondsOf(from), secondsOf(to)];
  return start === undefined || end === undefined || end <= start ? [] : [{ start, end }];
}

/** Returns seconds of `12.5`, `01:02.5` or `1:02:03.250`; undefined for anything else. */
export function secondsOf(text: string): number | undefined {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,7}(?:[.,]\d{1,9})?)$/.exec(text);
  if (!parts) return undefined;
  const [, hours, minutes, rest = ''] = parts;
  const seconds = Number(rest.replace(',', '.'));
  if (minutes !== undefined && (seconds >= 60 || (hours !== undefined && Number(minutes) >= 60))) return undefined;
  const all = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + seconds;
  return all <= LAST_SECOND ? all : undefined;
}
