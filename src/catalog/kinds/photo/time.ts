/**
 * When a photo or clip was taken: by its camera, a sidecar, its name, or else by the time of its file. The header of a
 * clip has a time without a zone, which is taken for UTC: it is right on phones, and some hours off on many cameras.
 */
import type { Capture } from '../../probe/types.ts';
import { xmpFacts } from '../../probe/photo/xmp.ts';
import { dateTime } from '../../probe/photo/exif.ts';
import type { TakenAt } from '../../store/records.ts';

/** `IMG_20240701_123045`, `20240701-123045`, `2024-07-01 12.30.45`, `Screenshot_2024-07-01-12-30-45`. */
const NAMED =
  /(?<!\d)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:[-_. T]{1,3}([01]\d|2[0-3])[-_.:]?([0-5]\d)(?:[-_.:]?([0-5]\d))?(?!\d{4,})|(?!\d))/;

export function timeInName(name: string): string | undefined {
  const found = NAMED.exec(name);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second = '00'] = found;
  // A day without a time: noon, so that no reading of it is another day.
  return dateTime(`${year}-${month}-${day} ${hour === undefined ? '12:00:00' : `${hour}:${minute}:${second}`}`);
}

/** Returns the local time of the server at a moment. */
function localTime(ms: number): string {
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 19);
}

export async function takenAt(
  captures: readonly (Capture | undefined)[],
  { name, modifiedMs, sidecar }: { name: string; modifiedMs: number; sidecar(): Promise<string | undefined> },
): Promise<TakenAt> {
  const capture = captures.find((one) => one?.takenAt !== undefined);
  if (capture?.takenAt !== undefined)
    return { local: capture.takenAt, ...(capture.offset !== undefined && { offset: capture.offset }), by: 'camera' };
  const text = await sidecar();
  const beside = text === undefined ? {} : xmpFacts(text);
  if (beside.takenAt !== undefined)
    return { local: beside.takenAt, ...(beside.offset !== undefined && { offset: beside.offset }), by: 'sidecar' };
  const named = timeInName(name);
  if (named !== undefined) return { local: named, by: 'name' };
  const recorded = captures.find((one) => one?.recorded !== undefined)?.recorded;
  return recorded === undefined
    ? { local: localTime(modifiedMs), by: 'file' }
    : { local: localTime(recorded), by: 'camera' };
}
