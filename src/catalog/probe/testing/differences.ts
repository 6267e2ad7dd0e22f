/** Returns the differences of two infos field by field; empty if they are equal. Used by tests and the parity bench. */

import type { MediaInfo } from '../types.ts';

/** `one` is that of the header reader. `languageTag` is left out: ffprobe does not report it. */
export const differences = (one: MediaInfo, other: MediaInfo): string[] => {
  const found: string[] = [];
  compare('', one, other, found);
  return found;
};

const compare = (at: string, one: unknown, other: unknown, found: string[]): void => {
  if (at.endsWith('.languageTag')) return;
  // The name of an MP4 track: ffprobe ignores it.
  if (at.endsWith('.title') && at.includes('.streams.') && other === undefined) return;
  // Tags of music are read by our reader alone.
  if (at === '.audio' && other === undefined) return;
  if (typeof one === 'object' && typeof other === 'object' && one !== null && other !== null) {
    const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      compare(`${at}.${key}`, left[key], right[key], found);
  } else if (!Object.is(one, other))
    found.push(`${at.slice(1)}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};
