/** The helper process that reads books. It opens the file of each question, and can neither write nor use a network. */
import { withHeaderFileAsync } from '../files/header.ts';
import { serveHelper } from '../process/serve.ts';
import type { EpubPackage } from './epub.ts';
import type { BookAnswer, BookQuestion } from './questions.ts';
import { PdfCrashed } from './pdf.ts';
import { answerAbout, type BookReply } from './read.ts';

const MAX_CACHED_PACKAGES = 4;
const packages = new Map<string, EpubPackage>();
const cache = {
  get: (key: string) => packages.get(key),
  set: (key: string, value: EpubPackage) => {
    packages.delete(key);
    packages.set(key, value);
    if (packages.size > MAX_CACHED_PACKAGES) packages.delete(packages.keys().next().value ?? '');
  },
};

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
