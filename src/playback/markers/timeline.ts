/** The timeline of a version: its parts follow each other. Pure. */
import { createHash } from 'node:crypto';
import type { PlayableFile, Subject } from '../../catalog/index.ts';

export interface TimelinePart {
  file: PlayableFile;
  /** Start of the part on the timeline, in seconds. */
  offset: number;
}
export interface VersionTimeline {
  version: string;
  parts: TimelinePart[];
  /** Seconds of all parts; undefined where one is not known. */
  duration: number | undefined;
  /** Names the content of the files. It stays when they are moved or renamed, as the ids of their items do. */
  bytes: string;
}

/** Returns the timeline of a version of an item; of the best one when none is given. */
export function versionTimeline(
  { files }: Pick<Subject, 'files'>,
  version = files[0]?.id,
): VersionTimeline | undefined {
  const own = files.filter(({ id }) => id === version).toSorted((a, b) => a.part - b.part);
  if (version === undefined || own.length === 0) return undefined;
  const parts: TimelinePart[] = [];
  let offset: number | undefined = 0;
  for (const file of own) {
    // If the length of a part is unknown, so is the start of the next one.
    if (offset !== undefined) parts.push({ file, offset });
    const { duration }: { duration?: number } = file.info ?? {};
    offset = offset === undefined || duration === undefined ? undefined : offset + duration;
  }
  return { version, parts, duration: offset, bytes: bytesOf(own) };
}

/** Names the content of files by size and time, as the scan does when it finds a file in another place. */
function bytesOf(files: readonly PlayableFile[]): string {
  return createHash('sha256')
    .update(JSON.stringify(files.map(({ size, modifiedMs }) => [size, Math.round(modifiedMs)])))
    .digest('hex')
    .slice(0, 32);
}
