/** Problems of libraries and files that diagnostics show to the Owner. */
import type { CatalogFinding } from '../../contract/catalog/findings.ts';
import type { LibraryTable } from '../store/tables.ts';
import { isScanned } from './libraries.ts';

export function libraryFindings(
  libraries: readonly LibraryTable[],
  isOnline: (id: string) => boolean,
  unplacedFiles: number,
): CatalogFinding[] {
  const offline = libraries
    .filter(({ id }) => !isOnline(id))
    .map(({ name }): CatalogFinding => ({
      level: 'warning',
      code: 'library-offline',
      subject: name,
      sentence: 'This library cannot be reached or is empty. Its items are kept, and come back when it does.',
      values: { library: name },
      setting: 'libraries',
    }));
  const notScanned = libraries
    .filter((library) => !isScanned(library))
    .map(({ name, kind }): CatalogFinding => ({
      level: 'warning',
      code: 'library-not-scanned',
      subject: name,
      sentence: `Libraries of the kind ${kind} are not scanned yet.`,
      values: { library: name, kind },
      setting: 'libraries',
    }));
  const unplaced: CatalogFinding[] =
    unplacedFiles === 0
      ? []
      : [
          {
            level: 'warning',
            code: 'files-unplaced',
            subject: 'Unmatched files',
            sentence: `${unplacedFiles} files could not be identified or read. They are listed with the reason.`,
            values: { count: unplacedFiles },
          },
        ];
  return [...offline, ...notScanned, ...unplaced];
}
