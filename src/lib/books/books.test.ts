/** Facts, contents and parts of books are read from their files, and hostile ones are refused or made harmless. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZip, type Zip } from '../archive/zip.ts';
import { writeZip } from '../archive/write-zip.ts';
import { comicFacts, compareNatural, comicPages, readComic } from './comic.ts';
import { rewriteCss } from './css.ts';
import { isIsbn, readEpub, resolveEntry } from './epub.ts';
import { rewritePart } from './part.ts';
import type { BookBytes, OpenedBook } from './questions.ts';
import { answerAbout } from './read.ts';
import { makeComic, makeEpub } from './testing.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const page = (name: string) => ({ name, bytes: PNG });
const readAtOf = (file: Buffer) => (into: Buffer, at: number) => file.copy(into, 0, at, at + into.length);
const open = (file: Buffer): Promise<Zip> => openZip(file.length, readAtOf(file));
const none = { get: () => undefined, set: () => {} };
const cache = { packages: none, packed: none };
const ask = (file: Buffer, question: object) =>
  answerAbout(
    { path: '', ...question } as Parameters<typeof answerAbout>[0],
    {
      size: file.length,
      readAt: readAtOf(file),
      key: '',
    },
    cache,
  );

test('an EPUB 3 states its series, ISBN, authors and contents', async () => {
  const { facts, contents, parts } = await readEpub(
    await open(
      makeEpub({
        title: 'The Hidden Harbour &amp; more',
        authors: ['Ada Writer'],
        metadata:
          '<dc:creator id="c2">Bo Artist</dc:creator><meta refines="#c2" property="role">ill</meta>' +
          '<dc:identifier>urn:isbn:978-0-14-143961-7</dc:identifier>' +
          '<dc:date>2019-05-03T00:00:00Z</dc:date><dc:subject>Adventure</dc:subject>' +
          '<meta property="belongs-to-collection" id="s">Harbour Tales</meta>' +
          '<meta refines="#s" property="collection-type">series</meta>' +
          '<meta refines="#s" property="group-position">1.5</meta>',
        parts: [
          { title: 'One', markup: '<p>First</p>' },
          { title: 'Two', markup: '<p>Second</p>' },
        ],
        files: [{ name: 'c.png', type: 'image/png', bytes: PNG, properties: 'cover-image' }],
        direction: 'rtl',
      }),
    ),
  );
  assert.deepEqual(facts, {
    format: 'epub',
    title: 'The Hidden Harbour & more',
    authors: ['Ada Writer'],
    contributors: ['Bo Artist'],
    published: '2019-05-03',
    language: 'en',
    isbn: '9780141439617',
    subjects: ['Adventure'],
    series: 'Harbour Tales',
    volume: { text: '1.5', number: 1.5 },
    cover: 'OEBPS/c.png',
    direction: 'rtl',
    pages: 2,
  });
  assert.deepEqual(parts, ['OEBPS/part0.xhtml', 'OEBPS/part1.xhtml']);
  assert.deepEqual(contents, [
    { title: 'One', part: 0, depth: 0 },
    { title: 'Two', part: 1, depth: 0 },
  ]);
});

test('an EPUB 2 has its contents in an NCX and its series in fields of calibre', async () => {
  const { facts, contents } = await readEpub(
    await open(
      makeEpub({
        title: 'Second',
        version: 2,
        metadata: '<meta name="calibre:series" content="Old"/><meta name="calibre:series_index" content="2.0"/>',
        parts: [{ title: 'Start', markup: '<p>x</p>' }],
      }),
    ),
  );
  assert.deepEqual([facts.series, facts.volume], ['Old', { text: '2', number: 2 }]);
  assert.deepEqual(contents, [{ title: 'Start', part: 0, depth: 0 }]);
});

test('addresses in a book never leave it', () => {
  assert.deepEqual(resolveEntry('OEBPS/text/a.xhtml', '../img/b%20c.png#x'), {
    name: 'OEBPS/img/b c.png',
    fragment: 'x',
  });
  for (const outside of [
    '../../../etc/passwd',
    'https://evil.example/x',
    '//evil.example/x',
    'data:text/html,x',
    '..\\x',
  ])
    assert.equal(resolveEntry('OEBPS/a.xhtml', outside), undefined, outside);
  assert.deepEqual(['9780141439617', '0306406152', '080442957X', '9780141439618'].map(isIsbn), [
    true,
    true,
    true,
    false,
  ]);
});

test('pages are in natural order, and ComicInfo keeps volume and chapter apart', async () => {
  const zip = await open(
    makeComic([page('p10.png'), page('p2.png'), page('__MACOSX/._p2.png'), page('.hidden.png')], {
      Series: 'Comet',
      Number: '1.5',
      Volume: 2,
      Title: 'Launch',
      Writer: 'Ada, Bo',
      Penciller: 'Cy',
      Manga: 'YesAndRightToLeft',
      AgeRating: 'Teen',
      Year: 2020,
      Month: 3,
    }),
  );
  assert.deepEqual(
    comicPages(zip).map(({ name }) => name),
    ['p2.png', 'p10.png'],
  );
  const { format: _, cover, pages, ...facts } = await readComic(zip, 'cbz');
  assert.deepEqual([cover, pages], ['p2.png', 2]);
  assert.deepEqual(facts, {
    title: 'Launch',
    authors: ['Ada', 'Bo'],
    contributors: ['Cy'],
    subjects: [],
    series: 'Comet',
    volume: { text: '2', number: 2 },
    chapter: { text: '1.5', number: 1.5 },
    age: 13,
    direction: 'rtl',
    published: '2020-03',
  });
  assert.equal(
    comicFacts(
      new Map([
        ['series', 'Comet'],
        ['volume', '2019'],
      ]),
    ).series,
    'Comet (2019)',
  );
  assert.ok(compareNatural('a2/10', 'a10/2') < 0);
});

test('archives with links, repeated names or a bomb are refused', async () => {
  const link = writeZip([page('p1.png')]);
  // Made on Unix, with the mode of a link.
  const at = link.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  link[at + 5] = 3;
  link.writeUInt32LE((0o120777 << 16) >>> 0, at + 38);
  await assert.rejects(open(link), /link/);
  await assert.rejects(open(writeZip([page('p1.png'), page('p1.png')])), /repeats/);
  await assert.rejects(open(writeZip([page('../p1.png')])), /invalid relative path/);
  const bomb = writeZip([page('p1.png')]);
  const directory = bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  bomb.writeUInt16LE(8, directory + 10);
  bomb.writeUInt32LE(150 * 1024 * 1024, directory + 24);
  await assert.rejects(open(bomb), /ratio/);
  await assert.rejects(open(Buffer.from('PK\x03\x04 and nothing')));
});

/** Markup that may never remain, in whatever disguise. */
const FORBIDDEN =
  /<(?:script|iframe|object|embed|form|input|button|base|meta http|link rel="(?!stylesheet)|animate|foreignObject)|\son\w+=|javascript:|https?:\/\/(?!www\.w3\.org\/)|\/\/evil|srcdoc|data:/i;
const HOSTILE = [
  '<script>alert(1)</script>',
  '<SCRIPT src="https://evil.example/x.js"></SCRIPT>',
  '<p onclick="alert(1)" onmouseover=alert(2)>x</p>',
  '<img src="https://evil.example/a.png" onerror="alert(1)"/>',
  '<img src="//evil.example/a.png"/><img srcset="https://evil.example/b.png 2x"/>',
  '<a href="javascript:alert(1)">x</a><a href="https://evil.example/" ping="https://evil.example/p">y</a>',
  '<form action="https://evil.example/"><input name="a"/><button formaction="https://evil.example/">go</button></form>',
  '<iframe src="https://evil.example/"></iframe><iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '<object data="https://evil.example/x.swf"></object><embed src="https://evil.example/y"/>',
  '<base href="https://evil.example/"/><meta http-equiv="refresh" content="0;url=https://evil.example/"/>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script>' +
    '<image href="https://evil.example/i"/>' +
    '<use href="https://evil.example/u#x"/><set attributeName="href" to="javascript:alert(1)"/>' +
    '<foreignObject><iframe src="https://evil.example/"/></foreignObject>' +
    '<rect fill="url(https://evil.example/f)"/></svg>',
  '<p style="background:url(https://evil.example/s)">x</p><p style="background:u\\72l(https://evil.example/t)">x</p>',
  '<style>@import "https://evil.example/c.css"; @import url(//evil.example/d.css);' +
    ' p{background:url("https://evil.example/e")}</style>',
  '<style>p{background:image-set("https://evil.example/f" 1x)} @font-face{src:url(https://evil.example/g)}</style>',
  '<math><maction actiontype="statusline" href="https://evil.example/">x</maction></math>',
  '<video poster="https://evil.example/p" src="https://evil.example/v"><source src="https://evil.example/w"/></video>',
  '<link rel="prefetch" href="https://evil.example/"/><link rel="dns-prefetch" href="//evil.example"/>',
  '<noscript><img src="https://evil.example/n"/></noscript><template><script>alert(1)</script></template>',
  '<p title="&lt;script&gt;alert(1)&lt;/script&gt;"/><!--><script>alert(1)</script>-->',
  '<svg><style>@import url(https://evil.example/z);</style></svg><xmp><script>alert(1)</script></xmp>',
];
const addresses = {
  asset: (address: string) => (resolveEntry('OEBPS/p.xhtml', address) ? '/read/x/asset/1' : undefined),
  part: (address: string) => (resolveEntry('OEBPS/p.xhtml', address) ? '/read/x/part/1' : undefined),
};

test('a hostile part keeps its words and nothing that runs or reaches outside', () => {
  for (const markup of HOSTILE) {
    const out = rewritePart(`<html><head><title>t</title></head><body>${markup}<p>kept</p></body></html>`, addresses);
    // In text, `<` is escaped; what the title attribute says is only text.
    assert.doesNotMatch(out.replaceAll(/title="[^"]*"/g, ''), FORBIDDEN, markup);
    assert.match(out, /kept/, markup);
  }
});

const OUTSIDE = 'http://evil.example/x';
/** Ways in which a browser still reads an address in the value of a property. */
const ADDRESS_SPELLINGS = [
  `url(${OUTSIDE})`,
  `URL( "${OUTSIDE}" )`,
  `\\75 rl(${OUTSIDE})`,
  `\\000075rl(${OUTSIDE})`,
  `u\\72l(${OUTSIDE})`,
  `ur\\6c (${OUTSIDE})`,
  `\\55 \\52 \\4c('${OUTSIDE}')`,
  `\\75\r\nrl(${OUTSIDE})`,
  `u\\72\fl(${OUTSIDE})`,
  `10%url(${OUTSIDE})`,
  `1.url(${OUTSIDE})`,
  `/* ' */url(${OUTSIDE})/* ' */`,
  `url(#own)/**/url(${OUTSIDE})`,
  `url("#own" ${OUTSIDE}) url(\\68ttp://evil.example/x)`,
  `image-set("${OUTSIDE}" 1x)`,
  `image("${OUTSIDE}")`,
  `s\\72 c("${OUTSIDE}")`,
];

test('an address outside the book is found in drawings and style sheets however it is spelled', () => {
  const within = (markup: string) => rewritePart(`<html><head/><body>${markup}</body></html>`, addresses);
  for (const value of ADDRESS_SPELLINGS) {
    const quoted = value.replaceAll('"', '&quot;').replaceAll('\r', '&#13;').replaceAll('\n', '&#10;');
    for (const name of ['fill', 'stroke', 'filter', 'mask', 'clip-path', 'marker-end', 'cursor', 'style'])
      for (const markup of [`<svg><rect ${name}="${quoted}"/></svg>`, `<math><mi ${name}="${quoted}">x</mi></math>`])
        assert.doesNotMatch(within(markup), /evil/, `${name}: ${value}`);
    for (const css of [rewriteCss(`a{background:${value}}`, () => undefined), within(`<style>a{b:${value}}</style>`)])
      assert.doesNotMatch(css, /evil/, value);
  }
});

test('a drawing keeps what refers to itself', () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M10-20.5L1e-5,3z" ' +
    'transform="translate(1,2.5) rotate(-45 .5 10%)" fill="rgb(10%, 20%, 3)" opacity="0.5"></path></svg>';
  const out = rewritePart(`<html><body>${drawing}<svg><g clip-path='url(#a)' fill="url('#b') red"/></svg>`, addresses);
  assert.ok(out.includes(drawing), out);
  assert.match(out, /clip-path="url\(&quot;#a&quot;\)" fill="url\(&quot;#b&quot;\) red"/);
});

test('a part keeps its markup, pictures, links and styles', () => {
  const out = rewritePart(
    '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "b">]><html lang="de"><head>' +
      '<link rel="stylesheet" href="s.css"/></head>' +
      '<body class="x"><h1 id="a">Caf&eacute;</h1><p>a<br>b<b>c</p><img src="i.png" alt=""/><a href="q.xhtml#f">q</a>' +
      '<svg viewBox="0 0 1 1"><linearGradient id="g"/><image xlink:href="i.png"/></svg></body></html>',
    addresses,
  );
  assert.equal(
    out,
    '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="de"><head>' +
      '<meta charset="utf-8"/><title></title>' +
      '<link rel="stylesheet" href="/read/x/asset/1"/></head><body class="x">' +
      '<h1 id="a">Café</h1><p>a<br/>b<b>c</b></p>' +
      '<img alt="" src="/read/x/asset/1"/><a href="/read/x/part/1">q</a><svg xmlns="http://www.w3.org/2000/svg" ' +
      'viewBox="0 0 1 1"><linearGradient id="g"></linearGradient>' +
      '<image href="/read/x/asset/1"></image></svg></body></html>',
  );
});

test('style sheets keep files of the book and lose all others', () => {
  const css = rewriteCss(
    '@charset "utf-8"; @import "own.css"; @import url(https://evil.example/a.css) screen; ' +
      'p{color:#0af;background:URL( "i.png" ) no-repeat;width:12.5px} q{b:\\75 rl(//evil.example/x)} /* url(z) */ r{}',
    addresses.asset,
  );
  assert.match(css, /@import url\("\/read\/x\/asset\/1"\);/);
  assert.match(css, /color:#0af;background:url\("\/read\/x\/asset\/1"\) no-repeat;width:12\.5px/);
  assert.match(css, /b:none/);
  assert.doesNotMatch(css, /evil|url\(z\)|charset/);
});

test('a book is opened, searched and read by parts', async () => {
  const file = makeEpub({
    title: 'T',
    parts: [
      { title: 'A', markup: '<p>The white <i>Rab</i>bit ran.</p><script>rabbit</script>' },
      { title: 'B', markup: '<p>A rabbit, and another RABBIT.</p><img src="i.png"/>' },
    ],
    files: [{ name: 'i.png', type: 'image/png', bytes: PNG }],
  });
  const opened = (await ask(file, { do: 'open' })) as { found: OpenedBook };
  assert.deepEqual([opened.found.kind, opened.found.parts, opened.found.contents.length], ['epub', 2, 2]);
  const { found } = (await ask(file, { do: 'search', text: 'rabbit', limit: 10 })) as { found: { part: number }[] };
  assert.deepEqual(
    found.map(({ part }) => part),
    [0, 1, 1],
  );
  const blocks = makeEpub({
    title: 'T',
    parts: [{ title: 'A', markup: '<h1>Ebb 1</h1><p>The ti<b>d</b>e</p>is<br/>out' }],
  });
  const { found: across } = (await ask(blocks, { do: 'search', text: '1 the tide is out', limit: 10 })) as {
    found: { before: string }[];
  };
  assert.equal(across[0]?.before, ' Ebb ', 'the words of two blocks are not joined');
  const part = (await ask(file, { do: 'part', part: 1, base: '/read/7', query: '?v=1' })) as {
    found: BookBytes;
  };
  const asset = Number(/\/read\/7\/asset\/(\d+)\?v=1/.exec(Buffer.from(part.found.bytes).toString())?.[1]);
  const picture = await ask(file, { do: 'asset', asset, base: '', query: '' });
  assert.deepEqual(picture, { found: { type: 'image/png', bytes: PNG } });
  assert.deepEqual(await ask(file, { do: 'part', part: 9, base: '', query: '' }), { refused: 'missing' });
  assert.deepEqual(await ask(Buffer.from('no book'), { do: 'open' }), { refused: 'broken' });
});

test('damaged books are refused, whatever byte is damaged', async () => {
  const whole = makeEpub({ title: 'T', parts: [{ title: 'A', markup: '<p>a</p>' }] });
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 300; round++) {
    const file = Buffer.from(round % 3 === 0 ? whole.subarray(0, random(whole.length)) : whole);
    for (let n = 0; n < 4 && file.length > 0; n++) file[random(file.length)] = random(256);
    const answer = await ask(file, { do: round % 2 === 0 ? 'open' : 'part', part: 0, base: '', query: '' });
    assert.ok('found' in answer || 'refused' in answer);
  }
});

test('hostile markup is read in linear time', () => {
  for (const unit of ['<p', '<a b="', '<!x>', '</p>', '<style>', '&#x;', '<p><', '<!--', "<a b='", '<![CDATA[', '<?'])
    rewritePart(`<body>${unit.repeat(100_000)}</body>`.slice(0, 400_000), addresses);
  for (const unit of ['url(', '@import ', '"\\', '/*', '\\', 'a(', '@', "'"])
    rewriteCss(unit.repeat(100_000), () => undefined);
});
