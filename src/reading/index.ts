/** Reading books: what a reader needs, the parts and pages of a book, and where each Profile stopped. */
import type { Catalog, PlayableFile, VisibleCatalog } from '../catalog/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { Failure, found } from '../lib/failure.ts';
import type { BookBytes, BookMatch, OpenedBook, PageText } from '../lib/books/questions.ts';
import type { BookAsker, BookReader } from '../lib/books/reader.ts';
import { inRoot, type OpenFile, openForReading } from '../lib/files.ts';
import { createPages } from './pages.ts';

export interface BookChoice {
  id: string;
  version?: string | undefined;
}
export interface NumberedChoice extends BookChoice {
  n: number;
  v?: string | undefined;
}

/** An open book for one caller. */
export interface BookForCaller extends Omit<OpenedBook, 'direction'> {
  direction: 'ltr' | 'rtl';
  version: string;
}
/** An open file of a book. The caller closes it. */
export interface OpenBookFile {
  file: OpenFile;
  type: string;
}

export interface Reading {
  open(by: Principal, which: BookChoice, signal: AbortSignal): Promise<BookForCaller>;
  search(by: Principal, which: BookChoice & { q: string; limit: number }, signal: AbortSignal): Promise<BookMatch[]>;
  file(by: Principal, which: BookChoice): Promise<OpenBookFile>;
  part(by: Principal, which: NumberedChoice, signal: AbortSignal): Promise<BookBytes & { etag: string }>;
  asset(by: Principal, which: NumberedChoice, signal: AbortSignal): Promise<BookBytes & { etag: string }>;
  page(
    by: Principal,
    which: NumberedChoice & { width?: number | undefined },
    signal: AbortSignal,
  ): Promise<BookBytes & { etag: string }>;
  text(by: Principal, which: NumberedChoice, signal: AbortSignal): Promise<PageText>;
  /** Returns how a book is read and how many parts it has, as the last scan saw it. */
  shape(by: Principal, id: string): Promise<{ isPaged: boolean; parts: number | undefined }>;
}

const asker = ({ profile }: Principal, signal: AbortSignal): BookAsker => ({ profile, signal });

type Catalogue = Pick<Catalog, 'seenBy' | 'root'>;

const TYPES = {
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  cbz: 'application/vnd.comicbook+zip',
  cbr: 'application/vnd.comicbook-rar',
  cb7: 'application/x-cb7',
} as const;

type ReadableFile = PlayableFile & { info: { book: NonNullable<NonNullable<PlayableFile['info']>['book']> } };

/** Returns the file of a book that the caller may see. Items of other kinds are no books. */
async function bookFile(seen: Pick<VisibleCatalog, 'file'>, { id, version }: BookChoice): Promise<ReadableFile> {
  const file = await seen.file(id, version);
  if (file?.info?.book === undefined) throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
  if (!file.available)
    throw new Failure('unavailable', 'this library cannot be reached', { reason: 'library-offline' });
  return file as ReadableFile;
}

/** Returns the version of a file, which is part of the addresses of its parts. */
const versionOf = ({ size, modifiedMs }: PlayableFile): string =>
  `${Math.round(modifiedMs).toString(36)}${size.toString(36)}`;

export function createReading({ catalog, books }: { catalog: Catalogue; books: BookReader }): Reading {
  const pages = createPages();
  const find = (by: Principal, which: BookChoice) => bookFile(catalog.seenBy(by), which);
  const addresses = (file: PlayableFile, { id, version }: BookChoice) => ({
    base: `/read/${id}`,
    query: `?${version === undefined ? '' : `version=${version}&`}v=${versionOf(file)}`,
  });
  const etag = (file: PlayableFile, ...more: (string | number)[]) => [versionOf(file), ...more].join('-');
  const epub = (file: ReadableFile) => mustBe(file, file.info.book.format === 'epub');

  return {
    open: async (by, which, signal) => {
      const file = await find(by, which);
      const { direction, ...opened } = await books.open(file, asker(by, signal));
      if (opened.kind !== 'epub') pages.warm();
      return { ...opened, direction: direction ?? file.info.book.direction ?? 'ltr', version: versionOf(file) };
    },
    search: async (by, { q, limit, ...which }, signal) =>
      books.search(await find(by, which), { text: q, limit }, asker(by, signal)),
    file: async (by, which) => {
      const file = await find(by, which);
      const root = await catalog.root(file.root).catch((error: unknown) => {
        throw new Failure(
          'unavailable',
          'this library cannot be reached',
          { reason: 'library-offline' },
          { cause: error },
        );
      });
      return { file: await openForReading(inRoot(root, file.relative)), type: TYPES[file.info.book.format] };
    },
    part: async (by, which, signal) => {
      const file = epub(await find(by, which));
      return {
        ...(await books.part(file, which.n, addresses(file, which), asker(by, signal))),
        etag: etag(file, 'p', which.n),
      };
    },
    asset: async (by, which, signal) => {
      const file = epub(await find(by, which));
      return {
        ...(await books.asset(file, which.n, addresses(file, which), asker(by, signal))),
        etag: etag(file, 'a', which.n),
      };
    },
    page: async (by, which, signal) => {
      const file = await find(by, which);
      mustBe(file, file.info.book.format !== 'epub');
      const { n, width } = which;
      const page = await books.page(file, { page: n, width }, asker(by, signal));
      return { ...(await pages.resized(page, width)), etag: etag(file, 'p', n, width ?? 0) };
    },
    text: async (by, which, signal) => {
      const file = await find(by, which);
      mustBe(file, file.info.book.format === 'pdf');
      return books.text(file, which.n, asker(by, signal));
    },
    shape: async (by, id) => {
      const file = found(await catalog.seenBy(by).file(id), 'no such item', 'no-such-item');
      const book = file.info?.book;
      if (!book) throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
      return { isPaged: book.format !== 'epub', parts: book.pages };
    },
  };
}

function mustBe<T>(file: T, isSo: boolean): T {
  if (!isSo) throw new Failure('conflict', 'this book is not read in such parts', { reason: 'not-in-parts' });
  return file;
}
