/**
 * Works: files with the same item key that hold the same work are one item. Files that are placed alike without
 * evidence for that stay apart, as items whose keys are followed by the path of their first file.
 */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import { joined } from '../paths.ts';
import type { KindPlacement, PlacedFile } from './placement.ts';

/** Confidence of items that share their place with another work. A person should check it. */
export const DOUBTFUL_CONFIDENCE = 0.3;
export const DOUBT = PLACEMENT_CLUES.sameNameOtherWork;

/** Sorts files into works. Files are compared with the first of each work, so the order decides and must be stable. */
export function worksOf(placement: KindPlacement, files: readonly PlacedFile[]): [PlacedFile, ...PlacedFile[]][] {
  const works: [PlacedFile, ...PlacedFile[]][] = [];
  for (const file of files) {
    const work = works.find(([first]) => placement.isSameWork(first, file));
    if (work) work.push(file);
    else works.push([file]);
  }
  return works;
}

/** A character that no path of a library has. */
const SEPARATOR = '\u001f';

/** Returns the key of a work that is not the one to which the key itself belongs. */
export const keyOfOtherWork = (key: string, { row }: PlacedFile): string =>
  `${key}${SEPARATOR}${joined(row.folder, row.name)}`;

/** Returns whether an item was stored for this key, or for another work that was placed alike. */
export const isKeyOfWork = (stored: string, key: string): boolean =>
  stored === key || stored.startsWith(`${key}${SEPARATOR}`);
