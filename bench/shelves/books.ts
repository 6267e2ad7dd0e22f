/** Books: a cold scan of EPUBs, comics and PDFs, compared with listing the archives by unzip in the same run. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePdf } from '../../src/lib/books/testing-pdf.ts';
import { makeComic, makeEpub } from '../../src/lib/books/testing.ts';
import { quarters } from '../../src/catalog/probe/testing/pictures.ts';
import { report } from '../report.ts';
import { measured } from '../usage.ts';
import { scanLibraryTwice } from './scanned.ts';

const BOOKS = Number(process.argv.find((one) => one.startsWith('--books='))?.split('=')[1] ?? 1_000);
const MIN_PER_SECOND = 100;
const COMIC_PAGES = 24;
const PARTS = 20;
const UNZIP = '/usr/bin/unzip';
/** Formats of ten books: six EPUBs, three comics and a PDF. */
const KINDS = ['epub', 'epub', 'epub', 'epub', 'epub', 'epub', 'cbz', 'cbz', 'cbz', 'pdf'] as const;
const PARAGRAPH = `<p>${'It was a quiet evening on the harbour, and the boats lay still. '.repeat(30)}</p>`;

async function makeBooks(media: string): Promise<string[]> {
  const page = await quarters(300, 450);
  const archives: string[] = [];
  for (let n = 0; n < BOOKS; n++) {
    const kind = KINDS[n % KINDS.length] ?? 'epub';
    const path = join(media, `Author ${n % 40}`, `Book ${n}.${kind}`);
    mkdirSync(dirname(path), { recursive: true });
    if (kind !== 'pdf') archives.push(path);
    if (kind === 'pdf') writeFileSync(path, makePdf({ title: `Book ${n}`, pages: [[`Page of book ${n}`]] }));
    else if (kind === 'cbz') {
      const pages = Array.from({ length: COMIC_PAGES }, (_, i) => ({ name: `${i + 1}.jpg`, bytes: page }));
      writeFileSync(path, makeComic(pages, { Series: `Comic ${n % 30}`, Number: n, Title: `Issue ${n}` }));
    } else {
      const parts = Array.from({ length: PARTS }, (_, i) => ({ title: `Chapter ${i + 1}`, markup: PARAGRAPH }));
      writeFileSync(path, makeEpub({ title: `Book ${n}`, authors: [`Author ${n % 40}`], parts }));
    }
  }
  return archives;
}

export async function measureBooks(home: string): Promise<void> {
  const media = join(home, 'books');
  const archives = await makeBooks(media);
  const listing = existsSync(UNZIP)
    ? await measured(() => archives.forEach((path) => void execFileSync(UNZIP, ['-Z1', path], { stdio: 'pipe' })))
    : undefined;
  const { cold, unchanged, items } = await scanLibraryTwice(join(home, 'book-catalog'), media, 'books');
  const rate = BOOKS / cold.seconds;
  report({
    what: `books: ${BOOKS} EPUBs, comics and PDFs cold`,
    figure: `${Math.round(rate)}/s`,
    aim: `${MIN_PER_SECOND}/s`,
    met: rate >= MIN_PER_SECOND && items > 0,
    note:
      (listing === undefined
        ? 'unzip is not installed'
        : `unzip lists ${Math.round(archives.length / listing.seconds)} archives/s: ` +
          `${(rate / (archives.length / listing.seconds)).toFixed(1)} times as fast`) +
      `; ${items} items; ${cold.usage}`,
  });
  report({ what: `books: ${BOOKS} unchanged`, figure: `${unchanged.seconds.toFixed(2)} s`, note: unchanged.usage });
}
