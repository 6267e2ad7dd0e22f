/** The kinds of libraries whose files this version reads. Others may be declared, and stay empty until their time. */
import type { LibraryKind } from '../../../lib/kinds.ts';

const READ: readonly LibraryKind[] = ['movies', 'shows', 'mixed'];
/** What is offered: the kinds that are read, and the one that a library has already. */
export const kindsFor = (now: LibraryKind | undefined): readonly LibraryKind[] => (now === undefined || READ.includes(now) ? READ : [...READ, now]);
