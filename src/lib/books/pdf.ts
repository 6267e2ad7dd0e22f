/**
 * Reads PDFs with MuPDF: facts, outline, pages as pictures, and the text of pages.
 *
 * It runs in helper processes only, because MuPDF may crash, loop or grow on a damaged file. Scripts of a PDF never
 * run: the library has an engine for them, which is not switched on. No address in a PDF is ever fetched.
 */
import type { Document, Page } from 'mupdf';
import type { ReadArchiveAt } from '../archive/zip.ts';
import { factsOfPdf, isCrashOfLibrary } from './pdf-facts.ts';
import type { BookMatch, ContentsLine, DrawnPage, OpenedBook, PageText } from './questions.ts';
import type { BookMetadata } from './types.ts';

type Mupdf = typeof import('mupdf');

/** Thrown for a PDF that is damaged, or that cannot be opened without a password. */
export class BadPdf extends Error {
  readonly isEncrypted: boolean;
  constructor(message: string, isEncrypted = false) {
    super(message);
    this.isEncrypted = isEncrypted;
  }
}

/** Thrown when the library itself failed on a file. Its memory is not usable afterwards: the process must end. */
export class PdfCrashed extends Error {}

/** Bytes at the start of a file in which its mark may be, as other readers of PDFs allow. */
const MARK_WITHIN_BYTES = 1024;
const MAX_PAGES = 100_000;
const MAX_CONTENTS = 5_000;
const MAX_DEPTH = 8;
const MAX_TITLE_LENGTH = 300;
/** Pixels of a picture of a page: one of 4,000 × 5,600 takes 64 MiB. */
const MAX_PIXELS = 24_000_000;
/** Pixels of a side; JPEG, as which the page is sent, has 65,535 at most. */
const MAX_SIDE = 30_000;
const DEFAULT_WIDTH = 1600;
const MAX_LINES = 4_000;
const MAX_LINE_LENGTH = 2_000;
/** Time in which a search ends with what it has found: less than the deadline of the helper. */
const SEARCH_MS = 12_000;

let loading: Promise<Mupdf> | undefined;

/** Returns the library. It is loaded with the first PDF: compiling it takes 60 ms. */
async function loadMupdf(): Promise<Mupdf> {
  loading ??= import('mupdf').then((mupdf) => {
    // It would print a warning for each fault of a file.
    mupdf.setLog(null);
    return mupdf;
  });
  return loading;
}

/** Returns whether a file is a PDF, by its first bytes. */
export function isPdf(size: number, readAt: ReadArchiveAt): boolean {
  const head = Buffer.alloc(Math.min(MARK_WITHIN_BYTES, size));
  readAt(head, 0);
  return head.includes('%PDF-');
}

/** Opens a PDF for `work` and closes it. Throws `BadPdf`, or `PdfCrashed`. */
async function withPdf<T>(size: number, readAt: ReadArchiveAt, work: (doc: Document, mupdf: Mupdf) => T): Promise<T> {
  const mupdf = await loadMupdf();
  let doc: Document | undefined;
  try {
    const read = (memory: Uint8Array, offset: number, length: number, position: number): number =>
      readAt(Buffer.from(memory.buffer, memory.byteOffset + offset, length), position);
    doc = mupdf.Document.openDocument(
      new mupdf.Stream({ fileSize: () => size, read, close: () => {} }),
      'application/pdf',
    );
    if (!doc.isPDF()) throw new BadPdf('the file is no PDF');
    if (doc.needsPassword()) throw new BadPdf('the file needs a password', true);
    return work(doc, mupdf);
  } catch (error) {
    if (error instanceof BadPdf) throw error;
    if (isCrashOfLibrary(error)) throw new PdfCrashed(String(error), { cause: error });
    // An error of the disk is not a fault of the file.
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new BadPdf(error instanceof Error ? error.message : String(error));
  } finally {
    doc?.destroy();
    mupdf.emptyStore();
  }
}

/** Returns the number of pages. Throws `BadPdf` if it has none, or an impossible number of them. */
function pagesOf(doc: Document): number {
  const pages = doc.countPages();
  if (!(pages > 0 && pages <= MAX_PAGES)) throw new BadPdf('the file has no pages');
  return pages;
}

/** Reads the facts of a PDF: its number of pages, and what its metadata says. */
export const readPdf = (size: number, readAt: ReadArchiveAt): Promise<BookMetadata> =>
  withPdf(size, readAt, (doc) => ({ ...factsOfPdf(doc), pages: pagesOf(doc) }));

export const openPdf = (size: number, readAt: ReadArchiveAt): Promise<OpenedBook> =>
  withPdf(size, readAt, (doc) => {
    const parts = pagesOf(doc);
    return { kind: 'pdf', contents: contentsOf(doc, parts), parts };
  });

/** Returns the outline. One that is damaged is left out: the pages can be read without it. */
function contentsOf(doc: Document, pages: number): ContentsLine[] {
  const lines: ContentsLine[] = [];
  type Outline = ReturnType<Document['loadOutline']>;
  const add = (items: Outline | undefined, depth: number): void => {
    for (const { title, page, down } of items ?? []) {
      if (lines.length >= MAX_CONTENTS) return;
      const text = title?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH) ?? '';
      if (text !== '' && page !== undefined && page >= 0 && page < pages)
        lines.push({ title: text, part: page, depth });
      if (depth < MAX_DEPTH) add(down, depth + 1);
    }
  };
  try {
    add(doc.loadOutline(), 0);
  } catch (error) {
    if (isCrashOfLibrary(error)) throw error;
  }
  return lines;
}

/** Calls `work` with a page. Undefined if there is no such page. */
function onPage<T>(doc: Document, number: number, work: (page: Page) => T): T | undefined {
  if (number >= pagesOf(doc)) return undefined;
  const page = doc.loadPage(number);
  try {
    return work(page);
  } finally {
    page.destroy();
  }
}

/** Returns the size of a page in points. Throws `BadPdf` for one without a size. */
function sizeOf(page: Page): { left: number; top: number; width: number; height: number } {
  const [left, top, right, bottom] = page.getBounds();
  const [width, height] = [right - left, bottom - top];
  if (!(width >= 1 && height >= 1)) throw new BadPdf('the page has no size');
  return { left, top, width, height };
}

/** Draws a page in the given width in pixels. Undefined if there is no such page. */
export const drawPdfPage = (
  size: number,
  readAt: ReadArchiveAt,
  { page: number, width = DEFAULT_WIDTH }: { page: number; width?: number | undefined },
): Promise<DrawnPage | undefined> =>
  withPdf(size, readAt, (doc, mupdf) =>
    onPage(doc, number, (page) => {
      const of = sizeOf(page);
      const scale = Math.min(
        width / of.width,
        Math.sqrt(MAX_PIXELS / (of.width * of.height)),
        MAX_SIDE / Math.max(of.width, of.height),
      );
      const pixels = page.toPixmap(mupdf.Matrix.scale(scale, scale), mupdf.ColorSpace.DeviceRGB, false, true);
      try {
        // They lie in the memory of the library, which is freed below.
        return { width: pixels.getWidth(), height: pixels.getHeight(), pixels: Uint8Array.from(pixels.getPixels()) };
      } finally {
        pixels.destroy();
      }
    }),
  );

interface StructuredLine {
  text?: string;
  bbox?: { x: number; y: number; w: number; h: number };
}

/** Returns the lines of text of a page, with their places on it. */
function linesOf(page: Page): PageText {
  const { left, top, width, height } = sizeOf(page);
  const structured = page.toStructuredText('preserve-whitespace');
  const { blocks } = JSON.parse(structured.asJSON()) as { blocks: { lines?: StructuredLine[] }[] };
  structured.destroy();
  const share = (value: number, whole: number) => Math.min(1, Math.max(0, Math.round((value / whole) * 1e5) / 1e5));
  const lines = blocks
    .flatMap((block) => block.lines ?? [])
    .slice(0, MAX_LINES)
    .flatMap(({ text = '', bbox }) =>
      bbox === undefined || text.trim() === ''
        ? []
        : {
            text: text.slice(0, MAX_LINE_LENGTH),
            x: share(bbox.x - left, width),
            y: share(bbox.y - top, height),
            width: share(bbox.w, width),
            height: share(bbox.h, height),
          },
    );
  return { ratio: width / height, lines };
}

export const readPdfText = (size: number, readAt: ReadArchiveAt, number: number): Promise<PageText | undefined> =>
  withPdf(size, readAt, (doc) => onPage(doc, number, linesOf));

/** Searches all pages, in order. A page that cannot be read has no matches. */
export const searchPdf = (
  size: number,
  readAt: ReadArchiveAt,
  find: (text: string, part: number) => readonly BookMatch[],
  limit: number,
): Promise<BookMatch[]> =>
  withPdf(size, readAt, (doc) => {
    const matches: BookMatch[] = [];
    const until = performance.now() + SEARCH_MS;
    const pages = pagesOf(doc);
    for (let part = 0; part < pages && matches.length < limit && performance.now() < until; part++) {
      const text = textOf(doc, part).replaceAll(/\s+/g, ' ').trim();
      matches.push(...find(text, part).slice(0, limit - matches.length));
    }
    return matches;
  });

function textOf(doc: Document, number: number): string {
  try {
    return (
      onPage(doc, number, (page) => {
        const structured = page.toStructuredText('dehyphenate');
        const text = structured.asText();
        structured.destroy();
        return text;
      }) ?? ''
    );
  } catch (error) {
    if (isCrashOfLibrary(error)) throw error;
    return '';
  }
}
