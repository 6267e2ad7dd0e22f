/** Problems of libraries and files that diagnostics show to the Owner. */
import type { Finding } from '../../contract/ops/operations.ts';
import type { LibraryTable } from '../store/tables.ts';
import { isScanned } from './libraries.ts';

export function catalogFindings(
  libraries: readonly LibraryTable[],
  isOnline: (id: string) => boolean,
  unplacedFiles: number,
): Finding[] {
  const offline = libraries
    .filter(({ id }) => !isOnline(id))
    .map(({ name }): Finding => ({
      level: 'warning',
      subject: name,
      sentence: 'This library cannot be reached or is empty. Its items are kept, and come back when it does.',
      setting: 'libraries',
    }));
  const notScanned = libraries
    .filter((library) => !isScanned(library))
    .map(({ name, kind }): Finding => ({
      level: 'warning',
      subject: name,
      sentence: `Libraries of the kind ${kind} are not scanned yet.`,
      setting: 'libraries',
    }));
  const unplaced: Finding[] =
    unplacedFiles === 0
      ? []
      : [
          {
            level: 'warning',
            subject: 'Unmatched files',
            sentence: `${unplacedFiles} files could not be identified or read. They are listed with the reason.`,
          },
        ];
  return [...offline, ...notScanned, ...unplaced];
}
