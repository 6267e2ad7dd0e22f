/** Books from the folder to the reader: series, reading, progress, moving, and what a child may not see. */
import assert from 'node:assert/strict';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { FRAMED_HEADERS } from '../src/http/headers.ts';
import { LOCKED, makePdf } from '../src/lib/books/testing-pdf.ts';
import { makeComic, makeEpub } from '../src/lib/books/testing.ts';
import { makeRar5, makeSeven } from '../src/lib/books/testing-packed.ts';
import { until } from './until.ts';
import { PASSWORD, type Reply, startWorld, type Who, type World } from './world.ts';

interface Card {
  id: string;
  kind: string;
  title: string;
  [member: string]: unknown;
}

const pages = await Promise.all(
  ['#c33', '#3c3', '#33c'].map(async (background, n) => ({
    name: `page ${n + 1}.png`,
    bytes: await sharp({ create: { width: 400, height: 600, channels: 3, background } })
      .png()
      .toBuffer(),
  })),
);
const comic = (info: Record<string, string | number>, count = 3) => makeComic(pages.slice(0, count), info);
const TEEN = Buffer.from('<ComicInfo><Writer>Pat Packer</Writer><AgeRating>Teen</AgeRating></ComicInfo>');
const BOOKS: Record<string, Buffer> = {
  'Harbour/The Harbour.epub': makeEpub({
    title: 'The Harbour',
    authors: ['Ada Writer'],
    parts: [
      { title: 'One', markup: '<p>The lighthouse.</p><script>fetch("https://evil.example/")</script>' },
      { title: 'Two', markup: '<p>The ship.</p><img src="c.png" alt=""/>' },
    ],
    files: [{ name: 'c.png', type: 'image/png', bytes: pages[0]?.bytes ?? Buffer.alloc(0), properties: 'cover-image' }],
  }),
  'Comet/Comet v01 c001 (2019).cbz': comic({ Title: 'Launch', AgeRating: 'Everyone' }),
  'Comet/Comet v01 c002 (2019).cbz': comic({ Title: 'Orbit', AgeRating: 'Everyone' }),
  'Comet/Comet v01.5 c010 (2019).cbz': comic({ Title: 'Between', AgeRating: 'Everyone' }),
  'Comet/Comet c012 (2020).cbz': comic(
    { Title: 'Secret landing', AgeRating: 'Adults Only 18+', Genre: 'Forbidden' },
    2,
  ),
  'Manga/Moon.cbz': comic({ Manga: 'YesAndRightToLeft', Writer: 'Yu', AgeRating: 'Everyone' }),
  'Packed/Rar Tales.cbr': makeRar5([...pages, { name: 'ComicInfo.xml', bytes: TEEN }]),
  'Packed/Seven Tales.cb7': makeSeven([...pages, { name: 'ComicInfo.xml', bytes: TEEN }]),
  'Tides/tides.pdf': makePdf({
    title: 'Tide Tables',
    author: 'Cy Clerk',
    pages: [['Low water'], ['High water'], ['Slack']],
    outline: [{ title: 'High', page: 1 }],
  }),
  'Locked/locked.pdf': makePdf({
    pages: [['secret']],
    trailer: LOCKED,
  }),
  'Broken/Broken.epub': Buffer.from('PK\x03\x04 is no archive'),
};

let house: World;
let folder: string;
let owner: Who;
let kid: Who;
const call = (who: Who, method: string, path: string, body?: unknown): Promise<Reply> =>
  house.call(who, method, path, body);
const get = async <T>(path: string, who: Who = owner): Promise<T> => {
  const reply = await call(who, 'GET', path);
  assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  return reply.body as T;
};
const list = (query = 'view=books', who = owner) =>
  get<{ items: Card[]; total: number }>(`/api/v1/library?${query}`, who);
const bookNamed = async (title: string, who = owner): Promise<Card> => {
  const { items } = await list(`view=all&q=${encodeURIComponent(title)}`, who);
  const found = items.find((one) => one.title === title && one.kind === 'book');
  assert.ok(found, `${title} is in the library`);
  return found;
};
const scan = async () => {
  const { body } = await call(owner, 'POST', '/api/v1/tasks/scan', {});
  await until('the end of the scan', async () => {
    const { state } = await get<{ state: string }>(`/api/v1/tasks/${String(body['id'])}`);
    return state === 'done';
  });
};

const endings: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of endings) await end();
});
before(async () => {
  house = await startWorld(
    { after: (end) => void endings.push(end as () => Promise<void>) },
    { env: { SERVICE_REQUIRE_MFA: 'false' } },
  );
  folder = join(house.folder, 'books');
  for (const [path, bytes] of Object.entries(BOOKS)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  const made = await call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  owner = { token: String(made.body['token']) };
  await house.start();
  const library = await call(owner, 'POST', '/api/v1/libraries', { name: 'Books', path: folder, kind: 'books' });
  assert.equal(library.status, 201, library.text);
  await until('the books to be in the library', async () => (await list()).total === 6);
  const policy = {
    libraries: 'all',
    rating: 12,
    unrated: true,
    windows: [],
    remote: true,
    transcode: true,
    download: true,
  };
  assert.equal(
    (await call(owner, 'POST', '/api/v1/profiles', { name: 'Kim', password: PASSWORD, policy })).status,
    201,
  );
  const session = await call(undefined, 'POST', '/api/v1/session', { name: 'Kim', password: PASSWORD });
  kid = { token: String(session.body['token']) };
});

test('a series is listed once, and books without one by themselves', async () => {
  const { items } = await list();
  assert.deepEqual(
    items.map(({ kind, title }) => [kind, title]),
    [
      ['series', 'Comet'],
      ['book', 'The Harbour'],
      ['book', 'Moon'],
      ['book', 'Rar Tales'],
      ['book', 'Seven Tales'],
      ['book', 'Tide Tables'],
    ],
  );
  assert.deepEqual([items[0]?.['books'], items[0]?.['unread']], [4, 4]);
  assert.deepEqual(items[1]?.['authors'], ['Ada Writer']);
});

test('the facet of series counts the books that its filter lists, in their order', async () => {
  const { id } = (await list()).items[0] as Card;
  const series = async (query = 'view=books', who = owner) =>
    (await get<{ facets: { series: unknown[] } }>(`/api/v1/library?${query}`, who)).facets.series;
  assert.deepEqual(await series(), [{ value: id, name: 'Comet', count: 4 }]);
  assert.deepEqual(await series('view=all'), [{ value: id, name: 'Comet', count: 4 }]);
  assert.deepEqual(await series('view=books&year=2020'), [{ value: id, name: 'Comet', count: 1 }]);
  assert.deepEqual(await series('view=books', kid), [{ value: id, name: 'Comet', count: 3 }], 'one is hidden');
  const found = await list(`view=books&series=${id}`);
  assert.deepEqual(
    found.items.map(({ kind, title }) => [kind, title]),
    ['Launch', 'Orbit', 'Between', 'Secret landing'].map((title) => ['book', title]),
  );
  assert.deepEqual(await series(`view=books&series=${id}`), [{ value: id, name: 'Comet', count: 4 }]);
  assert.equal((await list(`view=books&series=${id}`, kid)).total, 3);
  assert.equal((await list('view=books&series=0000000000000000')).total, 0);
});

test('volume and chapter are two fields, and order a series', async () => {
  const { id } = (await list()).items[0] as Card;
  const { items } = await get<{ items: Card[] }>(`/api/v1/series/${id}`);
  assert.deepEqual(
    items.map(({ title, volume, chapter }) => [title, volume, chapter]),
    [
      ['Launch', { text: '1', number: 1 }, { text: '1', number: 1 }],
      ['Orbit', { text: '1', number: 1 }, { text: '2', number: 2 }],
      ['Between', { text: '1.5', number: 1.5 }, { text: '10', number: 10 }],
      ['Secret landing', undefined, { text: '12', number: 12 }],
    ],
  );
  // Each book leads to its neighbours; the one after "Between" is hidden from the child.
  const ids = items.map((one) => one.id);
  const around = async (at: number, who = owner) => {
    const { previous, next } = await get<{ previous?: string; next?: string }>(`/api/v1/items/${ids[at]}`, who);
    return [previous, next];
  };
  assert.deepEqual(await around(0), [undefined, ids[1]]);
  assert.deepEqual(await around(2), [ids[1], ids[3]]);
  assert.deepEqual(await around(2, kid), [ids[1], undefined]);
  assert.deepEqual(await around(3), [ids[2], undefined]);
});

test('an EPUB is read in parts that may do nothing', async () => {
  const { id } = await bookNamed('The Harbour');
  const item = await get<{ links: object; book: { format: string } }>(`/api/v1/items/${id}`);
  assert.deepEqual([item.links, item.book.format], [{ read: `/read/${id}/file` }, 'epub']);
  const open = await get<{
    kind: string;
    parts: number;
    contents: { title: string; part: number }[];
    version: string;
  }>(`/api/v1/books/${id}/reader`);
  assert.deepEqual([open.kind, open.parts, open.contents.map(({ title }) => title)], ['epub', 2, ['One', 'Two']]);
  const part = await call(owner, 'GET', `/read/${id}/part/0?v=${open.version}`);
  assert.equal(part.headers['content-type'], 'application/xhtml+xml; charset=utf-8');
  for (const [name, value] of Object.entries(FRAMED_HEADERS)) assert.equal(part.headers[name], value);
  assert.match(part.text, /The lighthouse/);
  assert.doesNotMatch(part.text, /script|evil/);
  const second = await call(owner, 'GET', `/read/${id}/part/1`);
  const asset = /src="(\/read\/[^"]+)"/.exec(second.text)?.[1] ?? '';
  const picture = await call(owner, 'GET', asset.replaceAll('&amp;', '&'));
  assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/png']);
  assert.match(
    String(picture.headers['content-security-policy']),
    /^default-src 'none'; frame-ancestors 'none'; sandbox$/,
  );
  assert.equal((await call(owner, 'GET', `/read/${id}/part/2`)).status, 404);
  assert.equal((await call(owner, 'GET', `/read/${id}/page/0`)).status, 409);
  const file = await house.call(owner, 'GET', `/read/${id}/file`, undefined, { range: 'bytes=0-1' });
  assert.deepEqual([file.status, file.text], [206, 'PK']);
  const found = await get<{ items: { part: number; match: string }[] }>(`/api/v1/books/${id}/reader/search?q=LIGHT`);
  assert.deepEqual(
    found.items.map(({ part: at, match }) => [at, match]),
    [[0, 'light']],
  );
  const cover = await call(owner, 'GET', `/api/v1/art/${id}?width=160`);
  assert.equal(cover.headers['content-type'], 'image/webp', cover.text);
});

test('a comic is read in pages, in the width of the screen', async () => {
  const { id } = await bookNamed('Moon');
  const open = await get<{ kind: string; direction: string; pages: number }>(`/api/v1/books/${id}/reader`);
  assert.deepEqual([open.kind, open.direction, open.pages], ['comic', 'rtl', 3]);
  const whole = await call(owner, 'GET', `/read/${id}/page/1`);
  assert.equal(whole.headers['content-type'], 'image/png');
  const small = await call(owner, 'GET', `/read/${id}/page/1?width=200`);
  assert.equal(small.headers['content-type'], 'image/jpeg');
  assert.equal((await call(owner, 'GET', `/read/${id}/part/0`)).status, 409);
  assert.equal((await call(owner, 'GET', `/read/${id}/page/3`)).status, 404);
});

test('a PDF is read in pages, with contents, search and text', async () => {
  const { id } = await bookNamed('Tide Tables');
  const item = await get<{ authors: string[]; book: object; links: object }>(`/api/v1/items/${id}`);
  assert.deepEqual(
    [item.authors, item.book, item.links],
    [['Cy Clerk'], { format: 'pdf', pages: 3 }, { read: `/read/${id}/file` }],
  );
  const open = await get<{ kind: string; pages: number; contents: object[] }>(`/api/v1/books/${id}/reader`);
  assert.deepEqual([open.kind, open.pages, open.contents], ['pdf', 3, [{ title: 'High', part: 1, depth: 0 }]]);
  const page = await call(owner, 'GET', `/read/${id}/page/1?width=320`);
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'image/jpeg']);
  const { items } = await get<{ items: { part: number }[] }>(`/api/v1/books/${id}/reader/search?q=high`);
  assert.deepEqual(
    items.map(({ part }) => part),
    [1],
  );
  const { lines } = await get<{ lines: { text: string }[] }>(`/api/v1/books/${id}/reader/pages/2/text`);
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['Slack'],
  );
  assert.equal((await call(owner, 'GET', `/read/${id}/part/0`)).status, 409);
  assert.equal((await call(owner, 'GET', `/read/${id}/page/3`)).status, 404);
  const file = await house.call(owner, 'GET', `/read/${id}/file`, undefined, { range: 'bytes=0-4' });
  assert.deepEqual([file.status, file.text, file.headers['content-type']], [206, '%PDF-', 'application/pdf']);
  const cover = await call(owner, 'GET', `/api/v1/art/${id}?width=160`);
  assert.equal(cover.headers['content-type'], 'image/webp', cover.text);
});

test('a book of each format is downloaded whole, under the name of its file, by those who may', async () => {
  const limits = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: false };
  const made = await call(owner, 'POST', '/api/v1/profiles', { name: 'Rae', password: PASSWORD, policy: limits });
  assert.equal(made.status, 201, made.text);
  const session = await call(undefined, 'POST', '/api/v1/session', { name: 'Rae', password: PASSWORD });
  const reader: Who = { token: String(session.body['token']) };
  for (const [title, file, name] of [
    ['The Harbour', 'Harbour/The Harbour.epub', 'The Harbour.epub'],
    ['Moon', 'Manga/Moon.cbz', 'Moon.cbz'],
    ['Tide Tables', 'Tides/tides.pdf', 'tides.pdf'],
  ] as const) {
    const { id } = await bookNamed(title);
    const bytes = BOOKS[file] ?? Buffer.alloc(0);
    const download = (who: Who, range: string) => house.call(who, 'GET', `/download/${id}`, undefined, { range });
    const whole = await call(owner, 'GET', `/download/${id}`);
    const { headers } = whole;
    assert.deepEqual(
      [whole.status, headers['content-type'], headers['content-length'], headers['content-disposition']],
      [
        200,
        'application/octet-stream',
        String(bytes.length),
        `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      ],
    );
    const first = await download(owner, 'bytes=0-3');
    assert.deepEqual(
      [first.status, first.text, first.headers['content-range']],
      [206, bytes.toString('latin1', 0, 4), `bytes 0-3/${bytes.length}`],
    );
    assert.equal((await download(owner, `bytes=${bytes.length}-`)).status, 416);
    const refused = await call(reader, 'GET', `/download/${id}`);
    assert.deepEqual([refused.status, refused.body['reason']], [403, 'downloads-not-allowed'], title);
  }
});

test('progress continues a book and a series, and survives a move', async () => {
  const { id } = await bookNamed('Orbit');
  const place = (body: object) => call(owner, 'PUT', `/api/v1/books/${id}/reader/progress`, body);
  const first = await place({ part: 1, offset: 0.5, session: 'reader-one', sequence: 2 });
  assert.deepEqual([first.status, first.body['percent'], first.body['finished']], [200, 50, false]);
  assert.equal((await place({ part: 0, offset: 0, session: 'reader-one', sequence: 2 })).status, 409);
  assert.equal((await place({ part: 3, offset: 0 })).status, 404);
  assert.deepEqual(
    (await list('view=continue')).items.map((one) => one.id),
    [id],
  );
  await rename(join(folder, 'Comet/Comet v01 c002 (2019).cbz'), join(folder, 'Comet/Comet v1 ch.2.cbz'));
  await scan();
  assert.equal((await bookNamed('Orbit')).id, id);
  const { part, offset } = await get<{ part: number; offset: number }>(`/api/v1/books/${id}/reader/progress`);
  assert.deepEqual([part, offset], [1, 0.5]);
  const done = await place({ part: 2, offset: 0 });
  assert.deepEqual([done.body['percent'], done.body['finished']], [100, true]);
  const { id: series } = (await list()).items[0] as Card;
  const { next, unread } = await get<{ next: Card; unread: number }>(`/api/v1/series/${series}`);
  assert.deepEqual([next.title, unread], ['Between', 3], 'the first unread after the last read');
  assert.equal((await list('view=continue')).total, 0);
  assert.deepEqual(
    (await list('view=history')).items.map((one) => one.id),
    [id],
  );
});

test('a hidden book changes no byte for a child', async () => {
  const [secret, between] = [await bookNamed('Secret landing'), await bookNamed('Between')];
  const { id: series } = (await list('view=books', kid)).items[0] as Card;
  const replies = async () => {
    const paths = [
      '/api/v1/library?view=books',
      '/api/v1/library?view=all',
      `/api/v1/library?view=books&series=${series}`,
      '/api/v1/library?view=all&q=secret',
      '/api/v1/library?view=all&q=comet',
      '/api/v1/library/recent',
      `/api/v1/series/${series}`,
      `/api/v1/items/${between.id}`,
      `/api/v1/art/${series}`,
      `/api/v1/items/${secret.id}`,
      `/api/v1/books/${secret.id}/reader`,
      `/api/v1/books/${secret.id}/reader/progress`,
      `/api/v1/books/${secret.id}/reader/search?q=secret`,
      `/read/${secret.id}/file`,
      `/read/${secret.id}/page/0`,
      `/read/${secret.id}/part/0`,
      `/read/${secret.id}/asset/0`,
      `/api/v1/art/${secret.id}`,
    ];
    return Promise.all(paths.map(async (path) => [path, (await call(kid, 'GET', path)).text]));
  };
  const shown = await replies();
  assert.doesNotMatch(JSON.stringify(shown), /Secret|Forbidden/);
  await rename(join(folder, 'Comet/Comet c012 (2020).cbz'), join(house.folder, 'away.cbz'));
  await scan();
  assert.deepEqual(await replies(), shown);
  assert.equal((await call(owner, 'GET', `/read/${secret.id}/page/0`)).status, 404);
});

test('a PDF is finished when its last page was shown', async () => {
  const { id } = await bookNamed('Tide Tables');
  const place = (part: number) => call(owner, 'PUT', `/api/v1/books/${id}/reader/progress`, { part, offset: 0 });
  const { percent, finished } = (await place(1)).body;
  assert.ok(Number(percent) > 0 && Number(percent) < 100 && finished === false, String(percent));
  assert.equal((await place(2)).body['finished'], true);
});

test('comics in RAR and 7z archives have covers, pages and files to download, and keep their place', async () => {
  for (const [title, name, type] of [
    ['Rar Tales', 'Packed/Rar Tales.cbr', 'application/vnd.comicbook-rar'],
    ['Seven Tales', 'Packed/Seven Tales.cb7', 'application/x-cb7'],
  ] as const) {
    const { id } = await bookNamed(title);
    const cover = await call(owner, 'GET', `/api/v1/art/${id}?width=160`);
    assert.equal(cover.headers['content-type'], 'image/webp', cover.text);
    const page = await house.call(owner, 'GET', `/read/${id}/page/2`);
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'image/png']);
    assert.equal((await house.call(owner, 'GET', `/read/${id}/page/${pages.length}`)).status, 404);
    const file = await house.call(owner, 'GET', `/read/${id}/file`, undefined, { range: 'bytes=0-1' });
    assert.deepEqual([file.status, file.headers['content-type']], [206, type]);
    const download = await house.call(owner, 'GET', `/download/${id}`, undefined, { range: 'bytes=0-1' });
    assert.equal(download.status, 206, download.text);
    assert.match(String(download.headers['content-disposition']), new RegExp(title.replace(' ', '.{1,3}')));
    const place = { part: 1, offset: 0 };
    assert.equal((await call(owner, 'PUT', `/api/v1/books/${id}/reader/progress`, place)).status, 200);
    const moved = join(folder, name.replace('Packed', 'Moved'));
    await mkdir(dirname(moved), { recursive: true });
    await rename(join(folder, name), moved);
    await scan();
    assert.equal((await bookNamed(title)).id, id);
    const { part } = await get<{ part: number }>(`/api/v1/books/${id}/reader/progress`);
    assert.equal(part, 1);
  }
});
