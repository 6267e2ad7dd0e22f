/** Table of the files of a cache folder: their sizes, the sum of these, and the order in which they were used. */

export interface FileUse {
  size: number;
  /** Its time of modification, in milliseconds. */
  usedMs: number;
}

export interface CacheUsage {
  /** Files by name, the one used longest ago first. */
  readonly files: ReadonlyMap<string, FileUse>;
  /** Records a file as the one used last. */
  note(name: string, file: FileUse): void;
  forget(name: string): void;
  /** Sum of all sizes, in bytes. */
  total(): number;
  /**
   * Replaces the names of `before` by the files that were found in the folder, ordered by their time of use. Files
   * recorded since `before` was read stay, as the ones used last.
   */
  replace(before: ReadonlySet<string>, found: readonly (FileUse & { name: string })[]): void;
}

export function createUsage(): CacheUsage {
  const files = new Map<string, FileUse>();
  let bytes = 0;
  const forget = (name: string): void => {
    bytes -= files.get(name)?.size ?? 0;
    files.delete(name);
  };
  const note = (name: string, file: FileUse): void => {
    forget(name);
    files.set(name, file);
    bytes += file.size;
  };
  return {
    files,
    forget,
    note,
    total: () => bytes,
    replace: (before, found) => {
      const since = [...files].filter(([name]) => !before.has(name));
      for (const name of before) forget(name);
      for (const { name, ...file } of [...found].sort((a, b) => a.usedMs - b.usedMs)) note(name, file);
      for (const [name, file] of since) note(name, file);
    },
  };
}
