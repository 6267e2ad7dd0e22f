/**
 * Reads the facts of a book from the file itself: the package of an EPUB, the entries of a comic, the
 * metadata of a PDF.
 *
 * The format is decided by what the file contains; the name only says that it may be a book. Never throws because of
 * the content of a file: one that is not understood is broken.
 */
import { BadArchive, EncryptedArchive, isZip, openZip, type ReadArchiveAt } from '../../lib/archive/zip.ts';
import { readComic } from '../../lib/books/comic.ts';
import { isEpub, readEpub } from '../../lib/books/epub.ts';
import { openPacked, packedFormat } from '../../lib/books/packed.ts';
import { BadPdf, isPdf, readPdf } from '../../lib/books/pdf.ts';
import type { BookMetadata } from '../../lib/books/types.ts';
import { MarkupTooLarge } from '../../lib/xml/tree.ts';
import type { MediaInfo } from './types.ts';

type BookReading = { info: MediaInfo } | { failed: 'broken' | 'encrypted' };

export async function readBook(size: number, readAt: ReadArchiveAt): Promise<BookReading> {
  try {
    const book = await factsOf(size, readAt);
    return book
      ? { info: { container: book.format, size, streams: [], chapters: [], tags: {}, book } }
      : { failed: 'broken' };
  } catch (error) {
    if (error instanceof BadPdf) return { failed: error.isEncrypted ? 'encrypted' : 'broken' };
    if (error instanceof EncryptedArchive) return { failed: 'encrypted' };
    // A range error is a field with a wrong length: Buffer refuses to read beyond its end.
    if (error instanceof BadArchive || error instanceof MarkupTooLarge || error instanceof RangeError)
      return { failed: 'broken' };
    throw error;
  }
}

async function factsOf(size: number, readAt: ReadArchiveAt): Promise<BookMetadata | undefined> {
  const head = Buffer.alloc(Math.min(16, size));
  readAt(head, 0);
  if (isPdf(size, readAt)) return readPdf(size, readAt);
  const packed = packedFormat(head);
  if (packed !== undefined) return readComic(await openPacked(size, readAt), packed);
  if (!isZip(head)) return undefined;
  const zip = await openZip(size, readAt);
  return isEpub(zip) ? (await readEpub(zip)).facts : readComic(zip, 'cbz');
}
