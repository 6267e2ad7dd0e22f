/** Asks the helper process about books. A file that hangs or crashes it fails its own request only. */
import { Failure } from '../failure.ts';
import { type Helper, HelperFailure, type Processes } from '../process.ts';
import { createLimit } from '../limit.ts';
import { loadPictureReader } from '../picture-reader.ts';
import type {
  AddressForm,
  BookAnswer,
  BookBytes,
  BookMatch,
  BookQuestion,
  DrawnPage,
  OpenedBook,
  PageText,
} from './questions.ts';

/** A book in a library: its root, and the path below it. */
export interface BookFile {
  root: string;
  relative: string;
}

export interface BookReader {
  open(file: BookFile, signal?: AbortSignal): Promise<OpenedBook>;
  /** Returns a part of an EPUB as safe XHTML. */
  part(file: BookFile, part: number, form: AddressForm, signal?: AbortSignal): Promise<BookBytes>;
  /** Returns a picture, style sheet or font of an EPUB. */
  asset(file: BookFile, asset: number, form: AddressForm, signal?: AbortSignal): Promise<BookBytes>;
  /** Returns the picture of a page. One of a PDF is drawn in the given width, in pixels. */
  page(file: BookFile, at: { page: number; width?: number | undefined }, signal?: AbortSignal): Promise<BookBytes>;
  /** Returns the text of a page of a PDF. */
  text(file: BookFile, page: number, signal?: AbortSignal): Promise<PageText>;
  /** Returns a picture by the name of its archive entry, such as a cover. */
  entry(file: BookFile, entry: string, signal?: AbortSignal): Promise<BookBytes>;
  search(file: BookFile, text: string, limit: number, signal?: AbortSignal): Promise<BookMatch[]>;
  close(): Promise<void>;
}

/** Time in which a question must be answered. Searching a long book takes a second. */
const DEADLINE_MS = 20_000;
const ABANDONED_MS = 3_000;
const IDLE_MS = 10_000;
const MEMORY_LIMIT = 768 * 1024 * 1024;
const JPEG_QUALITY = 85;
/** A drawn page takes up to 72 MB until it is encoded. */
const PICTURES_AT_ONCE = 2;

/**
 * Returns a page as bytes that a browser can show. Drawn pages become JPEG here: the encoder of the library that draws
 * them takes five times as long.
 */
async function shown(page: BookBytes | DrawnPage): Promise<BookBytes> {
  if (!('pixels' in page)) return page;
  const { pixels, width, height } = page;
  const sharp = await loadPictureReader();
  const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  return { type: 'image/jpeg', bytes };
}

export function createBookReader({ processes }: { processes: Pick<Processes, 'startHelper'> }): BookReader {
  const helper: Helper = processes.startHelper({
    name: 'books',
    module: new URL('./helper.ts', import.meta.url),
    deadlineMs: DEADLINE_MS,
    abandonedMs: ABANDONED_MS,
    memoryLimit: MEMORY_LIMIT,
    idleMs: IDLE_MS,
    isBinary: true,
  });
  type Asked = BookQuestion extends infer Q ? (Q extends unknown ? Omit<Q, 'path' | 'root'> : never) : never;
  const ask = async <T>({ root, relative }: BookFile, asked: Asked, signal: AbortSignal | undefined): Promise<T> => {
    let answer: BookAnswer<T>;
    try {
      answer = await helper.ask<BookAnswer<T>>({ path: `${root}/${relative}`, root, ...asked }, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof HelperFailure)) throw error;
      throw new Failure('conflict', 'this book cannot be read', { reason: 'book-unreadable' }, { cause: error });
    }
    if ('found' in answer) return answer.found;
    if (answer.refused === 'missing') throw new Failure('missing', 'no such part', { reason: 'no-such-part' });
    if (answer.refused === 'encrypted')
      throw new Failure('conflict', 'this book needs a password', { reason: 'book-encrypted' });
    if (answer.refused === 'unreadable')
      throw new Failure('unavailable', 'the file cannot be opened', { reason: 'file-unavailable' });
    throw new Failure('conflict', 'this book cannot be read', { reason: 'book-unreadable' });
  };
  const limit = createLimit(PICTURES_AT_ONCE);
  const picture = (file: BookFile, asked: Extract<Asked, { do: 'page' | 'entry' }>, signal: AbortSignal | undefined) =>
    limit(async () => shown(await ask<BookBytes | DrawnPage>(file, asked, signal)));
  return {
    open: (file, signal) => ask(file, { do: 'open' }, signal),
    part: (file, part, form, signal) => ask(file, { do: 'part', part, ...form }, signal),
    asset: (file, asset, form, signal) => ask(file, { do: 'asset', asset, ...form }, signal),
    page: (file, at, signal) => picture(file, { do: 'page', ...at }, signal),
    text: (file, page, signal) => ask(file, { do: 'text', page }, signal),
    entry: (file, entry, signal) => picture(file, { do: 'entry', entry }, signal),
    search: (file, text, limit, signal) => ask(file, { do: 'search', text, limit }, signal),
    close: () => helper.close(),
  };
}
