/**
 * Asks the helper processes about books. A file that hangs or crashes one fails its own request only, and is not tried
 * again for a while; callers take turns.
 */
import { Failure } from '../failure.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type Helper, HelperFailure, type HelperFault, type Processes } from '../process.ts';
import { loadPictureReader } from '../picture-reader.ts';
import { createHungPages } from './hung.ts';
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
import { createBookTurns, PLACES } from './turns.ts';

/** A book in a library: its root, and the path below it. */
export interface BookFile {
  root: string;
  relative: string;
  /** When it was changed, in milliseconds, if that is known. */
  modifiedMs?: number;
}

/** Caller of a question, and the signal that ends it. Work of the server itself has no Profile. */
export interface BookAsker {
  profile?: string;
  signal?: AbortSignal | undefined;
}

/** Every question fails as `throttled` when its Profile asks too much at once. */
export interface BookReader {
  open(file: BookFile, by?: BookAsker): Promise<OpenedBook>;
  /** Returns a part of an EPUB as safe XHTML. */
  part(file: BookFile, part: number, form: AddressForm, by?: BookAsker): Promise<BookBytes>;
  /** Returns a picture, style sheet or font of an EPUB. */
  asset(file: BookFile, asset: number, form: AddressForm, by?: BookAsker): Promise<BookBytes>;
  /** Returns the picture of a page. One of a PDF is drawn in the given width, in pixels. */
  page(file: BookFile, at: { page: number; width?: number | undefined }, by?: BookAsker): Promise<BookBytes>;
  /** Returns the text of a page of a PDF. */
  text(file: BookFile, page: number, by?: BookAsker): Promise<PageText>;
  /** Returns a picture by the name of its archive entry, such as a cover. */
  entry(file: BookFile, entry: string, by?: BookAsker): Promise<BookBytes>;
  search(file: BookFile, asked: { text: string; limit: number }, by?: BookAsker): Promise<BookMatch[]>;
  close(): Promise<void>;
}

/** Time in which a question must be answered. Searching a long book takes a second. */
const DEADLINE_MS = 20_000;
const ABANDONED_MS = 3_000;
const IDLE_MS = 10_000;
const MEMORY_LIMIT = 768 * 1024 * 1024;
const JPEG_QUALITY = 85;
/** A question that is stopped after its caller left counts as hung if it took this long. */
const LONG_MS = DEADLINE_MS / 2;

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

export function createBookReader({
  processes,
  clock = systemClock,
  module = new URL('./helper.ts', import.meta.url),
  deadlineMs = DEADLINE_MS,
}: {
  processes: Pick<Processes, 'startHelper'>;
  clock?: Pick<Clock, 'monotonic'>;
  /** The module that answers, and the time in which it must. */
  module?: URL;
  deadlineMs?: number;
}): BookReader {
  const helper: Helper = processes.startHelper({
    name: 'books',
    module,
    // A child has one question, so that the turns decide about the next one.
    children: PLACES,
    ahead: 1,
    deadlineMs,
    abandonedMs: ABANDONED_MS,
    memoryLimit: MEMORY_LIMIT,
    idleMs: IDLE_MS,
    isBinary: true,
  });
  const turns = createBookTurns();
  const hung = createHungPages({ clock });
  type Asked = BookQuestion extends infer Q ? (Q extends unknown ? Omit<Q, 'path' | 'root'> : never) : never;

  /** Asks in turn. The place is kept until no child is at the question and the answer is finished. */
  const ask = async <T, R = T>(
    file: BookFile,
    asked: Asked,
    { profile, signal }: BookAsker = {},
    finish?: (found: T) => Promise<R>,
  ): Promise<R> => {
    const { root, relative, modifiedMs = 0 } = file;
    const [book, page] = [`${root}/${relative} ${modifiedMs}`, pageOf(asked)];
    const leave = await turns.take({ profile, kind: asked.do === 'search' ? 'search' : 'page' }, signal);
    const since = clock.monotonic();
    let [isAnswered, isOver] = [false, false];
    try {
      if (hung.has(book, page)) {
        isAnswered = true;
        throw unreadable();
      }
      const request = { path: `${root}/${relative}`, root, ...asked };
      const answer = await helper.ask<BookAnswer<T>>(request, signal, (fault) => {
        isAnswered = true;
        const isLong = signal?.aborted !== true || clock.monotonic() - since >= LONG_MS;
        if (fault !== undefined && CULPRITS.has(fault) && isLong) hung.add(book, page);
        if (isOver) leave();
      });
      const found = foundIn(answer);
      return finish ? await finish(found) : (found as unknown as R);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof HelperFailure ? unreadable(error) : error;
    } finally {
      isOver = true;
      if (isAnswered) leave();
    }
  };
  const picture = (file: BookFile, asked: Extract<Asked, { do: 'page' | 'entry' }>, by: BookAsker | undefined) =>
    // A drawn page takes up to 72 MB until it is encoded, so its turn lasts until then.
    ask<BookBytes | DrawnPage, BookBytes>(file, asked, by, shown);
  return {
    open: (file, by) => ask(file, { do: 'open' }, by),
    part: (file, part, form, by) => ask(file, { do: 'part', part, ...form }, by),
    asset: (file, asset, form, by) => ask(file, { do: 'asset', asset, ...form }, by),
    page: (file, at, by) => picture(file, { do: 'page', ...at }, by),
    text: (file, page, by) => ask(file, { do: 'text', page }, by),
    entry: (file, entry, by) => picture(file, { do: 'entry', entry }, by),
    search: (file, asked, by) => ask(file, { do: 'search', ...asked }, by),
    close: () => helper.close(),
  };
}

/** Faults of a helper that its question caused. */
const CULPRITS: ReadonlySet<HelperFault> = new Set(['hung', 'crashed', 'memory']);

const unreadable = (cause?: unknown): Failure =>
  new Failure('conflict', 'this book cannot be read', { reason: 'book-unreadable' }, { cause });

function foundIn<T>(answer: BookAnswer<T>): T {
  if ('found' in answer) return answer.found;
  if (answer.refused === 'missing') throw new Failure('missing', 'no such part', { reason: 'no-such-part' });
  if (answer.refused === 'encrypted')
    throw new Failure('conflict', 'this book needs a password', { reason: 'book-encrypted' });
  if (answer.refused === 'unreadable')
    throw new Failure('unavailable', 'the file cannot be opened', { reason: 'file-unavailable' });
  throw unreadable();
}

/** Returns the name of what is read of a book, under which it is remembered that this hung. */
function pageOf(asked: {
  do: BookQuestion['do'];
  entry?: string;
  page?: number;
  part?: number;
  asset?: number;
}): string {
  return `${asked.do} ${asked.entry ?? asked.page ?? asked.part ?? asked.asset ?? ''}`;
}
