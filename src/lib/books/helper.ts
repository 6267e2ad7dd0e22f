/** The helper process that reads books. It opens the file of each question, and can neither write nor use a network. */
import { withHeaderFileAsync } from '../files/header.ts';
import { serveHelper } from '../process/serve.ts';
import type { BookAnswer, BookQuestion } from './questions.ts';
import { PdfCrashed } from './pdf.ts';
import { answerAbout, type BookCache, type BookReply } from './read.ts';

const MAX_CACHED_PACKAGES = 4;

/** A map that keeps the values that were set last. */
class LastValues<T> extends Map<string, T> {
  readonly #most: number;
  constructor(most: number) {
    super();
    this.#most = most;
  }
  override set(key: string, value: T): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#most) this.delete(this.keys().next().value ?? '');
    return this;
  }
}
// An archive takes as much memory as its file, so only the one that is read is kept.
const cache: BookCache = { packages: new LastValues(MAX_CACHED_PACKAGES), packed: new LastValues(1) };

serveHelper(async (asked): Promise<BookAnswer<BookReply>> => {
  const question = asked as BookQuestion;
  const answer = await withHeaderFileAsync<BookAnswer<BookReply>>(
    question.path,
    (size, readAt, { ino, mtimeMs }) =>
      answerAbout(question, { size, readAt, key: `${question.path} ${ino} ${size} ${mtimeMs}` }, cache).catch(
        (error: unknown) => {
          // The next question gets a new process, in which the library works.
          if (error instanceof PdfCrashed) process.exit(1);
          throw error;
        },
      ),
    question.root,
  );
  return answer ?? { refused: 'unreadable' };
});
